//go:build unix && !linux && !darwin

package loopback

import (
	"net"
	"os"
)

// peerUser does not ask on these systems: the rights of the folder and of the
// socket alone keep other users away.
func peerUser(*net.UnixConn) (int64, error) { return int64(os.Geteuid()), nil }
