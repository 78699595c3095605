package transcript

import (
	"errors"
	"fmt"

	"tidemark/backend/memory"
)

// ErrShape says that the record is a JSON object but not of the shape of an
// entry. Where the event has a Type all the same, it is an entry to keep and
// count, and only the part that is named could not be read.
var ErrShape = errors.New("not of the shape of an entry")

const (
	// headText is how much of a person's text is decoded where texts are not
	// asked for: enough to look behind what OpenClaw and plugins put in front
	// of it, the largest of which is 3,000 characters.
	headText = 8 << 10
	// fullText bounds the text of one message: four times the largest message
	// seen, a tenth of what would hurt.
	fullText = 4 << 20
	// maxName bounds names that are kept once each for all events, and
	// maxNames their number: a transcript with more is damaged or hostile.
	maxName  = 200
	maxNames = 10_000
)

// Decoder decodes records. The zero value decodes without texts: then the
// content of messages is looked at only where a person may have written it. It
// is not safe for concurrent use: it reuses its buffers and keeps each name once.
type Decoder struct {
	// Texts asks for message texts, images, summaries and tool calls.
	Texts bool

	names map[string]string
	buf   []byte // text of the message so far
	full  bool   // its last part was cut
	cur   cursor
	ev    *memory.Event
	rec   record
}

// record is what was read of the current record and waits for its end: which
// of it counts depends on the type, and fields come in any order.
type record struct {
	shape    string // what had the wrong shape
	message  bool   // a message was there
	noObject bool   // but it was no object
	aside    bool   // fields of a header were there
	target   bool   // a leaf's target was there, be it null

	usage                        memory.Usage // beside the message instead of inside it
	summary, reason, name, label string
	targetID, customType         string
	provider, model              string // of a model_change
	level                        string // of a thinking_level_change
	command, output              string // of a shell command that a person ran
	content                      int    // where a content stands that waits for its role, 0 if none
	top                          int    // where the content of a custom_message stands, 0 if none
}

// Decode reads one record into ev, which it overwrites. The error wraps
// ErrSyntax where line is no single JSON object, ErrShape where it is no entry
// or a part of it is not of its shape. ev keeps nothing of line.
func (d *Decoder) Decode(line []byte, ev *memory.Event) error {
	clean(ev)
	d.cur = cursor{b: line}
	if d.cur.space() != '{' {
		return d.cur.fail("expected an object")
	}
	if err := d.object(ev); err != nil {
		return err
	}
	if err := d.cur.ended(); err != nil {
		return err
	}
	if ev.Type == "" {
		return fmt.Errorf("%w: no type", ErrShape)
	}
	if d.rec.shape != "" {
		return fmt.Errorf("%w: %s", ErrShape, d.rec.shape)
	}
	return nil
}

// clean empties an event.
func clean(ev *memory.Event) {
	*ev = memory.Event{}
	ev.Compaction.FirstKeptIndex = -1
}

// object decodes the object at the cursor and leaves the cursor behind it.
func (d *Decoder) object(ev *memory.Event) error {
	d.ev, d.rec = ev, record{}
	if err := d.cur.fields(0, d.field); err != nil {
		return err
	}
	return d.finish()
}

// field reads one field of the entry itself.
func (d *Decoder) field(key []byte) (err error) {
	ev, c := d.ev, &d.cur
	switch string(key) {
	case "type":
		ev.Type, err = d.word()
	case "id":
		ev.ID, err = c.text()
	case "parentId":
		null := c.is("null")
		ev.Parent, err = c.text()
		ev.HasParent = null || ev.Parent != "" // anything else names none
	case "timestamp":
		ev.At, err = c.when()
	case "message":
		d.rec.message = true
		if d.rec.noObject = c.space() != '{'; d.rec.noObject {
			return c.skip()
		}
		ev.Message = memory.Message{}
		return c.fields(1, d.messageField)
	case "usage":
		d.rec.usage, err = d.usage()
	case "summary":
		d.rec.summary, err = d.longText()
	case "firstKeptEntryId":
		ev.Compaction.FirstKept, err = c.text()
	case "firstKeptEntryIndex":
		err = d.index(&ev.Compaction.FirstKeptIndex)
	case "tokensBefore":
		ev.Compaction.TokensBefore, err = d.count()
	case "tokensAfter":
		ev.Compaction.TokensAfter, err = d.count()
	case "fromHook":
		ev.Compaction.FromHook, _, err = c.boolean()
	default:
		return d.rareField(key)
	}
	return err
}

// rareField reads the fields of entries of which there are few.
func (d *Decoder) rareField(key []byte) (err error) {
	ev, c, r := d.ev, &d.cur, &d.rec
	switch string(key) {
	case "version":
		r.aside = true
		var n number
		n, err = c.number()
		ev.Header.Version, _ = n.whole()
	case "cwd":
		r.aside = true
		ev.Header.Cwd, err = c.text()
	case "parentSession":
		r.aside = true
		ev.Header.Parent, err = c.text()
	case "reason":
		r.reason, err = d.word()
	case "name":
		r.name, err = c.text()
	case "label":
		r.label, err = c.text()
	case "thinkingLevel":
		r.level, err = d.word()
	case "targetId":
		null := c.is("null")
		r.targetID, err = c.text()
		r.target = null || r.targetID != ""
	case "customType":
		r.customType, err = d.word()
	case "appendParentId":
		ev.AppendParent, err = c.text()
	case "appendMode":
		var mode string
		mode, err = d.word()
		ev.Side = mode == "side"
	case "provider":
		r.provider, err = d.word()
	case "modelId":
		r.model, err = d.word()
	case "content":
		c.space()
		r.top = c.i
		err = c.skip()
	default:
		err = c.skip()
	}
	return err
}

// longText reads a text that is only kept where texts are asked for.
func (d *Decoder) longText() (string, error) {
	if !d.Texts {
		return "", d.cur.skip()
	}
	return d.cur.text()
}

// index reads an index of an entry into at, which it leaves as it is where
// there is none.
func (d *Decoder) index(at *int) error {
	n, err := d.cur.number()
	if v, ok := n.whole(); ok && v >= 0 {
		*at = v
	}
	return err
}

// count reads a token count of a compaction; anything but a positive number
// is not recorded.
func (d *Decoder) count() (int64, error) {
	n, err := d.cur.number()
	if err != nil || n.bad || n.null || !(n.v > 0 && n.v < maxTokens) {
		return 0, err
	}
	return int64(n.v), nil
}

// word reads a string of which there are few different ones and keeps each once.
func (d *Decoder) word() (string, error) {
	c := &d.cur
	if c.space() != '"' {
		return "", c.skip()
	}
	raw, escaped, err := c.quoted()
	if err != nil {
		return "", err
	}
	if known, ok := d.names[string(raw)]; ok && !escaped {
		return known, nil
	}
	s := string(decoded(nil, raw, escaped))
	if escaped || len(s) > maxName || len(d.names) >= maxNames {
		return s, nil
	}
	if d.names == nil {
		d.names = make(map[string]string)
	}
	d.names[s] = s
	return s, nil
}
