//go:build unix

package loopback

import (
	"fmt"
	"net"
	"os"

	"tidemark/backend/memory"
)

// verifyPeer refuses a connection whose other end runs as another user. The
// kernel noted that user when the connection was made (for the one who dials:
// when the other side began to listen), so nothing can change it afterwards.
func verifyPeer(c *net.UnixConn) error {
	uid, err := peerUser(c)
	if err == nil && uid != int64(os.Geteuid()) {
		err = fmt.Errorf("it runs as user %d, this program as user %d", uid, os.Geteuid())
	}
	if err != nil {
		return &memory.Error{
			Code: memory.CodeForbidden, Op: "verify the other end of the socket", Err: err,
			Hint: "Run both as the same user.",
		}
	}
	return nil
}

// onDescriptor calls ask with the descriptor of c.
func onDescriptor(c *net.UnixConn, ask func(fd int) error) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var asked error
	if err := raw.Control(func(fd uintptr) { asked = ask(int(fd)) }); err != nil {
		return err
	}
	return asked
}
