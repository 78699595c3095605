package transcript

import (
	"bytes"
	"strconv"
	"strings"

	"tidemark/backend/memory"
)

// elidedPrefix and elidedSuffix frame the number of bytes that a reader left
// out of a string that is too long to hold. They are written so that nobody
// types them by chance.
const (
	elidedPrefix = "…[tidemark left out "
	elidedSuffix = " bytes]"
)

// Elided is the mark that a reader puts in the place of n bytes that it left
// out of a JSON string.
func Elided(n int64) string {
	return elidedPrefix + strconv.FormatInt(n, 10) + elidedSuffix
}

// elidedIn gives how many bytes more a string was than it is now, by the marks
// that stand in raw.
func elidedIn(raw []byte) (n int64) {
	for {
		at := bytes.Index(raw, []byte(elidedPrefix))
		if at < 0 {
			return n
		}
		raw = raw[at+len(elidedPrefix):]
		end := bytes.Index(raw, []byte(elidedSuffix))
		if end < 0 {
			return n
		}
		if v, err := strconv.ParseInt(string(raw[:end]), 10, 64); err == nil && v > 0 {
			n += v - int64(len(elidedPrefix)+end+len(elidedSuffix))
		}
	}
}

// messageField reads one field of the message object.
func (d *Decoder) messageField(key []byte) (err error) {
	m, c := &d.ev.Message, &d.cur
	switch string(key) {
	case "role":
		m.RoleName, err = d.word()
		m.Role = memory.RoleOf(m.RoleName)
	case "content":
		if m.RoleName == "" { // what is wanted of it is not known yet
			c.space()
			d.rec.content = c.i
			return c.skip()
		}
		d.rec.content = 0
		return d.content()
	case "provider":
		m.Provider, err = d.word()
	case "model":
		m.Model, err = d.word()
	case "usage":
		m.Usage, err = d.usage()
	case "stopReason":
		m.StopReason, err = d.word()
	case "timestamp":
		m.At, err = c.when()
	case "errorMessage":
		m.Error, err = c.text()
	case "toolCallId":
		m.ToolCallID, err = c.text()
	case "toolName":
		m.ToolName, err = d.word()
	case "isError":
		m.IsError, _, err = c.boolean()
	case "idempotencyKey":
		m.IdempotencyKey, err = c.text()
	case "responseId":
		m.ResponseID, err = c.text()
	case "command":
		d.rec.command, err = d.longText()
	case "output":
		d.rec.output, err = d.longText()
	case "__openclaw":
		if c.space() != '{' {
			return c.skip()
		}
		err = c.fields(2, d.gatewayField)
	default:
		err = c.skip()
	}
	return err
}

// gatewayField reads what the gateway notes beside a message.
func (d *Decoder) gatewayField(key []byte) (err error) {
	m, c := &d.ev.Message, &d.cur
	switch string(key) {
	case "senderIsOwner":
		var yes, ok bool
		if yes, ok, err = c.boolean(); ok {
			m.SenderIsOwner = memory.No
			if yes {
				m.SenderIsOwner = memory.Yes
			}
		}
	case "mirrorIdentity":
		m.MirrorIdentity, err = c.text()
	default:
		err = c.skip()
	}
	return err
}

// content reads the content of a message: a string, or an array of parts.
func (d *Decoder) content() (err error) {
	c, m := &d.cur, &d.ev.Message
	d.buf, d.full = d.buf[:0], false
	m.Text, m.Images, m.ImageBytes, m.ToolCalls = "", 0, 0, nil
	if d.textLimit() == 0 {
		return c.skip()
	}
	switch c.space() {
	case '"':
		d.buf, _, err = c.appendText(d.buf, d.textLimit())
	case '[':
		err = c.items(2, d.part)
	default:
		return c.skip()
	}
	if err == nil && len(d.buf) > 0 {
		m.Text = string(d.buf)
	}
	return err
}

// textLimit is how many bytes of text are decoded.
func (d *Decoder) textLimit() int {
	switch {
	case d.Texts:
		return fullText
	case d.ev.Message.Role == memory.RoleUser:
		return headText
	}
	return 0
}

// part is one element of a content array.
type part struct {
	kind, id, name, arguments string
}

// part reads one element of a content array.
func (d *Decoder) part() error {
	c := &d.cur
	if c.space() == '"' { // a bare string among the parts
		return d.partText()
	}
	if c.space() != '{' {
		return c.skip()
	}
	start, before := c.i, len(d.buf)
	var p part
	if err := c.fields(3, func(key []byte) error { return d.partField(&p, key) }); err != nil {
		return err
	}
	switch {
	case strings.Contains(p.kind, "image"):
		raw := c.b[start:c.i]
		d.ev.Message.Images++
		d.ev.Message.ImageBytes += int64(len(raw)) + elidedIn(raw)
	case isThought(p.kind):
		d.buf = d.buf[:before]
	case d.Texts && isCall(p.kind):
		d.ev.Message.ToolCalls = append(d.ev.Message.ToolCalls, memory.ToolCall{ID: p.id, Name: p.name, Arguments: p.arguments})
	}
	return nil
}

func (d *Decoder) partField(p *part, key []byte) (err error) {
	switch string(key) {
	case "type":
		p.kind, err = d.word()
	case "text":
		err = d.partText()
	case "id":
		p.id, err = d.cur.text()
	case "name":
		p.name, err = d.word()
	case "arguments", "input":
		p.arguments, err = d.rawText()
	default:
		err = d.cur.skip()
	}
	return err
}

// isThought says that a part is what the model thought, which it did not say.
func isThought(kind string) bool {
	return kind == "thinking" || kind == "redacted_thinking" || kind == "reasoning"
}

// isCall says that a part is a call of a tool. The first spelling is
// OpenClaw's own, the others are those of providers that it lets through.
func isCall(kind string) bool {
	switch kind {
	case "toolCall", "toolUse", "functionCall", "tool_use", "tool_call", "function_call":
		return true
	}
	return false
}

// partText appends the string at the cursor to the text, on a line of its own.
// An empty one, and what is no string, adds nothing; so does everything behind
// the one that was cut.
func (d *Decoder) partText() (err error) {
	if d.full {
		return d.cur.skip()
	}
	before := len(d.buf)
	if before > 0 {
		d.buf = append(d.buf, '\n')
	}
	start, whole := len(d.buf), false
	if d.buf, whole, err = d.cur.appendText(d.buf, d.textLimit()); len(d.buf) == start {
		d.buf = d.buf[:before]
	}
	d.full = !whole
	return err
}

// rawText gives the JSON at the cursor as it is, where texts are asked for.
func (d *Decoder) rawText() (string, error) {
	c := &d.cur
	c.space()
	start := c.i
	if err := c.skip(); err != nil || !d.Texts {
		return "", err
	}
	return string(c.b[start:c.i]), nil
}
