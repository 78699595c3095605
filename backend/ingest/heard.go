package ingest

import (
	"context"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// Heard is a message that a person wrote, as it is found in a transcript.
type Heard struct {
	Agent   string
	Session string
	Entry   string
	At      memory.Millis
	// Mirror is equal for the rows of a message that is stored twice, "" for
	// others.
	Mirror  string
	Raw     string // as OpenClaw wrote it
	Text    string // masked
	Words   string // the end of Text that the person wrote
	Speaker memory.Speaker
	// Forwarded says that whoever sent it did not write it.
	Forwarded bool
}

// Listener hears what people say before the store learns of it.
type Listener interface {
	// Heard takes a message. first says whether the store has not heard of what
	// tells the message yet, and notes it in the batch that the message is in.
	Heard(ctx context.Context, h Heard, first func(key int64) (bool, error)) error
}

// heard hands on an entry that is a person's message.
func (in *intake) heard(e *memory.Entry, ev *memory.Event) error {
	if in.ap.Listener == nil || e.Kind != memory.KindMessage || e.Role != memory.RoleUser ||
		transcript.Prompt(e.Place.Prompt) != transcript.PromptPerson || transcript.PromptOf(ev.Message.Text) != transcript.PromptPerson {
		return nil
	}
	key, background := in.ap.keyOf(e.Session, in.raw, in.src)
	if background {
		return nil
	}
	said := transcript.SpokenOf(e.Text)
	return in.ap.Listener.Heard(in.ctx, Heard{Agent: in.ap.agent.ID, Session: e.Session, Entry: e.ID, At: e.At, Mirror: e.Mirror, Words: said.Words, Raw: ev.Message.Text, Text: e.Text,
		Speaker: SpeakerOf(key, e.Owner, said), Forwarded: said.Forwarded}, in.batch.First)
}

// keys are what is known of the keys of an agent's sessions.
type keys struct {
	session map[string]memory.SessionMeta // by id
	base    map[string]memory.SessionMeta // by transcript file
}

// readKeys reads the keys of sessions. A database that is being read cannot be
// asked for them.
func (ap *agentPass) readKeys(ctx context.Context) {
	ap.keys = keys{session: map[string]memory.SessionMeta{}, base: map[string]memory.SessionMeta{}}
	notes, _ := ap.noted(ctx)
	for _, m := range one(notes) {
		ap.keys.session[m.SessionID] = m
		if m.Base != "" {
			ap.keys.base[m.Base] = m
		}
	}
}

// keyOf gives the key of a session, "" where it is not known, and whether it
// names something that nobody speaks in.
func (ap *agentPass) keyOf(session, raw string, src memory.Source) (key string, background bool) {
	for _, id := range []string{raw, session} {
		if m, ok := ap.keys.session[id]; ok && m.Key != "" {
			return m.Key, m.Background
		}
	}
	if m, ok := ap.keys.base[src.Base]; ok && src.Base != "" && m.Key != "" {
		return m.Key, m.Background
	}
	known := ap.fold.names.keys[session]
	return known.key, known.background
}

// noted reads what stands beside the transcripts, once in a pass.
func (ap *agentPass) noted(ctx context.Context) ([]memory.SessionMeta, []memory.Problem) {
	if ap.agent.Notes == nil {
		return nil, nil
	}
	if !ap.readAlready {
		ap.readAlready = true
		ap.notesRead, ap.notesProblems = ap.agent.Notes(ctx)
	}
	return ap.notesRead, ap.notesProblems
}
