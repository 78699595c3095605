package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"tidemark/backend/memory"
)

const (
	// MaxBody is the most that a request may carry, in bytes: the longest
	// statement or entry that a person writes is far below it.
	MaxBody = 1 << 20
	// maxHeader bounds the headers of a request, in bytes; browsers stay
	// below 8 KiB.
	maxHeader = 16 << 10
	// headerTime is how long a client may take to send its headers: they
	// come in one packet from a client of this machine.
	headerTime = 5 * time.Second
	// requestTime is how long it may take to send all of a request.
	requestTime = 30 * time.Second
	// answerTime is how long an answer may take, computing and sending; a
	// rebuild or an export is a job that is asked for and then watched.
	// openEnded lifts it.
	answerTime = 60 * time.Second
	// idleTime is how long a connection is kept between requests.
	idleTime = 2 * time.Minute
)

// Server gives a server of h with limits that no client can get around: on the
// time that headers, request and answer take, on the size of headers and body
// (MaxBody; more gives CodeTooLarge), and on what a panic of h does. Answers
// that last longer use openEnded. The caller serves and shuts down; the fields
// may be changed before that.
func Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           limitBody(survivePanic(h)),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      answerTime,
		IdleTimeout:       idleTime,
		// The handler refuses OPTIONS * like any other.
		DisableGeneralOptionsHandler: true,
		MaxHeaderBytes:               maxHeader,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
		ErrorLog: log.New(serverLog{}, "", 0),
	}
}

// limitBody refuses a body that says that it is too large before anything of
// it is read, and cuts off one that turns out to be.
func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > MaxBody {
			hangUpAfter(w)
			writeError(w, errTooLarge(fmt.Errorf("%d bytes were announced", r.ContentLength)))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
		next.ServeHTTP(w, r)
	})
}

// hangUpAfter closes the connection after the answer instead of waiting for the
// body, but leaves the client the time to read the answer: closing at once
// would throw it away while the client still sends. Only a reader beyond its
// limit tells the server to do that; nothing of the request is read for it.
func hangUpAfter(w http.ResponseWriter) {
	_, _ = http.MaxBytesReader(w, io.NopCloser(strings.NewReader("x")), 0).Read(make([]byte, 1))
}

// errTooLarge is the error of a body beyond MaxBody.
func errTooLarge(cause error) error {
	return &memory.Error{
		Code: memory.CodeTooLarge, Op: "read request", Err: cause,
		Hint: fmt.Sprintf("A request may have %d bytes at most.", MaxBody),
	}
}

// survivePanic turns a panic of next into an internal error, or, where the
// answer has begun, drops the connection so that it is not taken for whole.
// The log gets the place and, where the Go runtime raised it, the reason;
// other panics may hold text of a conversation, so only their type is named.
func survivePanic(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &begun{ResponseWriter: w}
		defer func() {
			reason := recover()
			if reason == nil {
				return
			}
			if err, ok := reason.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(http.ErrAbortHandler) // the way to drop a connection
			}
			err := fmt.Errorf("handler panicked with a %T", reason)
			if fault, ok := reason.(runtime.Error); ok {
				err = fmt.Errorf("handler panicked: %w", fault)
			}
			slog.Error("handler panicked", "err", err, "stack", string(debug.Stack()))
			if answer.sent {
				panic(http.ErrAbortHandler)
			}
			answerError(w, http.StatusInternalServerError, errorBody{Code: memory.CodeInternal, Message: internalMessage})
		}()
		next.ServeHTTP(answer, r)
	})
}

// begun notes whether something was sent.
type begun struct {
	http.ResponseWriter
	sent bool
}

func (b *begun) WriteHeader(status int) {
	b.sent = true
	b.ResponseWriter.WriteHeader(status)
}

func (b *begun) Write(p []byte) (int, error) {
	b.sent = true
	return b.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (b *begun) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// serverLog passes on what net/http has to say about connections.
type serverLog struct{}

// Write logs one line.
func (serverLog) Write(line []byte) (int, error) {
	slog.Warn("http server", "detail", strings.TrimSpace(string(line)))
	return len(line), nil
}
