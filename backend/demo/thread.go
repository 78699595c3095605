package demo

import (
	"math/rand/v2"
	"time"

	"tidemark/backend/memory"
)

const (
	// bootTokens is what an agent's instructions and tools take in the context
	// before anybody said a word.
	bootTokens = 13_800
	// reserve is what OpenClaw keeps free in the context: it compacts above
	// the window less this.
	reserve = 20_000
	// A Talker lets people think for seconds rather than minutes, and answers
	// come in a third of the time.
	quickThought, quickAnswer = 60, 3
	// thought is the time from which on a wait is that of a person.
	thought = 10 * time.Second
	// keepsCache is how long a provider's cache of a context lasts.
	keepsCache = time.Hour
)

// thread is one session that grows. What it says is counted in the truth when
// it is said.
type thread struct {
	truth *Truth
	rng   *rand.Rand
	who   *persona
	where place
	id    string
	era   byte
	lang  string // of what was said last

	records []record
	last    string    // id of the visible end
	at      time.Time // of the last entry
	started time.Time
	model   *model
	tokens  int64 // in the context
	sent    int64 // in the last request
	sentAt  time.Time

	background bool     // nobody asked for what follows
	people     []string // recent entries of people: where a compaction may begin
	topics     []string // since the last compaction
	stated     []int    // statements of the truth that the context holds
	compacted  int

	// The script of the last day: where the context shall climb to (0:
	// anywhere), what each call adds to get there, that only the script
	// compacts, and which statements its summaries leave out.
	toward, extra  int64
	held, scripted bool
	doomed         []int

	// quick makes answers come as fast as a Talker shows them.
	quick bool
}

// open begins a session with what OpenClaw writes first.
func open(truth *Truth, rng *rand.Rand, who *persona, where place, era byte, m *model, at time.Time) *thread {
	t := &thread{truth: truth, rng: rng, who: who, where: where, id: uuid(rng), era: era, model: m, at: at, started: at, tokens: bootTokens, lang: "en"}
	version := 3
	if era == eraDatabase {
		version = 4
	}
	t.records = append(t.records, record{id: t.id, kind: "session", at: at, body: encode(headerShape{"session", version, t.id, stamp(at), home + "/" + workspaceOf(who.id)})})
	truth.count(who.id, at, Sum{Sessions: 1})
	t.add(entryShape{Type: "model_change", Provider: m.provider, ModelID: m.id})
	t.add(entryShape{Type: "thinking_level_change", ThinkingLevel: "off"})
	t.snapshot()
	return t
}

func (t *thread) snapshot() {
	t.add(entryShape{Type: "custom", CustomType: "model-snapshot", Data: map[string]any{"timestamp": t.at.UnixMilli(), "provider": t.model.provider, "modelApi": t.model.api, "modelId": t.model.id}})
}

func workspaceOf(agent string) string {
	if agent == cast[0].id {
		return "workspace"
	}
	return "workspace-" + agent
}

// newID gives the id of an entry, in the era's form.
func (t *thread) newID() string {
	if t.era == eraDatabase {
		return uuid(t.rng)
	}
	return hexID(t.rng, 8)
}

// pass lets time go by.
func (t *thread) pass(least, most time.Duration) {
	switch {
	case t.quick && most > thought:
		least, most = least/quickThought, most/quickThought
	case t.quick:
		least, most = least/quickAnswer, most/quickAnswer
	}
	t.at = t.at.Add(least + time.Duration(t.rng.Int64N(int64(most-least)))).Truncate(time.Millisecond)
}

// lastAt is when the last entry was written: time may have gone by since, in
// which nobody spoke.
func (t *thread) lastAt() time.Time {
	if n := len(t.records); n > 0 {
		return t.records[n-1].at
	}
	return t.at
}

// add appends an entry below the visible end and gives its id.
func (t *thread) add(e entryShape) string { return t.addBelow(t.last, e) }

func (t *thread) addBelow(parent string, e entryShape) string {
	e.ID, e.Timestamp = t.newID(), stamp(t.at)
	if parent != "" {
		e.ParentID = &parent
	}
	r := record{id: e.ID, parent: parent, kind: e.Type, at: t.at}
	if m, ok := e.Message.(userShape); ok {
		r.key, r.user = m.Key, true
	}
	r.body = encode(e)
	t.records = append(t.records, r)
	t.last = e.ID
	return e.ID
}

// say adds a message of role user. images are placeholders.
func (t *thread) say(text string, images int, openclaw map[string]any) string {
	m := userShape{Role: "user", Content: text, Timestamp: t.at.UnixMilli()}
	if t.era == eraFiles || images > 0 {
		parts := []part{{Type: "text", Text: text}}
		for range images {
			parts = append(parts, part{Type: "image", Data: pixel, MimeType: "image/png"})
		}
		m.Content = parts
	}
	if t.era != eraFiles {
		m.Key = uuid(t.rng) + ":user"
	}
	if t.era == eraDatabase {
		m.OpenClaw = openclaw
	}
	t.tokens += estimate(text) + int64(images)*1_400
	t.truth.count(t.who.id, t.at, Sum{Messages: 1, UserMessages: 1})
	id := t.add(entryShape{Type: "message", Message: m})
	if t.people = append(t.people, id); len(t.people) > 12 {
		t.people = t.people[1:]
	}
	return id
}

