package loopback

import (
	"fmt"
	"net"

	"tidemark/backend/memory"
)

// maxPort is the highest TCP port there is.
const maxPort = 1<<16 - 1

// ListenTCP listens on 127.0.0.1 and nowhere else. Port 0 takes a free one,
// which the listener's Addr tells. Every program of this machine can connect:
// the handler behind it must ask for the token.
//
// A port that is in use gives CodeBusy, one that does not exist CodeInvalid.
// The caller closes the listener.
func ListenTCP(port int) (net.Listener, error) {
	if port < 0 || port > maxPort {
		return nil, &memory.Error{
			Code: memory.CodeInvalid, Op: "listen",
			Hint: fmt.Sprintf("Choose a port from 1 to %d, or 0 for any free one.", maxPort),
			Err:  fmt.Errorf("there is no port %d", port),
		}
	}
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err == nil {
		return l, nil
	}
	failed := &memory.Error{Code: memory.CodeUnavailable, Op: "listen on 127.0.0.1", Err: err}
	if addressInUse(err) {
		failed.Code = memory.CodeBusy
		failed.Hint = fmt.Sprintf("Another program uses port %d. Choose another port, or 0 for any free one.", port)
	}
	return nil, failed
}
