//go:build unix

package loopback

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tidemark/backend/memory"
)

// probeTimeout bounds the question whether somebody listens on a socket that
// is already there. Connecting to a Unix socket needs no answer of the other
// process; only a full queue makes it wait.
const probeTimeout = time.Second

// ListenSocket listens on the Unix socket path, whose folder it creates with
// mode 0700 where it is missing; the socket has mode 0600. Only connections of
// this user come out of Accept; others are closed.
//
// The caller holds the lock of the data directory: a socket that is left of an
// owner that died is replaced, and the lock is what keeps two starting owners
// from replacing each other's. A socket that still answers is not touched
// (CodeBusy), nor is a path that is no socket (CodeInvalid). A folder that is
// a link, belongs to another user, or is open to others and cannot be
// tightened gives CodeForbidden.
//
// The caller closes the listener before it gives up the lock; that removes the
// socket.
func ListenSocket(path string) (net.Listener, error) {
	if err := checkSocketPath(path); err != nil {
		return nil, err
	}
	if err := ownFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := clearStale(path); err != nil {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, &memory.Error{Code: memory.CodeUnavailable, Op: "listen on socket", Err: err}
	}
	// Until here the folder alone keeps others out.
	if err := os.Chmod(path, socketMode); err != nil {
		return nil, &memory.Error{
			Code: memory.CodeUnavailable, Op: "protect socket", Err: errors.Join(err, l.Close()),
		}
	}
	return &ownListener{l}, nil
}

// DialSocket connects to the owner that listens on path. It first verifies
// that the folder and the socket are this user's and closed to others, and
// afterwards asks the kernel who listens, so that nobody else can stand in for
// the owner (CodeForbidden). CodeUnavailable means that nobody listens.
//
// ctx bounds the connecting only. The caller closes the connection.
func DialSocket(ctx context.Context, path string) (net.Conn, error) {
	if err := checkSocketPath(path); err != nil {
		return nil, err
	}
	if err := checkPlace(path); err != nil {
		return nil, err
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, unreachable(err)
	}
	if err := verifyPeer(c.(*net.UnixConn)); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// checkSocketPath refuses a path that the system would cut off, or that it
// would take for a name outside the file system, where no folder protects it.
func checkSocketPath(path string) error {
	var cause error
	switch {
	case !filepath.IsAbs(path):
		cause = fmt.Errorf("%q is not an absolute path", path)
	case len(path) > maxSocketPath:
		cause = fmt.Errorf("the path takes %d bytes, %d at most", len(path), maxSocketPath)
	default:
		return nil
	}
	return &memory.Error{Code: memory.CodeInvalid, Op: "check socket path", Err: cause}
}

// checkPlace verifies folder and socket before anything is sent there.
func checkPlace(path string) error {
	if err := checkFolder(filepath.Dir(path)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return unreachable(err)
		}
		return err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return unreachable(err)
	}
	if info.Mode().Type() != fs.ModeSocket || !ours(info) {
		return &memory.Error{
			Code: memory.CodeForbidden, Op: "check socket", Err: fmt.Errorf("%s is not a socket of this user", path),
			Hint: "Somebody else may have put it there to stand in for Tidemark. Remove it and start Tidemark again.",
		}
	}
	return nil
}

// unreachable is the answer where the owner cannot be reached. Only where
// nobody listens does it say that none is running.
func unreachable(cause error) error {
	failed := &memory.Error{Code: memory.CodeUnavailable, Op: "connect to Tidemark", Err: cause}
	if nobodyListens(cause) {
		failed.Hint = "Tidemark is not running for this data directory. Start it with: tidemark serve"
	}
	return failed
}

// nobodyListens says whether err, of connecting, means that there is no socket
// or that its owner is gone.
func nobodyListens(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, fs.ErrNotExist)
}

// clearStale removes the socket of an owner that died. See ListenSocket for
// what it refuses to remove.
func clearStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "check socket", Err: err}
	}
	if info.Mode().Type() != fs.ModeSocket {
		return &memory.Error{
			Code: memory.CodeInvalid, Op: "check socket", Err: fmt.Errorf("%s is not a socket", path),
			Hint: "Tidemark does not remove it. Move it away and start again.",
		}
	}
	if err := refused(path); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "remove old socket", Err: err}
	}
	return nil
}

// refused gives nil where nobody listens on the socket path. Any answer but a
// clear refusal counts as somebody.
func refused(path string) error {
	c, err := net.DialTimeout("unix", path, probeTimeout)
	switch {
	case err == nil:
		err = c.Close()
	case nobodyListens(err):
		return nil
	}
	cause := fmt.Errorf("%s answers, although the lock of the data directory is held here", path)
	if err != nil {
		cause = fmt.Errorf("%w: %w", cause, err)
	}
	return &memory.Error{
		Code: memory.CodeBusy, Op: "listen on socket", Err: cause,
		Hint: "Another program listens there without holding the lock. End it and start again.",
	}
}

// ownListener hands out connections of this user only.
type ownListener struct{ *net.UnixListener }

// Accept waits for the next connection of this user.
func (l *ownListener) Accept() (net.Conn, error) {
	for {
		c, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		refusal := verifyPeer(c)
		if refusal == nil {
			return c, nil
		}
		slog.Warn("connection on socket refused", "err", errors.Join(refusal, c.Close()))
	}
}

// addressInUse says whether err means that the port is taken.
func addressInUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }
