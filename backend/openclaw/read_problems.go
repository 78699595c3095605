package openclaw

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

const (
	// maxReported bounds the problems of one source that are listed one by one.
	maxReported = 200
	// maxTypes bounds the types of one source that are listed by name.
	maxTypes = 50

	badUsage     = "records a negative count or cost, or one that is not a number; that field reads as nothing and the cost of the call is unknown"
	badUsageHint = "Nothing needs to be done. Compare with your provider's bill."
)

// countUnknown counts an entry of a type that is not known.
func countUnknown(counts *map[string]int, kind string) {
	if *counts == nil {
		*counts = map[string]int{}
	}
	if _, ok := (*counts)[kind]; !ok && len(*counts) >= maxTypes {
		kind = "…"
	}
	(*counts)[kind]++
}

// reportUnknown reports what countUnknown counted, in the order of the names.
func reportUnknown(sink Sink, path string, counts map[string]int) {
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		sink.Problem(memory.Problem{Code: memory.ProblemUnknownType, Path: path, Count: counts[kind],
			Message: fmt.Sprintf("has entries of type %q, which this version does not know; they are kept and counted", shorten(kind)),
			Hint:    "Look for a newer version of Tidemark."})
	}
}

// trimCode gives the part of a shape error that says what is wrong.
func trimCode(err error) string {
	return strings.TrimPrefix(err.Error(), transcript.ErrShape.Error()+": ")
}

// shorten bounds a name taken from a file for a message.
func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// unreadable says that a file or folder could not be opened.
func unreadable(path string, err error) memory.Problem {
	return memory.Problem{Code: memory.ProblemUnreadable, Path: path, Count: 1,
		Message: "cannot be read: " + cause(err).Error(),
		Hint:    "Check who owns it and its permissions; Tidemark must run as the user who runs OpenClaw."}
}

// cause strips the path off a file error: the problem names it already.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
