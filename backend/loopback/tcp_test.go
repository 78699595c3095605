package loopback

import (
	"net"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

func TestListenTCP(t *testing.T) {
	l, err := ListenTCP(0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	addr := l.Addr().(*net.TCPAddr)
	if !addr.IP.Equal(net.IPv4(127, 0, 0, 1)) || addr.Port == 0 {
		t.Errorf("listens on %v, want 127.0.0.1 and a port", addr)
	}
	_, err = ListenTCP(addr.Port)
	if memory.CodeOf(err) != memory.CodeBusy || !strings.Contains(memory.HintOf(err), "Another program uses port") {
		t.Errorf("a taken port gives %v (%s)", err, memory.HintOf(err))
	}
}

// TestListenTCPOnly connects by other loopback addresses: a listener on all
// addresses would answer there.
func TestListenTCPOnly(t *testing.T) {
	l, err := ListenTCP(0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	hosts := []string{"127.0.0.2", "127.255.255.254", "::1"}
	for _, host := range hosts {
		if c, err := net.Dial("tcp", net.JoinHostPort(host, port)); err == nil {
			c.Close()
			t.Errorf("somebody answers on %s", host)
		}
	}
}

func TestListenTCPBadPort(t *testing.T) {
	for _, port := range []int{-1, maxPort + 1, 1 << 30} {
		if _, err := ListenTCP(port); memory.CodeOf(err) != memory.CodeInvalid {
			t.Errorf("port %d gives %v, want %s", port, err, memory.CodeInvalid)
		}
	}
}
