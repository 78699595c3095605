package loopback

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"strings"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"

	"tidemark/backend/memory"
)

// pipePrefix begins the name of every pipe of this machine.
const pipePrefix = `\\.\pipe\`

// SocketPath says on which named pipe the owner of dataDir listens. The name
// is made of the user and the directory, so both sides find the same one.
// dataDir should exist, because links in it are resolved.
func SocketPath(dataDir string) string {
	dir := filepath.Clean(dataDir)
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	user := ""
	if sid, err := currentUser(); err == nil {
		user = sid.String()
	}
	// Names of files do not depend on case here.
	sum := sha256.Sum256([]byte(user + "\n" + strings.ToLower(dir)))
	return pipePrefix + "tidemark-" + hex.EncodeToString(sum[:16])
}

// WindowPath says on which named pipe the window of dataDir listens.
func WindowPath(dataDir string) string { return SocketPath(dataDir) + "-window" }

// ListenSocket listens on the named pipe path, which only this user can open,
// and not over the network. A pipe that exists already, whoever made it, gives
// CodeBusy: a pipe goes with its process, so there is none left of a dead
// owner. The caller closes the listener.
func ListenSocket(path string) (net.Listener, error) {
	if err := checkPipePath(path); err != nil {
		return nil, err
	}
	user, err := currentUser()
	if err != nil {
		return nil, &memory.Error{Code: memory.CodeUnavailable, Op: "find out the user", Err: err}
	}
	l, err := winio.ListenPipe(path, &winio.PipeConfig{SecurityDescriptor: ownerOnly(user)})
	if err == nil {
		return l, nil
	}
	failed := &memory.Error{Code: memory.CodeUnavailable, Op: "listen on pipe", Err: err}
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_ALREADY_EXISTS) {
		failed.Code = memory.CodeBusy
		failed.Hint = "Another program already listens on this pipe, although the lock of the data directory " +
			"is held here. End it and start again."
	}
	return nil, failed
}

// DialSocket connects to the owner that listens on the named pipe path, and
// verifies that the pipe belongs to this user (CodeForbidden otherwise).
// CodeUnavailable means that nobody listens. The other side cannot act in this
// user's name. ctx bounds the connecting only; the caller closes the
// connection.
func DialSocket(ctx context.Context, path string) (net.Conn, error) {
	if err := checkPipePath(path); err != nil {
		return nil, err
	}
	c, err := winio.DialPipeContext(ctx, path)
	if err != nil {
		failed := &memory.Error{Code: memory.CodeUnavailable, Op: "connect to Tidemark", Err: err}
		if errors.Is(err, fs.ErrNotExist) {
			failed.Hint = "Tidemark is not running for this data directory. Start it with: tidemark serve"
		}
		return nil, failed
	}
	if err := verifyOwner(c); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// checkPipePath refuses what is no pipe of this machine, such as the pipe of
// another one.
func checkPipePath(path string) error {
	if strings.HasPrefix(path, pipePrefix) && len(path) > len(pipePrefix) {
		return nil
	}
	return &memory.Error{
		Code: memory.CodeInvalid, Op: "check pipe", Err: fmt.Errorf("%q is no pipe of this machine", path),
	}
}

// ownerOnly is a security descriptor in text form: user owns the pipe and may
// do everything, who comes over the network nothing, everybody else nothing
// because nothing else is granted (P: nothing is inherited).
func ownerOnly(user *windows.SID) string {
	return fmt.Sprintf("O:%[1]sD:P(D;;GA;;;NU)(A;;GA;;;%[1]s)", user)
}

// verifyOwner refuses a pipe that another user made.
func verifyOwner(c net.Conn) error {
	err := errors.New("the owner of the pipe cannot be found out")
	if f, ok := c.(interface{ Fd() uintptr }); ok {
		err = ownedByUser(windows.Handle(f.Fd()))
	}
	if err != nil {
		return &memory.Error{
			Code: memory.CodeForbidden, Op: "verify the other end of the pipe", Err: err,
			Hint: "Run both as the same user.",
		}
	}
	return nil
}

// ownedByUser gives nil where this user owns the object behind h.
func ownedByUser(h windows.Handle) error {
	sd, err := windows.GetSecurityInfo(h, windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("read owner: %w", err)
	}
	owner, _, err := sd.Owner()
	if err != nil {
		return fmt.Errorf("read owner: %w", err)
	}
	user, err := currentUser()
	if err != nil {
		return err
	}
	if !owner.Equals(user) {
		return fmt.Errorf("it belongs to %s, this program to %s", owner, user)
	}
	return nil
}

// currentUser gives the user of this process.
func currentUser() (*windows.SID, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, fmt.Errorf("read user of process: %w", err)
	}
	return user.User.Sid, nil
}

// addressInUse says whether err means that the port is taken.
func addressInUse(err error) bool { return errors.Is(err, windows.WSAEADDRINUSE) }
