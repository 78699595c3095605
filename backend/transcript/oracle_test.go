package transcript_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// The oracle decodes the same entries by encoding/json, slowly and without
// regard to damage.
type oracleEntry struct {
	Type, ID, Timestamp, Cwd, ParentSession string
	ParentID                                json.RawMessage
	Version                                 int
	Summary, FirstKeptEntryID               string
	FirstKeptEntryIndex                     *int
	TokensBefore, TokensAfter               int64
	FromHook                                bool
	CustomType, TargetID, Label, Name       string
	Reason, AppendParentID, AppendMode      string
	Provider, ModelID, ThinkingLevel        string
	Content                                 json.RawMessage
	Message                                 *oracleMessage
}

type oracleMessage struct {
	Role, Provider, Model, StopReason, ErrorMessage  string
	ToolCallID, ToolName, IdempotencyKey, ResponseID string
	IsError                                          bool
	Timestamp                                        int64
	Content                                          json.RawMessage
	Usage                                            *struct {
		Input, Output, CacheRead, CacheWrite int64
		Cost                                 *struct{ Total float64 }
	}
	OpenClaw struct {
		SenderIsOwner  *bool
		MirrorIdentity string
	} `json:"__openclaw"`
}

type oraclePart struct {
	Type, Text, ID, Name string
	Arguments            json.RawMessage
}

func oracle(t *testing.T, line []byte) memory.Event {
	t.Helper()
	var e oracleEntry
	if err := json.Unmarshal(line, &e); err != nil {
		t.Fatalf("the oracle refuses %.200s: %v", line, err)
	}
	ev := memory.Event{Kind: memory.KindOf(e.Type), Type: e.Type, ID: e.ID, HasParent: e.ParentID != nil, Side: e.AppendMode == "side", Compaction: memory.Compaction{FirstKeptIndex: -1}}
	json.Unmarshal(e.ParentID, &ev.Parent)
	if at, err := time.Parse(time.RFC3339, e.Timestamp); err == nil {
		ev.At = memory.Millis(at.UnixMilli())
	}
	switch ev.Kind {
	case memory.KindSession:
		ev.ID, ev.Header = "", memory.Header{ID: e.ID, Version: e.Version, Cwd: e.Cwd, Parent: e.ParentSession}
	case memory.KindCompaction:
		ev.Compaction = memory.Compaction{Summary: e.Summary, FirstKept: e.FirstKeptEntryID, FirstKeptIndex: -1, TokensBefore: e.TokensBefore, TokensAfter: e.TokensAfter, FromHook: e.FromHook}
		if e.FirstKeptEntryIndex != nil {
			ev.Compaction.FirstKeptIndex = *e.FirstKeptEntryIndex
		}
	case memory.KindReset:
		ev.Text, ev.Compaction.FirstKept = e.Reason, e.FirstKeptEntryID
	case memory.KindLeaf:
		ev.Target, ev.AppendParent = e.TargetID, e.AppendParentID
	case memory.KindBranchSummary:
		ev.Text = e.Summary
	case memory.KindLabel:
		ev.Target, ev.Text = e.TargetID, e.Label
	case memory.KindSessionInfo:
		ev.Text = e.Name
	case memory.KindThinkingLevel:
		ev.Text = e.ThinkingLevel
	case memory.KindModelChange:
		ev.Text = e.Provider + "/" + e.ModelID
	case memory.KindCustom, memory.KindCustomMessage:
		ev.Target = e.CustomType
	}
	switch ev.Kind {
	case memory.KindMessage:
		ev.Message = e.Message.message(t)
	case memory.KindCustomMessage:
		ev.Message = memory.Message{Role: memory.RoleCustom, RoleName: "custom"}
		oracleContent(t, e.Content, &ev.Message)
	}
	return ev
}

