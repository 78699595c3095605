package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"log/slog"
	"slices"
	"sync"
	"time"

	"tidemark/backend/ingest"
	"tidemark/backend/kept"
	"tidemark/backend/ledger"
	"tidemark/backend/memory"
)

// statements is what people stated to the agents of an installation. The ledger
// is the truth; the book is what its lines together say. Safe for concurrent
// use.
type statements struct {
	ledger *ledger.Ledger
	secret func() ([]byte, error)
	zone   func() *time.Location
	now    func() time.Time

	mu       sync.RWMutex
	book     *kept.Book // nil before it was read
	redactor *kept.Redactor
	stamps   map[string]string // of the files of each agent as they are in the book
	bad      map[string]int    // lines that cannot be read, by agent
	waiting  []waitingLine     // what the ledger does not have yet
	where    *time.Location    // the zone in this pass
	heard    map[int64]bool    // messages of this process, which the store may have lost again
	failed   error             // why the ledger cannot be written
}

// waitingLine is something that is to be written to the ledger.
type waitingLine struct {
	Agent string           `json:"agent"`
	File  string           `json:"file"` // day or month
	Kept  *memory.KeptLine `json:"kept,omitempty"`
	Said  *memory.Said     `json:"said,omitempty"`
	put   bool             // the outbox has it
}

var _ ingest.Listener = (*statements)(nil)

// newStatements gives what people stated to an installation's agents, not read
// yet.
func (i *installation) newStatements() *statements {
	return &statements{ledger: i.ledger, secret: i.engine.dir.Secret, now: i.engine.opts.Now, heard: map[int64]bool{}, zone: func() *time.Location {
		zone, err := i.zone("")
		if err != nil { // the status says so
			return i.engine.opts.Local
		}
		return zone
	}}
}

// known says that the ledger was read, or something waits for it.
func (k *statements) known() bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.book != nil || len(k.waiting) > 0
}

// open reads the ledger where that was not done yet, or where a person changed
// its files since.
func (k *statements) open() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.refresh()
}

// refresh is open for who holds the lock.
func (k *statements) refresh() error {
	agents, err := k.ledger.Agents()
	if err != nil {
		return err
	}
	stamps := map[string]string{}
	for _, agent := range agents {
		if stamps[agent], err = k.ledger.KeptStamp(agent); err != nil {
			return err
		}
	}
	if k.book != nil && sameStamps(stamps, k.stamps) {
		return nil
	}
	if k.book == nil {
		for _, agent := range agents { // what a rewriting that was stopped left
			if err := k.ledger.Tidy(agent); err != nil {
				return err
			}
		}
	}
	return k.read(stamps)
}

func sameStamps(a, b map[string]string) bool {
	for agent, stamp := range a {
		if b[agent] != stamp {
			return false
		}
	}
	for agent, stamp := range b {
		if a[agent] != stamp {
			return false
		}
	}
	return true
}

// read makes the book anew from the ledger.
func (k *statements) read(stamps map[string]string) error {
	var lines []memory.KeptLine
	bad := map[string]int{}
	for agent := range stamps {
		found, err := k.ledger.Kept(agent)
		if err != nil {
			return err
		}
		lines = append(lines, found.Lines...)
		if found.Bad > 0 {
			bad[agent] = found.Bad
		}
	}
	for _, w := range k.waiting {
		if w.Kept != nil {
			lines = append(lines, *w.Kept)
		}
	}
	book := kept.NewBook()
	book.Load(lines)
	k.book, k.stamps, k.bad = book, stamps, bad
	return k.forgetting()
}

// forgetting makes the redactor anew.
func (k *statements) forgetting() error {
	k.redactor = nil
	texts := k.book.Forgotten()
	if len(texts) == 0 {
		return nil
	}
	secret, err := k.secret()
	if err != nil {
		return err
	}
	k.redactor = kept.NewRedactor(secret, texts)
	return nil
}

// redact takes what was forgotten out of a text. What a person says again
// afterwards is theirs to say.
func (k *statements) redact(text string, role memory.Role, at memory.Millis) (string, bool) {
	k.mu.RLock()
	r := k.redactor
	k.mu.RUnlock()
	if r == nil {
		return text, false
	}
	if role != memory.RoleUser {
		at = 0
	}
	return r.RedactAt(text, at)
}

// redactText is redact for who does not ask whether anything changed.
func (k *statements) redactText(text string, role memory.Role, at memory.Millis) string {
	text, _ = k.redact(text, role, at)
	return text
}

