package api

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// ticker answers with a line a second for as long as the client is there, and
// says how it ended.
func ticker(ended chan<- error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := newOpenEnded(w)
		if err != nil {
			ended <- err
			return
		}
		for n := 0; ; n++ {
			if _, err := fmt.Fprintf(s, "tick %d\n", n); err != nil {
				ended <- err
				return
			}
			select {
			case <-r.Context().Done():
				ended <- r.Context().Err()
				return
			case <-time.After(time.Second):
			}
		}
	})
}

const getStream = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

// TestStreamOutlivesLimits reads a stream for an hour, which is far beyond
// every limit of Server, and then goes away.
func TestStreamOutlivesLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		client := servePipe(t, Server(ticker(ended)))
		go func() { _, _ = io.WriteString(client, getStream) }()
		begin := time.Now()
		lines := bufio.NewScanner(client)
		for lines.Scan() && !strings.Contains(lines.Text(), "tick 3600") {
		}
		if took := time.Since(begin); took < time.Hour || lines.Err() != nil {
			t.Fatalf("the stream ended after %v: %v", took, lines.Err())
		}
		select {
		case err := <-ended:
			t.Fatalf("the handler ended: %v", err)
		default:
		}
		_ = client.Close()
		<-ended
	})
}

// TestStreamWithoutIt shows what it is for: the same answer, written without
// it, ends at the limit.
func TestStreamWithoutIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		client := servePipe(t, Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			control := http.NewResponseController(w)
			for {
				_, err := io.WriteString(w, "tick\n")
				if err == nil {
					err = control.Flush()
				}
				if err != nil || r.Context().Err() != nil {
					ended <- err
					return
				}
				time.Sleep(time.Second) // simulated
			}
		})))
		go func() { _, _ = io.WriteString(client, getStream) }()
		begin := time.Now()
		_, _ = io.Copy(io.Discard, client)
		if took := time.Since(begin); took > answerTime+time.Second {
			t.Errorf("it lasted %v", took)
		}
		<-ended
	})
}

// TestStreamStalls: a client that stops reading is given up after a while.
func TestStreamStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		client := servePipe(t, Server(ticker(ended)))
		if _, err := io.WriteString(client, getStream); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		<-ended
		if took := time.Since(begin); took < stallTime || took > stallTime+2*time.Second {
			t.Errorf("given up after %v, want %v", took, stallTime)
		}
	})
}

// TestStreamEndsWithClient: the context ends when the client goes away, even
// after the limit on reading has passed.
func TestStreamEndsWithClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		client := servePipe(t, Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s, err := newOpenEnded(w)
			if err == nil {
				_, err = s.Write([]byte("begin\n"))
			}
			if err != nil {
				ended <- err
				return
			}
			<-r.Context().Done() // nothing to say for long
			ended <- r.Context().Err()
		})))
		go func() { _, _ = io.WriteString(client, getStream) }()
		lines := bufio.NewScanner(client)
		for lines.Scan() && lines.Text() != "begin" {
		}
		time.Sleep(3 * requestTime) // simulated
		select {
		case err := <-ended:
			t.Fatalf("ended while the client was there: %v", err)
		default:
		}
		_ = client.Close()
		<-ended
	})
}

func TestStreamWithoutConnection(t *testing.T) {
	for _, w := range []http.ResponseWriter{httptest.NewRecorder(), struct{ http.ResponseWriter }{httptest.NewRecorder()}} {
		s, err := newOpenEnded(w)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := s.Write([]byte("data")); n != 4 || err != nil {
			t.Errorf("Write = %d, %v", n, err)
		}
	}
}