func (m *oracleMessage) message(t *testing.T) memory.Message {
	out := memory.Message{Role: memory.RoleOf(m.Role), RoleName: m.Role, Provider: m.Provider, Model: m.Model, StopReason: m.StopReason, Error: m.ErrorMessage,
		At: memory.Millis(m.Timestamp), ToolCallID: m.ToolCallID, ToolName: m.ToolName, IsError: m.IsError, IdempotencyKey: m.IdempotencyKey,
		ResponseID: m.ResponseID, MirrorIdentity: m.OpenClaw.MirrorIdentity}
	if o := m.OpenClaw.SenderIsOwner; o != nil {
		out.SenderIsOwner = map[bool]memory.Tri{true: memory.Yes, false: memory.No}[*o]
	}
	if u := m.Usage; u != nil {
		out.Usage = memory.Usage{Present: true, Input: u.Input, Output: u.Output, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite}
		if u.Cost != nil {
			out.Usage.HasCost = true
			out.Usage.Cost, _ = memory.MoneyOf(u.Cost.Total)
		}
	}
	oracleContent(t, m.Content, &out)
	return out
}

func oracleContent(t *testing.T, content json.RawMessage, m *memory.Message) {
	var parts []json.RawMessage
	if json.Unmarshal(content, &m.Text) == nil || json.Unmarshal(content, &parts) != nil {
		return
	}
	var texts []string
	for _, raw := range parts {
		var p oraclePart
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		switch p.Type {
		case "text":
			if p.Text != "" {
				texts = append(texts, p.Text)
			}
		case "image":
			m.Images++
			m.ImageBytes += int64(len(raw))
		case "toolCall":
			m.ToolCalls = append(m.ToolCalls, memory.ToolCall{ID: p.ID, Name: p.Name, Arguments: string(p.Arguments)})
		}
	}
	m.Text = strings.Join(texts, "\n")
}

func compareToOracle(t *testing.T, line []byte) {
	t.Helper()
	if want, got := oracle(t, line), mustDecode(t, string(line), true); !reflect.DeepEqual(got, want) {
		t.Errorf("%.300s\ngot  %+v\nwant %+v", line, got, want)
	}
}

func TestDecodeAgainstOracleRecorded(t *testing.T) {
	for _, line := range recorded(t, "lines.jsonl") {
		compareToOracle(t, line)
	}
	for _, line := range recorded(t, "compressed.jsonl") {
		compareToOracle(t, []byte(compressedRow(t, line).Event))
	}
}

func TestDecodeAgainstOracleShared(t *testing.T) {
	for _, line := range sharedLines(t) {
		compareToOracle(t, line)
	}
}

func TestDecodeAgainstOracleGenerated(t *testing.T) {
	for seed := range uint64(3000) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		compareToOracle(t, []byte(g.write(g.entry())))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// The order of fields means nothing, at any depth (section 3.2: it differs
// between versions).
func TestDecodeDoesNotDependOnOrder(t *testing.T) {
	lines := recorded(t, "lines.jsonl")
	for _, row := range recorded(t, "compressed.jsonl") {
		lines = append(lines, []byte(compressedRow(t, row).Event))
	}
	g := generator{rand.New(rand.NewPCG(7, 7))}
	for _, line := range lines {
		for _, texts := range []bool{false, true} {
			want := mustDecode(t, string(line), texts)
			for range 12 {
				shuffled := g.shuffle(t, line)
				if got := mustDecode(t, shuffled, texts); !reflect.DeepEqual(got, want) {
					t.Fatalf("texts %v: %s\ngot  %+v\nwant %+v", texts, shuffled, got, want)
				}
			}
		}
	}
}

// A line that encoding/json accepts is one that Decode accepts, but for deeper
// nesting; and what Decode accepts beyond that are the leniencies that the
// cursor names.
func TestDecodeAcceptsJSON(t *testing.T) {
	for _, line := range []string{
		` {"type" : "custom" , "id":"a" } `, "\t{\"type\":\"custom\",\"id\":\"a\"}\r\n", `{"type":"custom","id":"a","x":{},"y":[],"z":[[],{}],"n":-0.5e-7,"m":1E+3,"t":true,"f":false,"u":null}`,
		`{"":"","type":"custom","id":"a","\"":"\\\"","\\":"\\\\"}`,
	} {
		if !json.Valid([]byte(line)) {
			t.Fatalf("the test is wrong: %s", line)
		}
		if ev := mustDecode(t, line, true); ev.ID != "a" || ev.Kind != memory.KindCustom {
			t.Errorf("%s: got %+v", line, ev)
		}
	}
	// A key with escapes is not looked at: nobody writes one.
	var d transcript.Decoder
	var ev memory.Event
	if err := d.Decode([]byte(`{"\u0074ype":"custom","id":"a"}`), &ev); err == nil {
		t.Errorf("got %+v", ev)
	}
}