// Heard keeps a message of a person: what was said, and the statements in it.
func (k *statements) Heard(_ context.Context, h ingest.Heard, first func(int64) (bool, error)) error {
	key := kept.Key(h.Agent, cmp.Or(h.Mirror, h.Entry), h.At, h.Text)
	tells := number(key)
	if isNew, err := first(tells); err != nil || !isNew {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.heard[tells] {
		return nil
	}
	k.heard[tells] = true
	at := h.At.Time()
	if h.At == 0 {
		at = k.now()
	}
	at = at.In(k.where)
	said := memory.Said{Key: key, Session: h.Session, Entry: h.Entry, At: h.At, Speaker: h.Speaker, Text: h.Words}
	k.waiting = append(k.waiting, waitingLine{Agent: h.Agent, File: at.Format("2006-01"), Said: &said})
	if h.Forwarded {
		return nil
	}
	for _, line := range k.book.Judge(linesOf(key, h, at)) {
		line.Agent = h.Agent
		k.book.Add(line)
		k.waiting = append(k.waiting, waitingLine{Agent: h.Agent, File: at.Format(time.DateOnly), Kept: &line})
	}
	return nil
}

// linesOf gives the statements of a message as lines of the ledger.
func linesOf(key string, h ingest.Heard, at time.Time) []memory.KeptLine {
	var lines []memory.KeptLine
	seen := map[string]bool{}
	for _, it := range FindStatements(h.Raw, h.Text, at) {
		words := kept.Normal(it.Text)
		if seen[words] { // nobody had to say it again
			continue
		}
		seen[words] = true
		lines = append(lines, memory.KeptLine{ID: kept.ID(key, it.Start, it.End), At: h.At, Tag: it.Tag, Text: it.Text, Until: it.Until, Scope: kept.DefaultScope(it.Tag, h.Speaker.Kind),
			Speaker: h.Speaker, Agent: h.Agent, Session: h.Session, Entry: h.Entry, Key: key, Start: it.Start, End: it.End, Rule: it.Rule})
	}
	return lines
}

// number gives what the store knows a message by.
func number(key string) int64 {
	h := fnv.New64a()
	h.Write([]byte(key))
	return int64(h.Sum64())
}

// write writes what waits to the ledger. What cannot be written is put aside
// with put, to be kept with the entries that it came from, and written later.
func (k *statements) write(put func(string) error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.send()
	for n := range k.waiting {
		w := &k.waiting[n]
		if w.put {
			continue
		}
		line, err := json.Marshal(w)
		if err != nil {
			return err
		}
		if err := put(string(line)); err != nil {
			return err
		}
		w.put = true
	}
	return nil
}

// send writes what waits to the ledger, file by file, statements first: a
// message that is noted as said has its statements written.
func (k *statements) send() {
	k.failed = nil
	for _, isKept := range []bool{true, false} {
		for len(k.waiting) > 0 {
			at := slices.IndexFunc(k.waiting, func(w waitingLine) bool { return (w.Kept != nil) == isKept })
			if at < 0 {
				break
			}
			if err := k.sendFile(k.waiting[at].Agent, k.waiting[at].File, isKept); err != nil {
				k.failed = err
				return
			}
		}
	}
}

// sendFile writes what waits for one file.
func (k *statements) sendFile(agent, file string, isKept bool) error {
	var lines []memory.KeptLine
	var said []memory.Said
	var rest []waitingLine
	for _, w := range k.waiting {
		switch {
		case w.Agent != agent || w.File != file || (w.Kept != nil) != isKept:
			rest = append(rest, w)
		case isKept:
			lines = append(lines, *w.Kept)
		default:
			said = append(said, *w.Said)
		}
	}
	err := k.append(agent, file, lines, said)
	if err == nil {
		k.waiting = rest
	}
	return err
}

// append writes lines to one file, and notes that it was Tidemark that did.
func (k *statements) append(agent, file string, lines []memory.KeptLine, said []memory.Said) error {
	if len(said) > 0 {
		return k.ledger.AppendSaid(agent, file, said)
	}
	if err := k.ledger.AppendKept(agent, file, lines); err != nil {
		return err
	}
	stamp, err := k.ledger.KeptStamp(agent)
	if err == nil && k.stamps != nil {
		k.stamps[agent] = stamp
	}
	return err
}

// trouble says why the ledger cannot be written and how much waits for it.
func (k *statements) trouble() (waiting int, failed error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.failed == nil {
		return 0, nil
	}
	for _, w := range k.waiting {
		if w.Kept != nil && w.Kept.Kind == memory.KeptStatement {
			waiting++
		}
	}
	return waiting, k.failed
}

// prepareStatements makes ready what hears people, before a pass: what the
// person changed in the ledger, what an earlier pass could not write to it, and
// in a store that was made anew, which messages the ledger has. Where nothing is
// to be read, and nobody asked before, nothing is.
func (i *installation) prepareStatements(ctx context.Context, s store, news bool) error {
	k := i.said
	if err := i.takeOutbox(ctx, s); err != nil {
		return err
	}
	if !news && !k.known() {
		return nil
	}
	if err := k.open(); err != nil {
		return err
	}
	where := k.zone() // it is read from a file
	k.mu.Lock()
	k.where = where
	k.mu.Unlock()
	if err := i.redactAgain(ctx, s); err != nil {
		return err
	}
	if err := i.noteSaid(ctx, s); err != nil {
		return err
	}
	s.Store.Before = func(_ context.Context, put func(string) error) error { return k.write(put) }
	return nil
}

// takeOutbox takes what an earlier process could not write, and tries again.
func (i *installation) takeOutbox(ctx context.Context, s store) error {
	lines, err := s.Outbox(ctx)
	if err != nil {
		return err
	}
	k := i.said
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.waiting) == 0 {
		for _, l := range lines {
			var w waitingLine
			if err := json.Unmarshal([]byte(l.Line), &w); err != nil || w.Kept == nil && w.Said == nil {
				slog.Error("a line of the outbox cannot be read", "err", err)
				continue
			}
			w.put = true
			k.waiting = append(k.waiting, w)
			if w.Kept != nil && k.book != nil {
				k.book.Add(*w.Kept)
			}
		}
	}
	if len(k.waiting) == 0 && len(lines) == 0 {
		return nil
	}
	k.send()
	if k.failed != nil || len(lines) == 0 {
		return nil
	}
	return s.EmptyOutbox(ctx, lines[len(lines)-1].ID)
}

