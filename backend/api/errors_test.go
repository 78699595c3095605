package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

func TestWriteError(t *testing.T) {
	of := func(code memory.Code) error {
		return fmt.Errorf("show sessions: %w", &memory.Error{Code: code, Op: "read index", Hint: "Do this.", Err: errors.New("cause")})
	}
	const shown = "show sessions: read index: cause"
	tests := []struct {
		name          string
		err           error
		status        int
		code          memory.Code
		message, hint string
	}{
		{"invalid", of(memory.CodeInvalid), 400, memory.CodeInvalid, shown, "Do this."},
		{"unauthorized", of(memory.CodeUnauthorized), 401, memory.CodeUnauthorized, shown, "Do this."},
		{"forbidden", of(memory.CodeForbidden), 403, memory.CodeForbidden, shown, "Do this."},
		{"not found", of(memory.CodeNotFound), 404, memory.CodeNotFound, shown, "Do this."},
		{"no state directory", of(memory.CodeStateMissing), 404, memory.CodeStateMissing, shown, "Do this."},
		{"busy", of(memory.CodeBusy), 409, memory.CodeBusy, shown, "Do this."},
		{"too large", of(memory.CodeTooLarge), 413, memory.CodeTooLarge, shown, "Do this."},
		{"unavailable", of(memory.CodeUnavailable), 503, memory.CodeUnavailable, shown, "Do this."},
		{"corrupt", of(memory.CodeCorrupt), 500, memory.CodeCorrupt, shown, "Do this."},
		{"internal", of(memory.CodeInternal), 500, memory.CodeInternal, "Internal error.", "Do this."},
		{"a code of problems", of(memory.ProblemBadLine), 500, memory.CodeInternal, "Internal error.", "Do this."},
		{"no code", fs.ErrPermission, 500, memory.CodeInternal, "Internal error.", ""},
		{"cut off body", fmt.Errorf("read: %w", &http.MaxBytesError{Limit: 5}), 413, memory.CodeTooLarge,
			"read request: read: http: request body too large", "A request may have 1048576 bytes at most."},
		{"cut off body, called invalid", &memory.Error{Code: memory.CodeInvalid, Op: "parse", Err: &http.MaxBytesError{Limit: 5}}, 413,
			memory.CodeTooLarge, "read request: parse: http: request body too large", "A request may have 1048576 bytes at most."},
		{"client gone", fmt.Errorf("scan: %w", context.Canceled), 503, memory.CodeUnavailable, "answer request: scan: context canceled", ""},
		{"took too long", context.DeadlineExceeded, 504, memory.CodeUnavailable, "answer request: context deadline exceeded", ""},
		{"slow body", os.ErrDeadlineExceeded, 408, memory.CodeUnavailable, "answer request: i/o timeout", ""},
		{"cancelled, with a code", &memory.Error{Code: memory.CodeBusy, Err: context.Canceled}, 409, memory.CodeBusy, "context canceled", ""},
		{"own status", &statusError{418, of(memory.CodeInvalid)}, 418, memory.CodeInvalid, shown, "Do this."},
		{"markup", &memory.Error{Code: memory.CodeInvalid, Op: "<script>\xff"}, 400, memory.CodeInvalid, "<script>\ufffd", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log := logged(t)
			w := httptest.NewRecorder()
			w.Header().Set("Content-Length", "5")
			w.Header().Set("ETag", "x")
			writeError(w, tt.err)
			if w.Code != tt.status {
				t.Errorf("status %d, want %d", w.Code, tt.status)
			}
			var got map[string]string
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatalf("%s: %v", w.Body, err)
			}
			if len(got) != 3 || got["code"] != string(tt.code) || got["message"] != tt.message || got["hint"] != tt.hint {
				t.Errorf("body %q, want %q, %q, %q", got, tt.code, tt.message, tt.hint)
			}
			if strings.Contains(w.Body.String(), "<") {
				t.Errorf("markup is not escaped: %s", w.Body)
			}
			for name, want := range map[string]string{
				"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
				"Content-Length": "", "ETag": "",
			} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			internal := tt.message == "Internal error."
			if strings.Contains(log.String(), `msg="request failed"`) != internal || strings.Contains(log.String(), tt.err.Error()) != internal {
				t.Errorf("the log says %q", log)
			}
		})
	}
}

// TestErrorGolden fixes the shape to the byte.
func TestErrorGolden(t *testing.T) {
	w := httptest.NewRecorder()
	writeError(w, &memory.Error{Code: memory.CodeBusy, Op: "lock", Hint: "End it first."})
	if want := `{"code":"busy","message":"lock","hint":"End it first."}` + "\n"; w.Body.String() != want {
		t.Errorf("body %s, want %s", w.Body, want)
	}
}
