package index

import (
	"fmt"

	"tidemark/backend/memory"
)

// Commit makes what was added durable together with the checkpoint that covers
// it and the problems that were met on the way.
func (b *Batch) Commit(cp memory.Checkpoint, problems []memory.Problem) error {
	if err := b.begin(); err != nil {
		return err
	}
	for _, d := range b.sessions {
		if err := b.sum(d); err != nil {
			return fmt.Errorf("sum session: %w", err)
		}
	}
	if err := b.checkpoint(cp); err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	for _, p := range problems {
		if _, err := b.exec(insertProblem, b.s.id, b.src.Path, p.Code, p.Path, p.Line, p.Count, p.Message, p.Hint); err != nil {
			return fmt.Errorf("write problem: %w", err)
		}
	}
	err := b.tx.Commit()
	b.tx = nil
	if err != nil {
		b.models = map[[2]string]int64{}
		return fmt.Errorf("write index: %w", err)
	}
	return nil
}

// sum adds a batch's part to the sums of a session.
func (b *Batch) sum(d *sessionDelta) error {
	if !d.touched {
		return nil
	}
	_, err := b.exec(sumSession, d.entries, d.messages, d.userMessages, d.compactions,
		d.calls, d.unreported, d.unpriced, d.input, d.output, d.cacheRead, d.cacheWrite, d.cost,
		d.started, d.started, d.started, d.updated,
		d.contextSet, d.contextAt, d.context, d.contextSet, d.contextAt,
		d.model, d.updated, d.provider, d.model, d.updated, d.model, d.title, d.id)
	return err
}

func (b *Batch) checkpoint(cp memory.Checkpoint) error {
	st := cp.Stamp
	if _, err := b.exec(setCheckpoint, st.Size, st.MTime, int64(st.Inode), st.Wal, st.WalAt, cp.Offset, cp.Line, int64(cp.Sum), cp.Session, cp.Prompt, b.source); err != nil {
		return err
	}
	for session, m := range cp.Marks {
		if _, err := b.exec(setMark, b.source, session, m.Seq, m.Count, m.Generation, m.Prompt); err != nil {
			return err
		}
	}
	return nil
}

// packFrom is the length from which compressing a text is worth a frame's
// overhead.
const packFrom = 400

// pack gives the form in which a text is stored, and whether it is compressed.
func pack(text string) (stored any, packed bool) {
	if text == "" {
		return nil, false
	}
	if len(text) < packFrom {
		return text, false
	}
	enc, err := encoder()
	if err != nil { // only wrong options fail
		return text, false
	}
	return enc.EncodeAll([]byte(text), nil), true
}

// unpackText is the inverse of pack.
func unpackText(stored []byte, packed bool) (string, error) {
	if !packed {
		return string(stored), nil
	}
	dec, err := decoder()
	if err != nil {
		return "", err
	}
	text, err := dec.DecodeAll(stored, nil)
	if err != nil {
		return "", fmt.Errorf("unpack text: %w", err)
	}
	return string(text), nil
}
