package kept

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strconv"

	"tidemark/backend/memory"
)

// Lengths of ids, in characters. An id of a statement is typed by people; at 50
// bits two of 50,000 are the same once in a million installations.
const (
	idLength  = 11
	keyLength = 20
)

var letters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// digest gives n characters that follow from the parts alone.
func digest(n int, parts ...string) string {
	h := sha256.New()
	var size [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(size[:], uint64(len(p)))
		h.Write(size[:])
		h.Write([]byte(p))
	}
	return letters.EncodeToString(h.Sum(nil))[:n]
}

// Key tells a message whatever session or file a copy of it lies in: transcripts
// that are rotated or forked copy entries with id and time.
func Key(agent, entry string, at memory.Millis, text string) string {
	return "k" + digest(keyLength-1, "message", agent, entry, strconv.FormatInt(int64(at), 10), Normal(text))
}

// ID is the id of the statement at a span of a message.
func ID(key string, start, end int) string {
	return "s" + digest(idLength-1, "statement", key, strconv.Itoa(start), strconv.Itoa(end))
}

// decisionID is the id of a decision: the same one taken twice at a moment is
// one.
func decisionID(k *memory.KeptLine) string {
	return "d" + digest(idLength-1, k.Kind.String(), k.Of, k.By, strconv.FormatInt(int64(k.At), 10), k.Tag.String(), k.Scope.String(), k.Text)
}

// supersedeID is the id of a supersede that Tidemark found. It has no moment:
// found again it is the same.
func supersedeID(of, by string) string { return "d" + digest(idLength-1, "successor", of, by) }

// DefaultScope says for whom a statement holds until somebody decides otherwise.
// The owner's boundaries hold for all agents: ten of them must not each have to
// be told.
func DefaultScope(tag memory.Tag, who memory.SpeakerKind) memory.Scope {
	switch {
	case who == memory.SpeakerContact:
		return memory.ScopeContact
	case who == memory.SpeakerOwner && tag == memory.TagBoundary:
		return memory.ScopeAll
	}
	return memory.ScopeAgent
}
