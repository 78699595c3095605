package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
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

// Flags of a call row.
const (
	callBackground = 1 << iota
	callFailed
	callInvalid  // its cost is unknown for good
	callReported // the provider reported usage
	callRecorded // a cost was recorded, be it zero
)

// Batch writes what a source yields. It is used by one goroutine and ends with
// Close, which throws away what was not committed.
type Batch struct {
	s         *Store
	ctx       context.Context
	src       memory.Source
	agentName string
	fresh     bool
	agent     int64 // 0 before the first transaction
	source    int64

	tx       *sql.Tx
	stmts    map[string]*sql.Stmt
	sessions map[string]*sessionDelta
	models   map[[2]string]int64
}

// sessionDelta is what a batch adds to a session.
type sessionDelta struct {
	id      int64
	kinds   map[memory.SourceKind]bool
	touched bool

	entries, messages, userMessages, compactions int64
	calls, unreported, unpriced                  int64
	input, output, cacheRead, cacheWrite         int64
	cost                                         memory.Money
	started, updated                             memory.Millis
	context                                      sql.NullInt64
	contextAt                                    memory.Millis
	contextSet                                   bool
	provider, model                              string
	title                                        string
}

// Begin opens a batch for a source of an agent. Where fresh is set the source
// is read from its beginning, and the problems that it had are forgotten.
// Nothing is written before the first entry or commit.
func (s *Store) Begin(ctx context.Context, agent string, src memory.Source, fresh bool) (*Batch, error) {
	if err := s.x.prepareBatch(ctx); err != nil {
		return nil, fmt.Errorf("begin source: %w", err)
	}
	return &Batch{s: s, ctx: ctx, src: src, agentName: agent, fresh: fresh, models: map[[2]string]int64{}}, nil
}

// Close throws away what was not committed.
func (b *Batch) Close() {
	if b.tx != nil {
		b.tx.Rollback()
		b.tx = nil
	}
}

func (b *Batch) begin() (err error) {
	if b.tx != nil {
		return nil
	}
	if b.tx, err = b.s.x.write.BeginTx(b.ctx, nil); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	b.stmts, b.sessions = map[string]*sql.Stmt{}, map[string]*sessionDelta{}
	if b.agent != 0 {
		return nil
	}
	if err := b.identify(); err != nil {
		b.agent = 0
		return fmt.Errorf("begin source: %w", err)
	}
	return nil
}

// identify finds or adds the rows of the agent and the source.
func (b *Batch) identify() error {
	if err := b.row(&b.agent, addAgent, b.s.id, b.agentName); err != nil {
		return err
	}
	if err := b.row(&b.source, addSource, b.agent, b.src.Path, b.src.Kind); err != nil {
		return err
	}
	if !b.fresh {
		return nil
	}
	_, err := b.exec(forgetProblems, b.s.id, b.src.Path)
	return err
}

// exec runs one of the prepared statements.
func (b *Batch) exec(query string, args ...any) (sql.Result, error) {
	st, err := b.stmt(query)
	if err != nil {
		return nil, err
	}
	return st.ExecContext(b.ctx, args...)
}

// row runs one of the prepared statements and reads the one value it gives.
func (b *Batch) row(into *int64, query string, args ...any) error {
	st, err := b.stmt(query)
	if err != nil {
		return err
	}
	return st.QueryRowContext(b.ctx, args...).Scan(into)
}

func (b *Batch) stmt(query string) (*sql.Stmt, error) {
	if st, ok := b.stmts[query]; ok {
		return st, nil
	}
	var st *sql.Stmt
	var err error
	if ready, ok := b.s.x.prepared[query]; ok {
		st = b.tx.StmtContext(b.ctx, ready)
	} else if st, err = b.tx.PrepareContext(b.ctx, query); err != nil {
		return nil, err
	}
	b.stmts[query] = st
	return st, nil
}

// Add adds an entry. One that is there already changes nothing.
func (b *Batch) Add(e *memory.Entry) error {
	if err := b.begin(); err != nil {
		return err
	}
	d, err := b.session(e.Session)
	if err != nil {
		return fmt.Errorf("add session: %w", err)
	}
	if !d.kinds[e.Place.Kind] {
		d.kinds[e.Place.Kind] = true
		if _, err := b.exec(addSessionSource, d.id, b.source, e.Place.Kind); err != nil {
			return fmt.Errorf("add session source: %w", err)
		}
	}
	if e.Kind == memory.KindSession {
		return b.header(d, e)
	}
	if err := b.entry(d, e); err != nil {
		return fmt.Errorf("add entry: %w", err)
	}
	return nil
}

