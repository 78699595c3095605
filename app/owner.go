package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/engine"
	"tidemark/backend/loopback"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/backend/secrets"
	"tidemark/backend/settings"
)

// patience is how long a command waits for another one that holds the data
// directory and does not answer on the socket: a command that is reading.
const patience = 2 * time.Minute

func (c *command) dataPath() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	return settings.DataDir(c.dataDir, os.Getenv, home, runtime.GOOS)
}

func (c *command) engineOptions(data string) engine.Options {
	return engine.Options{Env: c.env, DataDir: data, Mask: secrets.Mask, MaskValue: secrets.MaskValue, Version: Version, Demo: c.demoState()}
}

// asker asks the API's questions, of this process or of the owner.
type asker interface {
	// ask fills answer. The path is that of the API, without its host; body is
	// sent as JSON, nil for none.
	ask(ctx context.Context, method, path string, query url.Values, body, answer any) error
	close() error
}

// open gives somebody to ask about the installation that the flags name: the
// process that owns the data directory where there is one, else this one.
func (c *command) open(ctx context.Context) (asker, string, error) {
	inst, err := openclaw.Resolve(c.env, c.stateDir, c.profile)
	if err != nil {
		return nil, "", err
	}
	data, err := c.dataPath()
	if err != nil {
		return nil, "", err
	}
	waiting := false
	for end := time.Now().Add(patience); ; {
		if owner, err := dialOwner(ctx, data); err == nil {
			var got api.Installation
			err := owner.ask(ctx, http.MethodPost, "/api/installations", nil, map[string]string{"stateDir": inst.StateDir}, &got)
			return owner, got.ID, err
		}
		e, err := engine.Open(ctx, c.engineOptions(data))
		if err == nil {
			id, err := e.Use(ctx, inst)
			return &here{e: e, handler: e.Handler(engine.Surface{Trusted: true})}, id, err
		}
		if memory.CodeOf(err) != memory.CodeBusy || time.Now().After(end) {
			return nil, "", err
		}
		if !waiting {
			fmt.Fprintln(c.err, "another Tidemark command is reading; waiting for it")
			waiting = true
		}
		select {
		case <-ctx.Done():
			return nil, "", ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// owner is the process that owns the data directory, reached by its socket.
type owner struct{ client *http.Client }

func dialOwner(ctx context.Context, data string) (*owner, error) {
	path := loopback.SocketPath(data)
	conn, err := loopback.DialSocket(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := conn.Close(); err != nil {
		return nil, err
	}
	return &owner{client: loopback.Client(path)}, nil
}

func (o *owner) ask(ctx context.Context, method, path string, query url.Values, body, answer any) error {
	req, err := request(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	res, err := o.client.Do(req)
	if err != nil {
		return fmt.Errorf("ask the running Tidemark: %w", err)
	}
	defer res.Body.Close()
	return decode(res.StatusCode, res.Body, answer)
}

func (o *owner) close() error {
	o.client.CloseIdleConnections()
	return nil
}

// request makes a request of the API.
func request(ctx context.Context, method, path string, query url.Values, body any) (*http.Request, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("write request: %w", err)
	}
	u := url.URL{Scheme: "http", Host: loopback.Host, Path: path, RawQuery: query.Encode()}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("write request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	return req, nil
}

// here asks the engine of this process through the same handler.
type here struct {
	e       *engine.Engine
	handler http.Handler
}

func (h *here) ask(ctx context.Context, method, path string, query url.Values, body, answer any) error {
	req, err := request(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	w := &recorder{header: http.Header{}, status: http.StatusOK}
	h.handler.ServeHTTP(w, req)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return decode(w.status, &w.body, answer)
}

func (h *here) close() error { return h.e.Close() }

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

// decode reads an answer of the API, or the error in its place.
func decode(status int, body io.Reader, answer any) error {
	text, err := io.ReadAll(body)
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if status == http.StatusOK {
		if err := json.Unmarshal(text, answer); err != nil {
			return fmt.Errorf("read answer: %w", err)
		}
		return nil
	}
	var e struct {
		Code    memory.Code `json:"code"`
		Message string      `json:"message"`
		Hint    string      `json:"hint"`
	}
	if json.Unmarshal(text, &e) != nil || e.Message == "" {
		return fmt.Errorf("the running Tidemark answered with status %d", status)
	}
	return &memory.Error{Code: e.Code, Hint: e.Hint, Err: errors.New(e.Message)}
}
