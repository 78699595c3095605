package index

import (
	"encoding/json"
	"hash/fnv"

	"tidemark/backend/memory"
)

// Flags of an entry row.
const (
	flagSide     = 1 << iota // does not move the visible end
	flagError                // a tool result that failed
	flagPacked               // text is compressed
	flagDouble               // second row of a message that is stored twice: not counted
	flagNotOwner             // the gateway says that it is not the owner who spoke
	flagOwner                // the gateway says that it is the owner who spoke
)

// hashOf is the hash by which an entry is unique in its session.
func hashOf(id string) int64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return int64(h.Sum64())
}

// entry adds an entry that is no header.
func (b *Batch) entry(d *sessionDelta, e *memory.Entry) error {
	hash := hashOf(e.ID)
	flags, err := b.flags(d, e, hash)
	if err != nil {
		return err
	}
	text, packed := pack(e.Text)
	if packed {
		flags |= flagPacked
	}
	var parent any
	if e.HasParent {
		parent = e.Parent
	}
	res, err := b.run(insertEntry, d.id, hash, e.ID, parent, e.Kind, e.Role, flags, e.At, b.source, e.Place.Line, e.Place.Offset, e.TextTokens, text, more(e))
	if err != nil {
		return err
	}
	b.s.group.entries++
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		if err == nil && b.restart { // it is there still, at another place
			err = b.exec("UPDATE entry SET line=?, offset=? WHERE session=? AND hash=? AND source=?", e.Place.Line, e.Place.Offset, d.id, hash, b.source)
		}
		return err
	}
	row, err := res.LastInsertId()
	if err != nil {
		return err
	}
	d.count(e, flags&flagDouble != 0)
	if e.Compaction != nil && e.Kind == memory.KindCompaction {
		if err := b.exec(insertCompaction, row, d.id, e.At, e.Compaction.TokensBefore, e.Compaction.TokensAfter, e.Compaction.FromHook, e.Compaction.Summary); err != nil {
			return err
		}
	}
	if e.Call != nil {
		return b.call(d, e, row)
	}
	return nil
}

// flags gives the flags of an entry, and notes a message that may come twice.
func (b *Batch) flags(d *sessionDelta, e *memory.Entry, hash int64) (flags int, err error) {
	if e.Side {
		flags |= flagSide
	}
	if e.IsError {
		flags |= flagError
	}
	switch e.Owner {
	case memory.Yes:
		flags |= flagOwner
	case memory.No:
		flags |= flagNotOwner
	}
	if e.Mirror == "" || e.Kind != memory.KindMessage {
		return flags, nil
	}
	if err := b.exec(addMirror, d.id, e.Mirror, hash); err != nil {
		return 0, err
	}
	var first int64
	if err := b.row(findMirror, []any{d.id, e.Mirror}, &first); err != nil {
		return 0, err
	}
	if first != hash {
		flags |= flagDouble
	}
	return flags, nil
}

// entryMore is what few entries have, as JSON in one column.
type entryMore struct {
	Type         string `json:"type,omitempty"`
	Target       string `json:"target,omitempty"`
	AppendParent string `json:"appendParent,omitempty"`
	FirstKept    string `json:"firstKept,omitempty"`
	FirstKeptIdx *int   `json:"firstKeptIndex,omitempty"`
	Tool         string `json:"tool,omitempty"`
	ToolCallID   string `json:"toolCallId,omitempty"`
	Stop         string `json:"stop,omitempty"`
	Images       int    `json:"images,omitempty"`
	ImageBytes   int64  `json:"imageBytes,omitempty"`
	Mirror       string `json:"mirror,omitempty"`
}

func more(e *memory.Entry) any {
	m := entryMore{Target: e.Target, AppendParent: e.AppendParent, Tool: e.Tool, ToolCallID: e.ToolCallID, Images: e.Images, ImageBytes: e.ImageBytes, Mirror: e.Mirror}
	if e.Kind == memory.KindUnknown {
		m.Type = e.Type
	}
	if e.StopReason != "stop" && e.StopReason != "toolUse" {
		m.Stop = e.StopReason
	}
	if e.Compaction != nil {
		m.FirstKept = e.Compaction.FirstKept
		if e.Compaction.FirstKeptIndex >= 0 {
			m.FirstKeptIdx = &e.Compaction.FirstKeptIndex
		}
	}
	if m == (entryMore{}) {
		return nil
	}
	body, err := json.Marshal(m)
	if err != nil { // strings and numbers: it cannot fail
		return nil
	}
	return string(body)
}

// supersede drops entries without an id of their own where an entry with one
// says the same: OpenClaw gave ids to a transcript of its first version.
func (b *Batch) supersede() error {
	for _, d := range b.sessions {
		const same = `SELECT o.id FROM entry o WHERE o.session=?1 AND o.eid LIKE '~%' AND o.at>0 AND o.source=?2
			AND EXISTS(SELECT 1 FROM entry n WHERE n.session=?1 AND n.at=o.at AND n.kind=o.kind AND n.role=o.role AND n.eid NOT LIKE '~%')`
		var old int64
		if err := b.row("SELECT COUNT(*) FROM ("+same+")", []any{d.id, b.source}, &old); err != nil {
			return err
		}
		if old == 0 {
			continue
		}
		b.s.group.altered = true
		for _, q := range []string{"DELETE FROM call WHERE entry IN (" + same + ")", "DELETE FROM compaction WHERE entry IN (" + same + ")", "DELETE FROM entry WHERE id IN (" + same + ")"} {
			if err := b.exec(q, d.id, b.source); err != nil {
				return err
			}
		}
		if err := b.resum(d.id); err != nil {
			return err
		}
	}
	return nil
}
