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
	// asked for: enough to tell a prompt of OpenClaw's own from a person's.
	headText = 1024
	// fullText bounds the text of one message: four times the largest message
	// seen, a tenth of what would hurt.
	fullText = 4 << 20
	// maxName bounds names that are kept once each for all events.
	maxName = 200
)

// Decoder decodes records. The zero value decodes without texts. It is not
// safe for concurrent use: it reuses its buffers and keeps each name once.
type Decoder struct {
	// Texts asks for message texts, summaries and tool arguments.
	Texts bool

	names map[string]string
	buf   []byte
	cur   cursor
	ev    *memory.Event
	entry memory.Usage // usage beside the message instead of inside it
	shape string       // what had the wrong shape
}

// Decode reads one record into ev, which it overwrites. The error wraps
// ErrSyntax where line is no single JSON object, ErrShape where it is no entry
// or a part of it is not of its shape. ev keeps nothing of line.
func (d *Decoder) Decode(line []byte, ev *memory.Event) error {
	*ev = memory.Event{}
	ev.Compaction.FirstKeptIndex = -1
	d.cur = cursor{b: line}
	if d.cur.space() != '{' {
		return d.cur.fail("expected an object")
	}
	if err := d.object(ev); err != nil {
		return err
	}
	if d.cur.space() != 0 || d.cur.i < len(line) {
		return d.cur.fail("something behind the record")
	}
	if ev.Type == "" {
		return fmt.Errorf("%w: no type", ErrShape)
	}
	if d.shape != "" {
		return fmt.Errorf("%w: %s", ErrShape, d.shape)
	}
	return nil
}

// object decodes the object at the cursor and leaves the cursor behind it.
func (d *Decoder) object(ev *memory.Event) error {
	d.ev, d.entry, d.shape = ev, memory.Usage{}, ""
	if err := d.cur.fields(0, d.field); err != nil {
		return err
	}
	d.finish()
	return nil
}

// finish does what needs the whole record: which part belongs to its type.
func (d *Decoder) finish() {
	ev := d.ev
	ev.Kind = memory.KindOf(ev.Type)
	switch ev.Kind {
	case memory.KindSession:
		ev.Header.ID, ev.ID = ev.ID, ""
	case memory.KindMessage:
		if ev.Message.RoleName == "" && d.shape == "" {
			d.shape = "message without role"
		}
		if !ev.Message.Usage.Present {
			ev.Message.Usage = d.entry
		}
		if ev.At == 0 {
			ev.At = ev.Message.At
		}
	case memory.KindCustomMessage:
		ev.Message.Role, ev.Message.RoleName = memory.RoleCustom, "custom"
	case memory.KindModelChange:
		ev.Text = ev.Message.Provider + "/" + ev.Message.Model
	}
}

// field reads one field of the entry itself.
func (d *Decoder) field(key []byte) (err error) {
	ev, c := d.ev, &d.cur
	switch string(key) {
	case "type":
		ev.Type, err = d.name()
	case "id":
		ev.ID, err = c.text()
	case "parentId":
		ev.HasParent = true
		ev.Parent, err = c.text()
	case "timestamp":
		ev.At, err = c.when()
	case "message":
		if c.space() != '{' {
			d.shape = "message is no object"
			return c.skip()
		}
		return c.fields(1, d.messageField)
	case "usage":
		d.entry, err = d.usage()
	case "version":
		var n number
		n, err = c.number()
		ev.Header.Version = int(n.whole)
	case "cwd":
		ev.Header.Cwd, err = c.text()
	case "parentSession":
		ev.Header.Parent, err = c.text()
	case "summary", "reason", "name", "label":
		ev.Text, ev.Compaction.Summary, err = d.prose(string(key) == "summary")
	case "firstKeptEntryId":
		ev.Compaction.FirstKept, err = c.text()
	case "firstKeptEntryIndex":
		var n number
		if n, err = c.number(); n.isInt {
			ev.Compaction.FirstKeptIndex = int(n.whole)
		}
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

func (d *Decoder) rareField(key []byte) (err error) {
	ev, c := d.ev, &d.cur
	switch string(key) {
	case "targetId":
		ev.Target, err = c.text()
	case "customType":
		ev.Target, err = d.name()
	case "appendParentId":
		ev.AppendParent, err = c.text()
	case "appendMode":
		var mode string
		mode, err = d.name()
		ev.Side = mode == "side"
	case "provider":
		ev.Message.Provider, err = d.name()
	case "modelId":
		ev.Message.Model, err = d.name()
	case "content":
		err = d.content()
	default:
		err = c.skip()
	}
	return err
}

// prose reads a text that is only kept where texts are asked for, or where it
// is short by nature. A summary belongs to two kinds of entry, so it is given
// twice.
func (d *Decoder) prose(summary bool) (text, again string, err error) {
	if summary && !d.Texts {
		return "", "", d.cur.skip()
	}
	text, err = d.cur.text()
	if summary {
		again = text
	}
	return text, again, err
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

// name reads a string of which there are few different ones and keeps each once.
func (d *Decoder) name() (string, error) {
	c := &d.cur
	if c.space() != '"' {
		return "", c.skip()
	}
	raw, escaped, err := c.quoted()
	if err != nil {
		return "", err
	}
	if escaped {
		raw = unescape(nil, raw)
	}
	if known, ok := d.names[string(raw)]; ok {
		return known, nil
	}
	s := string(raw)
	if len(s) > maxName || len(d.names) > 10_000 {
		return s, nil
	}
	if d.names == nil {
		d.names = make(map[string]string)
	}
	d.names[s] = s
	return s, nil
}
