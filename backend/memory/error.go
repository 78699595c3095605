package memory

import (
	"errors"
	"fmt"
)

// Code classifies an error or a problem for programs; people read the message
// and the hint. Codes are part of the API and of the golden files.
type Code string

// Codes of errors that end an operation.
const (
	CodeInternal     Code = "internal"      // a fault of Tidemark itself
	CodeInvalid      Code = "invalid"       // the caller asked for something that makes no sense
	CodeNotFound     Code = "not-found"     // there is no such thing
	CodeUnauthorized Code = "unauthorized"  // the caller did not show the token
	CodeForbidden    Code = "forbidden"     // the caller may not do this from where it is
	CodeTooLarge     Code = "too-large"     // the request exceeds a limit
	CodeBusy         Code = "busy"          // another process owns it, or too much at once
	CodeUnavailable  Code = "unavailable"   // it exists but cannot be read now
	CodeCorrupt      Code = "corrupt"       // what is on disk is damaged
	CodeStateMissing Code = "state-missing" // no OpenClaw state directory was found
)

// Error is an error that a person can act on. Op says what was attempted
// ("read config"), Hint what to do next. Either may be empty.
type Error struct {
	Code Code
	Op   string
	Hint string
	Err  error
}

// Error gives Op and the cause in one line.
func (e *Error) Error() string {
	switch {
	case e.Err == nil:
		return e.Op
	case e.Op == "":
		return e.Err.Error()
	default:
		return fmt.Sprintf("%s: %v", e.Op, e.Err)
	}
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf gives the code of the first Error in the chain, CodeInternal where
// there is none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) && e.Code != "" {
		return e.Code
	}
	return CodeInternal
}

// HintOf gives the first hint in the chain, "" where there is none.
func HintOf(err error) string {
	for err != nil {
		var e *Error
		if !errors.As(err, &e) {
			return ""
		}
		if e.Hint != "" {
			return e.Hint
		}
		err = e.Err
	}
	return ""
}