// session gives the row of a session, creating it.
func (b *Batch) session(sid string) (*sessionDelta, error) {
	if d, ok := b.sessions[sid]; ok {
		return d, nil
	}
	d := &sessionDelta{kinds: map[memory.SourceKind]bool{}}
	if err := b.row(&d.id, addSession, b.agent, sid); err != nil {
		return nil, err
	}
	b.sessions[sid] = d
	return d, nil
}

func (b *Batch) header(d *sessionDelta, e *memory.Entry) error {
	_, err := b.exec(setHeader, e.At, e.Header.Parent, e.ID, e.Header.Version, e.Header.Cwd, e.Place.Kind == memory.SourceDatabase, d.id)
	d.time(e.At)
	d.touched = true
	if err != nil {
		return fmt.Errorf("add header: %w", err)
	}
	return nil
}

func (d *sessionDelta) time(at memory.Millis) {
	if at == 0 {
		return
	}
	if d.started == 0 || at < d.started {
		d.started = at
	}
	d.updated = max(d.updated, at)
}

// hashOf is the hash by which an entry is unique in its session.
func hashOf(id string) int64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return int64(h.Sum64())
}

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
	res, err := b.exec(insertEntry, d.id, hash, e.ID, parent, e.Kind, e.Role, flags, e.At, b.source, e.Place.Line, e.Place.Offset, e.TextTokens, text, more(e))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	row, err := res.LastInsertId()
	if err != nil {
		return err
	}
	d.count(e, flags&flagDouble != 0)
	if e.Compaction != nil && e.Kind == memory.KindCompaction {
		if _, err := b.exec(insertCompaction, row, d.id, e.At, e.Compaction.TokensBefore, e.Compaction.TokensAfter, e.Compaction.FromHook, e.Compaction.Summary); err != nil {
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
	if e.Mirror == "" {
		return flags, nil
	}
	if _, err := b.exec(addMirror, d.id, e.Mirror, hash); err != nil {
		return 0, err
	}
	var first int64
	if err := b.row(&first, findMirror, d.id, e.Mirror); err != nil {
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
	Model        string `json:"model,omitempty"`
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

// count adds an entry that was new.
func (d *sessionDelta) count(e *memory.Entry, double bool) {
	d.touched = true
	d.entries++
	d.time(e.At)
	switch e.Kind {
	case memory.KindMessage:
		if double {
			return
		}
		d.messages++
		if e.Role == memory.RoleUser {
			d.userMessages++
		}
		if d.title == "" {
			d.title = e.Title
		}
	case memory.KindCompaction:
		d.compactions++
		d.setContext(e.At, e.Compaction.TokensAfter)
	case memory.KindReset:
		d.setContext(e.At, 0)
	}
}

// setContext notes the size of the context after an entry, 0 where it is not
// known.
func (d *sessionDelta) setContext(at memory.Millis, tokens int64) {
	if at < d.contextAt {
		return
	}
	d.contextSet, d.contextAt = true, at
	d.context = sql.NullInt64{Int64: tokens, Valid: tokens > 0}
}

func (b *Batch) call(d *sessionDelta, e *memory.Entry, row int64) error {
	c := e.Call
	model, err := b.model(c.Provider, c.Model)
	if err != nil {
		return err
	}
	u := c.Usage
	res, err := b.exec(insertCall, row, d.id, int64(c.Once), e.At, model, callFlags(c), u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWrite1h, c.Cost, c.Price)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	d.calls++
	d.input, d.output, d.cacheRead, d.cacheWrite = d.input+u.Input, d.output+u.Output, d.cacheRead+u.CacheRead, d.cacheWrite+u.CacheWrite
	d.cost += c.Cost
	if c.Price == memory.PriceUnknown {
		d.unpriced++
	}
	if !c.Reported {
		d.unreported++
	}
	if p := u.Prompt(); p > 0 {
		d.setContext(e.At, p)
	}
	d.provider, d.model = c.Provider, c.Model
	return nil
}

func callFlags(c *memory.Call) (flags int) {
	for bit, set := range map[int]bool{callBackground: c.Background, callFailed: c.Failed, callInvalid: c.Usage.Invalid, callReported: c.Reported, callRecorded: c.Usage.HasCost} {
		if set {
			flags |= bit
		}
	}
	return flags
}

func (b *Batch) model(provider, name string) (int64, error) {
	key := [2]string{provider, name}
	if id, ok := b.models[key]; ok {
		return id, nil
	}
	var id int64
	if err := b.row(&id, addModel, provider, name); err != nil {
		return 0, err
	}
	b.models[key] = id
	return id, nil
}