// answer calls the model and adds what it says.
func (t *thread) answer(content []part, stop string) string {
	t.pass(2*time.Second, 9*time.Second)
	var out int64
	for _, p := range content {
		out += estimate(p.Text) + int64(len(p.Arguments))/3
	}
	out += 20 + t.rng.Int64N(90)
	// Thinking and what the gateway adds to a request stays in the context.
	t.tokens += 350 + t.rng.Int64N(900) + t.extra
	u := t.usage(out)
	t.tokens += out
	m := answerShape{Role: "assistant", Content: content, API: t.model.api, Provider: t.model.provider, Model: t.model.id, Usage: u, StopReason: stop, Timestamp: t.at.UnixMilli()}
	if t.era != eraFiles {
		m.ResponseID = "msg_" + hexID(t.rng, 20)
	}
	t.countCall(u)
	return t.add(entryShape{Type: "message", Message: m})
}

// steer spreads what is missing to the level over some calls: long files and
// thinking fill a context with few words.
func (t *thread) steer(calls int64) {
	if t.toward > 0 {
		t.extra = max(0, (t.toward-t.tokens)/max(calls, 1)-callGrows)
	}
}

// usage gives what a request with the whole context uses. A provider that
// caches reads what it was sent within the hour at a tenth of the price.
func (t *thread) usage(out int64) usageShape {
	u := usageShape{Output: out}
	warm := t.sent > 0 && t.at.Sub(t.sentAt) < keepsCache && t.sent <= t.tokens
	switch {
	case !t.model.caches:
		u.Input = t.tokens
	case warm && t.model.rates.CacheWrite > 0:
		u.Input = 3 + t.rng.Int64N(8)
		u.CacheRead = t.sent
		u.CacheWrite = max(t.tokens-t.sent-u.Input, 0)
	case warm:
		u.CacheRead = t.sent / 64 * 64
		u.Input = t.tokens - u.CacheRead
	case t.model.rates.CacheWrite > 0:
		u.Input = 3 + t.rng.Int64N(8)
		u.CacheWrite = t.tokens - u.Input
	default:
		u.Input = t.tokens
	}
	t.sent, t.sentAt = u.Input+u.CacheRead+u.CacheWrite, t.at
	u.TotalTokens = t.sent + out
	u.Cost = t.model.cost(u)
	return u
}

func (t *thread) countCall(u usageShape) {
	s := Sum{Messages: 1, Calls: 1, Input: u.Input, Output: u.Output, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite}
	s.Cost, _ = memory.MoneyOf(u.Cost.Total)
	if s.Cost == 0 && !t.model.local {
		s.Unpriced = 1
	}
	if t.background {
		s.Background = s.Cost
	}
	t.truth.count(t.who.id, t.at, s)
}

// fail adds a call that a provider refused: nothing was used.
func (t *thread) fail(why string) {
	t.pass(time.Second, 4*time.Second)
	t.truth.count(t.who.id, t.at, Sum{Messages: 1, Calls: 1})
	t.add(entryShape{Type: "message", Message: answerShape{Role: "assistant", Content: []part{}, API: t.model.api, Provider: t.model.provider, Model: t.model.id,
		StopReason: "error", Error: why, Timestamp: t.at.UnixMilli()}})
}

// gateway adds a reply that the gateway wrote itself.
func (t *thread) gateway(s string) {
	t.pass(200*time.Millisecond, time.Second)
	t.truth.count(t.who.id, t.at, Sum{Messages: 1})
	t.add(entryShape{Type: "message", Message: answerShape{Role: "assistant", Content: text(s), API: "openai-responses", Provider: "openclaw", Model: "gateway-injected", StopReason: "stop", Timestamp: t.at.UnixMilli()}})
}

// use lets the model call a tool and adds what the tool gave.
func (t *thread) use(tool, args, output string, failed bool) {
	call := "toolu_" + hexID(t.rng, 12)
	t.answer([]part{{Type: "toolCall", ID: call, Name: tool, Arguments: []byte(args)}}, "toolUse")
	t.pass(300*time.Millisecond, 6*time.Second)
	details := map[string]any{"status": "completed"}
	if failed {
		details = map[string]any{"status": "error"}
	}
	t.tokens += estimate(output)
	t.truth.count(t.who.id, t.at, Sum{Messages: 1})
	t.add(entryShape{Type: "message", Message: resultShape{Role: "toolResult", ToolCallID: call, ToolName: tool, Content: text(output), Details: details, IsError: failed, Timestamp: t.at.UnixMilli()}})
}

// reset marks where the history of a session of the newest era begins anew.
func (t *thread) reset(reason string) {
	t.add(entryShape{Type: "reset", Reason: reason})
	t.truth.Resets++
	t.tokens, t.sent, t.people, t.topics, t.stated = bootTokens, 0, nil, nil, nil
}

// estimate gives tokens for a text: one for a Chinese character, one for four
// others.
func estimate(s string) int64 {
	wide := 0
	for _, r := range s {
		if r >= 0x2e80 {
			wide++
		}
	}
	return int64(wide) + int64(len(s)-3*wide)/4
}

// pixel is a picture of one dot, which stands for every photo.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
