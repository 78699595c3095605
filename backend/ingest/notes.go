package ingest

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tidemark/backend/memory"
)

// notes reads what stands beside the transcripts, where it may have changed,
// and says whether it did.
func (ap *agentPass) notes(ctx context.Context) (noted bool, err error) {
	if ap.agent.Notes == nil {
		return false, nil
	}
	key := "notes/" + ap.agent.ID
	old, err := ap.Store.Meta(ctx, key)
	if err != nil || old == ap.agent.NotesStamp && len(ap.changed) == 0 {
		return false, err
	}
	return true, ap.readNotes(ctx, key, old)
}

// readNotes keeps the notes under key, whose stamp was old.
func (ap *agentPass) readNotes(ctx context.Context, key, old string) error {
	read, problems := ap.noted(ctx)
	notes := slices.Clone(read)
	if err := ap.nameNotes(ctx, notes); err != nil {
		return err
	}
	for i := range notes {
		for _, s := range []*string{&notes[i].Label, &notes[i].DisplayName, &notes[i].Channel, &notes[i].ChatType} {
			*s = ap.Mask(*s)
		}
	}
	if err := ap.Store.SetNotes(ctx, ap.agent.ID, one(notes)); err != nil {
		return fmt.Errorf("keep notes: %w", err)
	}
	if err := ap.Store.SetProblems(ctx, key, ap.masked(problems)); err != nil {
		return err
	}
	if old == ap.agent.NotesStamp {
		return nil
	}
	return ap.Store.SetMeta(ctx, key, ap.agent.NotesStamp)
}

// nameNotes gives each note the name under which its session is kept: the one
// in its transcript's header, where that is not the one in the row.
func (ap *agentPass) nameNotes(ctx context.Context, notes []memory.SessionMeta) error {
	known, err := ap.Store.Names(ctx, ap.agent.ID)
	if err != nil {
		return err
	}
	name := map[string]string{}
	for _, k := range known {
		if !k.Told {
			name[k.Session] = k.Session
		}
		if k.Name != "" {
			name[k.Session] = k.Name
		}
	}
	now, err := ap.Store.Known(ctx, ap.agent.ID)
	if err != nil {
		return err
	}
	base := map[string]string{}
	for _, src := range ap.agent.Sources {
		if s := now[src.Path].Checkpoint.Session; s != "" && src.Base != "" {
			base[src.Base] = s
		}
	}
	for i := range notes {
		n := &notes[i]
		if s := name[n.SessionID]; s != "" {
			n.SessionID = s
		} else if s := base[n.Base]; s != "" {
			n.SessionID = s
		}
		if s := name[n.Previous]; s != "" {
			n.Previous = s
		}
	}
	return nil
}

// one leaves one note for each session. Two keys can point at one session: a
// scheduled job and its run, a conversation and its heartbeat. A session that
// a person speaks in is no background session, and the longer one of two
// background keys says more; else the later note counts.
func one(all []memory.SessionMeta) (found []memory.SessionMeta) {
	at := map[string]int{}
	for _, m := range all {
		n, seen := at[m.SessionID]
		if !seen {
			at[m.SessionID] = len(found)
			found = append(found, m)
			continue
		}
		old := found[n]
		if m.Background && (!old.Background || len(m.Key) < len(old.Key)) {
			m, old = old, m
		}
		found[n] = filled(m, old)
	}
	return found
}

// filled takes names that a note does not give from another one.
func filled(m, other memory.SessionMeta) memory.SessionMeta {
	m.Label, m.DisplayName = cmp.Or(m.Label, other.Label), cmp.Or(m.DisplayName, other.DisplayName)
	m.SpawnedBy, m.ParentKey = cmp.Or(m.SpawnedBy, other.SpawnedBy), cmp.Or(m.ParentKey, other.ParentKey)
	m.Channel, m.ChatType = cmp.Or(m.Channel, other.Channel), cmp.Or(m.ChatType, other.ChatType)
	return m
}
