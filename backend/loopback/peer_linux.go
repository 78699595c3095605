package loopback

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerUser asks the kernel which user the other end of c runs as.
func peerUser(c *net.UnixConn) (int64, error) {
	uid := int64(-1)
	err := onDescriptor(c, func(fd int) error {
		cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		if err == nil {
			uid = int64(cred.Uid)
		}
		return err
	})
	return uid, err
}
