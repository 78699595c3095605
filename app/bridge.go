package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"tidemark/backend/loopback"
)

// Response is an answer of the API as the page in the window gets it.
type Response struct {
	Status int    `json:"status"`
	Body   string `json:"body"`
}

// Bridge is what the page in the window can call. It has one method, which
// drives the same handler as the loopback server: what the window can do, the
// browser can do too. Safe for concurrent use; each call is a goroutine of its
// own, so a long job holds up nothing.
type Bridge struct {
	ctx  context.Context // ends with the window
	api  http.Handler    // of this process, or one that passes on to the owner
	host http.Handler    // routes under /window/, which only a window has
	// answered is told of each answer, nil for nobody.
	answered func(method, path string, status int, took time.Duration)
}

// Request asks one question. path begins with /api/ or /window/ and may have a
// query; body is JSON or "". Whatever goes wrong is a status, as over HTTP: the
// error is for requests that are none.
func (b *Bridge) Request(method, path, body string) (r Response, err error) {
	began := time.Now()
	handler := b.handler(path)
	if handler == nil {
		return r, fmt.Errorf("there is nothing at %q", path)
	}
	req, err := http.NewRequestWithContext(b.ctx, method, "http://"+loopback.Host+path, strings.NewReader(body))
	if err != nil {
		return r, fmt.Errorf("read the request: %w", err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	w := &recorder{header: http.Header{}, status: http.StatusOK}
	r = record(w, handler, req)
	if b.answered != nil {
		b.answered(method, path, r.Status, time.Since(began))
	}
	return r, nil
}

func (b *Bridge) handler(path string) http.Handler {
	switch {
	case strings.HasPrefix(path, "/api/"):
		return b.api
	case strings.HasPrefix(path, "/window/"):
		return b.host
	}
	return nil
}

// record serves req. A panic that reaches here is one of an answer that had
// begun (api.Server keeps the others): it must not end the window.
func record(w *recorder, handler http.Handler, req *http.Request) (r Response) {
	defer func() {
		reason := recover()
		if reason == nil {
			return
		}
		if reason != http.ErrAbortHandler {
			slog.Error("a request of the window panicked", "type", fmt.Sprintf("%T", reason), "stack", string(debug.Stack()))
		}
		r = Response{Status: http.StatusInternalServerError, Body: `{"code":"internal","message":"The answer broke off."}`}
	}()
	handler.ServeHTTP(w, req)
	return Response{Status: w.status, Body: w.body.String()}
}

// passOn is a handler that asks the owner of the data directory, which is
// another process. Where that does not answer, the page is told so as it would
// be in a browser.
func passOn(client *http.Client) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req := r.Clone(r.Context())
		req.RequestURI = ""
		res, err := client.Do(req)
		if err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, `{"code":"away","message":"Tidemark’s background process does not answer."}`)
			return
		}
		defer func() { _ = res.Body.Close() }() // only read
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	})
}