// saidStamp begins the key of meta that says what the said files of an agent
// were when the store last knew all their messages.
const saidStamp = "said/"

// noteSaid tells a store which messages the ledger has, where it may not know.
func (i *installation) noteSaid(ctx context.Context, s store) error {
	agents, err := i.ledger.Agents()
	if err != nil {
		return err
	}
	for _, agent := range agents {
		stamp, err := i.ledger.SaidStamp(agent)
		if err != nil {
			return err
		}
		old, err := s.Meta(ctx, saidStamp+agent)
		if err != nil {
			return err
		}
		if old == stamp {
			continue
		}
		var keys []int64
		if _, err := i.ledger.Said(agent, func(m memory.Said) bool { keys = append(keys, number(m.Key)); return true }); err != nil {
			return err
		}
		if err := s.SetSaid(ctx, keys); err != nil {
			return err
		}
		if err := s.SetMeta(ctx, saidStamp+agent, stamp); err != nil {
			return err
		}
	}
	return nil
}

// keptSaid notes, after a pass, that the store knows all messages of the
// ledger: it needs not be read for that at the next start.
func (i *installation) keptSaid(ctx context.Context, s store, res ingest.Result) error {
	for agent, touched := range res.Touched {
		if len(touched) == 0 {
			continue
		}
		stamp, err := i.ledger.SaidStamp(agent)
		if err != nil {
			return err
		}
		old, err := s.Meta(ctx, saidStamp+agent)
		if err != nil {
			return err
		}
		if old == stamp {
			continue
		}
		if err := s.SetMeta(ctx, saidStamp+agent, stamp); err != nil {
			return err
		}
	}
	return nil
}

// ledgerProblems are problems of the ledger's statements.
func (i *installation) ledgerProblems() (problems []memory.Problem) {
	k := i.said
	k.mu.RLock()
	for agent, n := range k.bad {
		problems = append(problems, memory.Problem{Code: memory.ProblemBadLine, Path: i.ledger.Path(agent), Count: n,
			Message: "lines of the ledger cannot be read", Hint: "They may have been edited. The rest of the ledger was used."})
	}
	k.mu.RUnlock()
	if waiting, err := k.trouble(); err != nil {
		problems = append(problems, memory.Problem{Code: memory.ProblemLedger, Path: i.ledger.Path(""), Count: max(waiting, 1),
			Message: "the ledger cannot be written: " + reasonOf(err), Hint: "New statements are held and written when that is possible. Free some space, or make the folder writable."})
	}
	return problems
}

// reasonOf gives the innermost cause of an error: what a person can act on.
func reasonOf(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err.Error()
		}
		err = next
	}
}
