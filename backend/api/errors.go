package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"os"

	"tidemark/backend/memory"
)

// errorBody is the one shape of every error of the API. Code is for programs,
// Message and Hint are for people; Hint is empty where there is nothing to do.
type errorBody struct {
	Code    memory.Code `json:"code"`
	Message string      `json:"message"`
	Hint    string      `json:"hint"`
}

// statusError gives an error a status of HTTP that its code does not imply.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// writeError answers with err in the one shape. A fault of Tidemark itself is
// logged in full and shown as "Internal error." only. It must come before
// anything else is written to w.
func writeError(w http.ResponseWriter, err error) {
	err = translate(err)
	body := errorBody{Code: memory.CodeOf(err), Message: err.Error(), Hint: memory.HintOf(err)}
	status := statusOf(err)
	if status == http.StatusInternalServerError && body.Code != memory.CodeCorrupt {
		slog.Error("request failed", "err", err)
		body.Code, body.Message = memory.CodeInternal, internalMessage
	}
	answerError(w, status, body)
}

// internalMessage is all that is shown of a fault of Tidemark itself.
const internalMessage = "Internal error."

// answerError sends body.
func answerError(w http.ResponseWriter, status int, body errorBody) {
	text, err := json.Marshal(body)
	if err != nil { // three strings cannot fail
		text = []byte(`{"code":"internal","message":"Internal error.","hint":""}`)
	}
	h := w.Header()
	for _, name := range []string{"Content-Length", "Content-Encoding", "Etag", "Last-Modified"} {
		h.Del(name) // they described the answer that did not come about
	}
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // nobody is left to tell
}

// translate gives errors of the standard library that are no fault of Tidemark
// their code.
func translate(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return errTooLarge(err)
	}
	if memory.CodeOf(err) != memory.CodeInternal {
		return err
	}
	unavailable := &memory.Error{Code: memory.CodeUnavailable, Op: "answer request", Err: err}
	switch {
	case errors.Is(err, context.Canceled):
		return unavailable
	case errors.Is(err, context.DeadlineExceeded):
		return &statusError{http.StatusGatewayTimeout, unavailable}
	case errors.Is(err, os.ErrDeadlineExceeded): // the body did not come in time
		return &statusError{http.StatusRequestTimeout, unavailable}
	}
	return err
}

// statusOf is the one place that says which status of HTTP stands for which
// error. Codes that are not listed are faults of Tidemark.
func statusOf(err error) int {
	var s *statusError
	if errors.As(err, &s) {
		return s.status
	}
	switch memory.CodeOf(err) {
	case memory.CodeInvalid:
		return http.StatusBadRequest
	case memory.CodeUnauthorized:
		return http.StatusUnauthorized
	case memory.CodeForbidden:
		return http.StatusForbidden
	case memory.CodeNotFound, memory.CodeStateMissing:
		return http.StatusNotFound
	case memory.CodeBusy:
		return http.StatusConflict
	case memory.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case memory.CodeUnavailable:
		return http.StatusServiceUnavailable
	default: // CodeInternal, CodeCorrupt and what no one foresaw
		return http.StatusInternalServerError
	}
}
