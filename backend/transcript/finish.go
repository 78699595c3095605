package transcript

import "tidemark/backend/memory"

// finish does what needs the whole record: it puts what was read where its
// type wants it, and takes away what does not belong to that type.
func (d *Decoder) finish() error {
	ev, r := d.ev, &d.rec
	ev.Kind = memory.KindOf(ev.Type)
	err := d.finishMessage()
	if ev.Kind == memory.KindSession {
		ev.Header.ID, ev.ID = ev.ID, ""
	} else if r.aside {
		ev.Header = memory.Header{}
	}
	switch ev.Kind {
	case memory.KindCompaction:
		ev.Compaction.Summary = r.summary
	case memory.KindReset:
		ev.Text = r.reason
		ev.Compaction = memory.Compaction{FirstKept: ev.Compaction.FirstKept, FirstKeptIndex: -1}
	default:
		ev.Compaction = memory.Compaction{FirstKeptIndex: -1}
	}
	switch ev.Kind {
	case memory.KindLeaf:
		ev.Target = r.targetID
		if !r.target { // it moves nothing: OpenClaw passes over it
			ev.Kind = memory.KindUnknown
			r.shape = "leaf without target"
		}
	case memory.KindBranchSummary:
		ev.Text = r.summary
	case memory.KindLabel:
		ev.Target, ev.Text = r.targetID, r.label
	case memory.KindSessionInfo:
		ev.Text = r.name
	case memory.KindThinkingLevel:
		ev.Text = r.level
	case memory.KindModelChange:
		ev.Text = r.provider + "/" + r.model
	case memory.KindCustom, memory.KindCustomMessage:
		ev.Target = r.customType
	}
	if ev.Kind != memory.KindLeaf {
		ev.AppendParent = ""
	}
	return err
}

// finishMessage completes the message of the two kinds of entry that have one,
// and drops it from others.
func (d *Decoder) finishMessage() error {
	ev, r := d.ev, &d.rec
	m := &ev.Message
	switch ev.Kind {
	case memory.KindMessage:
		switch {
		case r.noObject:
			r.shape = "message is no object"
		case m.RoleName == "":
			r.shape = "message without role"
		}
		if !m.Usage.Present {
			m.Usage = r.usage
		}
		if ev.At == 0 {
			ev.At = m.At
		}
		if m.Role == memory.RoleBash && r.content == 0 && m.Text == "" {
			m.Text = joinLines(r.command, r.output)
		}
		return d.contentAt(r.content)
	case memory.KindCustomMessage:
		*m = memory.Message{Role: memory.RoleCustom, RoleName: memory.RoleCustom.String()}
		return d.contentAt(r.top)
	}
	if r.message {
		*m = memory.Message{}
	}
	return nil
}

// contentAt decodes the content that stands at a byte of the record, 0 for
// none, and leaves the cursor where it is.
func (d *Decoder) contentAt(at int) error {
	if at == 0 || d.textLimit() == 0 {
		return nil
	}
	behind := d.cur.i
	d.cur.i = at
	err := d.content()
	if err == nil {
		d.cur.i = behind
	}
	return err
}

func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}
