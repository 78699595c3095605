package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"tidemark/backend/memory"
)

// what says what a line of a kept file is.
type what uint8

const (
	prose    what = iota // not a list item, or one without words
	record               // one of ours, or a statement by hand
	damaged              // cannot be read
	partLine             // a part of a line, marked as one
)

// ParseKept reads a line of a kept file. ok is false where it is none, or
// cannot be read. day is when a line without a time counts as said.
func ParseKept(line string, day memory.Millis) (k memory.KeptLine, ok bool) {
	k, _, w := parseKept(line, day)
	return k, w == record
}

// parseKept is ParseKept; it also gives the parts of the line.
func parseKept(line string, day memory.Millis) (k memory.KeptLine, p parts, w what) {
	item, ok := bullet(line)
	switch {
	case strings.Contains(line, "\x00") && strings.Trim(line, "\x00") != "":
		return k, p, damaged // by a loss of power, or no UTF-8
	case !ok:
		return k, p, prose
	}
	p = takeApart(item)
	switch {
	case p.unfinished:
		return k, p, partLine
	case p.open || p.ours > 1:
		return k, p, damaged
	case p.ours == 0:
		k, ok = byHand(p.shown, day)
		if !ok {
			return k, p, prose
		}
		return k, p, record
	}
	if k, ok = noted(p, day); !ok {
		return k, p, damaged
	}
	return k, p, record
}

// bullet takes off what makes a line a list item.
func bullet(line string) (item string, ok bool) {
	line = strings.TrimLeft(strings.TrimPrefix(line, byteOrderMark), " \t")
	if len(line) < 2 || strings.IndexByte("-*+", line[0]) < 0 || line[1] != ' ' && line[1] != '\t' {
		return "", false
	}
	return strings.TrimLeft(line[1:], " \t"), true
}

// byHand reads a statement that a person typed. The owner of the ledger said
// it, on the day of its file.
func byHand(shown string, day memory.Millis) (k memory.KeptLine, ok bool) {
	tag, rest, _ := cutTag(shown)
	k = memory.KeptLine{Text: unshow(strings.TrimSpace(rest), true), Tag: tag, At: day}
	typed(&k)
	_, letter := memory.TagOf(k.Text)
	return k, !letter && !blank(k.Text)
}

// typed fills in what a person left out.
func typed(k *memory.KeptLine) {
	k.ByHand, k.Edited, k.ID = true, false, handID(k.Text)
	if k.Tag == 0 {
		k.Tag = memory.TagWant
	}
	if k.Speaker.Kind == 0 {
		k.Speaker.Kind = memory.SpeakerOwner
	}
}

// handID is the id of a statement by hand: it has none of its own.
func handID(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "hand-" + hex.EncodeToString(sum[:8])
}

// cutTag takes the tag off the words of a statement.
func cutTag(shown string) (t memory.Tag, rest string, ok bool) {
	if shown == "" {
		return 0, shown, false
	}
	t, ok = memory.TagOf(shown[:1])
	if !ok && shown[:1] != noTag {
		return 0, shown, false
	}
	if rest, ok = strings.CutPrefix(strings.TrimLeft(shown[1:], " \t"), strings.TrimSpace(tagMark)); !ok {
		return 0, shown, false
	}
	return t, rest, true
}

// noted reads a line by its comment.
func noted(p parts, day memory.Millis) (k memory.KeptLine, ok bool) {
	values, bare, ok := fields(p.comment)
	if !ok || len(bare) != 1 {
		return k, false
	}
	r := reader{values: values}
	if k.Kind, ok = memory.KeptKindOf(bare[0]); !ok || int(k.Kind) >= len(verbs) {
		return k, false
	}
	k.ID, k.At = values["id"], r.stampOr("at", day)
	k.Tag, k.Scope = r.tag(), r.scope()
	k.Until = r.stampOr("until", 0)
	k.Speaker, k.Session, k.Entry, k.Key = r.source()
	k.Start, k.End = r.span()
	k.Rule, k.Of, k.By = values["rule"], values["of"], values["by"]
	k.Forgotten = r.forgotten()
	readWords(&k, p.shown, values["sum"])
	if k.ID == "" { // a person typed the comment too
		typed(&k)
	}
	return k, !r.bad && (!k.ByHand || k.Kind == memory.KeptStatement)
}

// readWords reads what people read of a line. Those of statements, repeats and
// corrections count; a person may have changed them.
func readWords(k *memory.KeptLine, shown, sum string) {
	rest := shown
	if v := verb(*k); v != "" {
		if after, ok := strings.CutPrefix(shown, v); ok && (after == "" || after[0] == ':') {
			rest = strings.TrimPrefix(after, ":")
		}
	} else if tag, after, ok := cutTag(shown); ok {
		k.Tag, rest = tag, after
	}
	k.Text = unshow(strings.TrimPrefix(rest, gap), true)
	if checksum(k.Tag, k.Text) == sum {
		return
	}
	k.Text = unshow(strings.TrimSpace(rest), true)
	counts := k.Kind == memory.KeptStatement || k.Kind == memory.KeptRepeat || k.Kind == memory.KeptCorrect
	k.Edited = counts && checksum(k.Tag, k.Text) != sum
}

// stampOr reads a moment that need not be there.
func (r *reader) stampOr(name string, otherwise memory.Millis) memory.Millis {
	if _, ok := r.values[name]; !ok {
		return otherwise
	}
	return r.stamp(name)
}

func (r *reader) tag() (t memory.Tag) {
	if v := r.values["tag"]; v != "" {
		var ok bool
		t, ok = memory.TagOf(v)
		r.bad = r.bad || !ok
	}
	return t
}

func (r *reader) scope() (s memory.Scope) {
	if v := r.values["scope"]; v != "" {
		var ok bool
		s, ok = memory.ScopeOf(v)
		r.bad = r.bad || !ok || int(s) >= len(scopeVerbs)
	}
	return s
}

// source reads what addSource writes.
func (r *reader) source() (s memory.Speaker, session, entry, key string) {
	v := r.values
	s = memory.Speaker{Kind: memory.SpeakerKindOf(v["speaker"]), Name: v["name"], Channel: v["channel"], Chat: v["chat"]}
	return s, v["session"], v["entry"], v["key"]
}

// span reads where in a message the words stand.
func (r *reader) span() (start, end int) {
	v, ok := r.values["span"]
	if !ok {
		return 0, 0
	}
	from, to, _ := strings.Cut(v, "..")
	start, err := strconv.Atoi(from)
	r.bad = r.bad || err != nil
	end, err = strconv.Atoi(to)
	r.bad = r.bad || err != nil
	return start, end
}

// forgotten reads what tells forgotten words.
func (r *reader) forgotten() (all []memory.ForgottenText) {
	for {
		v, ok := r.values[forgottenField(len(all))]
		if !ok {
			return all
		}
		runes, rest, _ := strings.Cut(v, " ")
		mark, sum, ok := strings.Cut(rest, " ")
		n, err := strconv.Atoi(runes)
		p, wrong := strconv.ParseUint(mark, 16, 64)
		r.bad = r.bad || !ok || err != nil || wrong != nil
		all = append(all, memory.ForgottenText{Runes: n, Print: p, Sum: sum})
	}
}
