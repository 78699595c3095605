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

// elidedIn gives the number of bytes that marks in raw say were left out.
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
			n += v
		}
	}
}

// messageField reads one field of the message object.
func (d *Decoder) messageField(key []byte) (err error) {
	m, c := &d.ev.Message, &d.cur
	switch string(key) {
	case "role":
		m.RoleName, err = d.name()
		m.Role = memory.RoleOf(m.RoleName)
	case "content":
		err = d.content()
	case "provider":
		m.Provider, err = d.name()
	case "model":
		m.Model, err = d.name()
	case "usage":
		m.Usage, err = d.usage()
	case "stopReason":
		m.StopReason, err = d.name()
	case "timestamp":
		m.At, err = c.when()
	case "errorMessage":
		m.Error, err = c.text()
	case "toolCallId":
		m.ToolCallID, err = c.text()
	case "toolName":
		m.ToolName, err = d.name()
	case "isError":
		m.IsError, _, err = c.boolean()
	case "idempotencyKey":
		m.IdempotencyKey, err = c.text()
	case "responseId":
		m.ResponseID, err = c.text()
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
	c := &d.cur
	d.buf = d.buf[:0]
	if d.textLimit() == 0 {
		return c.skip()
	}
	switch c.space() {
	case '"':
		d.buf, err = c.appendText(d.buf, d.textLimit())
	case '[':
		err = c.items(2, d.part)
	default:
		return c.skip()
	}
	if err == nil && len(d.buf) > 0 {
		d.ev.Message.Text = string(d.buf)
	}
	return err
}

// textLimit is how many bytes of text are decoded.
func (d *Decoder) textLimit() int {
	if d.Texts {
		return fullText
	}
	if r := d.ev.Message.Role; r == memory.RoleUser || d.ev.Message.RoleName == "" {
		return headText
	}
	return 0
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
	start := c.i
	var kind, id, name, arguments string
	err := c.fields(3, func(key []byte) (err error) {
		switch string(key) {
		case "type":
			kind, err = d.name()
		case "text":
			err = d.partText()
		case "id":
			id, err = c.text()
		case "name":
			name, err = d.name()
		case "arguments":
			arguments, err = d.rawText()
		default:
			err = c.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	switch {
	case strings.Contains(kind, "image"):
		d.ev.Message.Images++
		d.ev.Message.ImageBytes += int64(c.i-start) + elidedIn(c.b[start:c.i])
	case d.Texts && (kind == "toolCall" || kind == "tool_use" || kind == "tool_call"):
		d.ev.Message.ToolCalls = append(d.ev.Message.ToolCalls, memory.ToolCall{ID: id, Name: name, Arguments: arguments})
	}
	return nil
}

// partText appends the string at the cursor to the text, on a line of its own.
func (d *Decoder) partText() (err error) {
	limit := d.textLimit()
	if len(d.buf) > 0 && len(d.buf) < limit {
		d.buf = append(d.buf, '\n')
	}
	d.buf, err = d.cur.appendText(d.buf, limit)
	return err
}

// rawText gives the JSON at the cursor as it is, where texts are asked for.
func (d *Decoder) rawText() (string, error) {
	c := &d.cur
	start := c.i
	if err := c.skip(); err != nil || !d.Texts {
		return "", err
	}
	return string(c.b[start:c.i]), nil
}
