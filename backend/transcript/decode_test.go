package transcript_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

const tenOClock = memory.Millis(1778407200000) // 2026-05-10T10:00:00Z

// entry gives an event with what every entry of these tests has in common.
func entry(kind memory.Kind, set func(*memory.Event)) memory.Event {
	ev := memory.Event{Kind: kind, Type: kind.String(), ID: "a1", Parent: "p1", HasParent: true, At: tenOClock, Compaction: memory.Compaction{FirstKeptIndex: -1}}
	if set != nil {
		set(&ev)
	}
	return ev
}

func TestDecodeEveryTypeOfEntry(t *testing.T) {
	base := `"id":"a1","parentId":"p1","timestamp":"2026-05-10T10:00:00.000Z"`
	tests := []struct {
		name, line string
		want       memory.Event
	}{
		{"header", `{"type":"session","version":4,"id":"s1","timestamp":"2026-05-10T10:00:00.000Z","cwd":"/home/user","parentSession":"/old/s0.jsonl"}`,
			memory.Event{Kind: memory.KindSession, Type: "session", At: tenOClock, Header: memory.Header{ID: "s1", Version: 4, Cwd: "/home/user", Parent: "/old/s0.jsonl"}, Compaction: memory.Compaction{FirstKeptIndex: -1}}},
		{"header of version 1", `{"type":"session","id":"s1"}`,
			memory.Event{Kind: memory.KindSession, Type: "session", Header: memory.Header{ID: "s1"}, Compaction: memory.Compaction{FirstKeptIndex: -1}}},
		{"compaction", `{"type":"compaction",` + base + `,"summary":"## Goal\nrest","firstKeptEntryId":"k1","tokensBefore":27621,"tokensAfter":3656,"fromHook":true,"details":{"readFiles":["a"]}}`,
			entry(memory.KindCompaction, func(ev *memory.Event) {
				ev.Compaction = memory.Compaction{Summary: "## Goal\nrest", FirstKept: "k1", FirstKeptIndex: -1, TokensBefore: 27621, TokensAfter: 3656, FromHook: true}
			})},
		{"compaction of version 1", `{"type":"compaction","timestamp":"2026-05-10T10:00:00.000Z","summary":"s","firstKeptEntryIndex":3,"tokensBefore":null}`,
			memory.Event{Kind: memory.KindCompaction, Type: "compaction", At: tenOClock, Compaction: memory.Compaction{Summary: "s", FirstKeptIndex: 3}}},
		{"compaction with fields of others", `{"type":"compaction",` + base + `,"summary":"s","firstKeptEntryId":"k1","reason":"r","label":"l","name":"n","version":2,"cwd":"/x","targetId":"t","appendParentId":"q"}`,
			entry(memory.KindCompaction, func(ev *memory.Event) {
				ev.Compaction = memory.Compaction{Summary: "s", FirstKept: "k1", FirstKeptIndex: -1}
			})},
		{"reset", `{"type":"reset",` + base + `,"reason":"daily","firstKeptEntryId":"k1","tokensBefore":5}`,
			entry(memory.KindReset, func(ev *memory.Event) {
				ev.Text, ev.Compaction.FirstKept = "daily", "k1"
			})},
		{"leaf", `{"type":"leaf",` + base + `,"targetId":"t1","appendParentId":"q1","appendMode":"side"}`,
			entry(memory.KindLeaf, func(ev *memory.Event) { ev.Target, ev.AppendParent, ev.Side = "t1", "q1", true })},
		{"leaf before everything", `{"type":"leaf",` + base + `,"targetId":null}`, entry(memory.KindLeaf, nil)},
		{"branch summary", `{"type":"branch_summary",` + base + `,"fromId":"f1","summary":"left"}`,
			entry(memory.KindBranchSummary, func(ev *memory.Event) { ev.Text = "left" })},
		{"custom", `{"type":"custom",` + base + `,"customType":"model-snapshot","data":{"provider":"mock","message":{"role":"user"}}}`,
			entry(memory.KindCustom, func(ev *memory.Event) { ev.Target = "model-snapshot" })},
		{"custom message", `{"type":"custom_message",` + base + `,"customType":"note","content":[{"type":"text","text":"hello"}],"display":true}`,
			entry(memory.KindCustomMessage, func(ev *memory.Event) {
				ev.Target, ev.Message = "note", memory.Message{Role: memory.RoleCustom, RoleName: "custom", Text: "hello"}
			})},
		{"model change", `{"type":"model_change",` + base + `,"provider":"anthropic","modelId":"claude-sonnet-4-6"}`,
			entry(memory.KindModelChange, func(ev *memory.Event) { ev.Text = "anthropic/claude-sonnet-4-6" })},
		{"thinking level", `{"type":"thinking_level_change",` + base + `,"thinkingLevel":"off"}`, entry(memory.KindThinkingLevel, func(ev *memory.Event) { ev.Text = "off" })},
		{"label", `{"type":"label",` + base + `,"targetId":"t1","label":"start"}`,
			entry(memory.KindLabel, func(ev *memory.Event) { ev.Target, ev.Text = "t1", "start" })},
		{"label taken away", `{"type":"label",` + base + `,"targetId":"t1"}`, entry(memory.KindLabel, func(ev *memory.Event) { ev.Target = "t1" })},
		{"session name", `{"type":"session_info",` + base + `,"name":"Ledgerline"}`, entry(memory.KindSessionInfo, func(ev *memory.Event) { ev.Text = "Ledgerline" })},
		{"unknown", `{"type":"hologram",` + base + `,"summary":"s","message":{"role":"user","content":"x"},"content":"y","provider":"p"}`,
			entry(memory.KindUnknown, func(ev *memory.Event) { ev.Type = "hologram" })},
		{"a type that is called unknown", `{"type":"unknown",` + base + `}`, entry(memory.KindUnknown, nil)},
		{"root", `{"type":"custom","id":"a1","parentId":null,"timestamp":"2026-05-10T10:00:00.000Z"}`, entry(memory.KindCustom, func(ev *memory.Event) { ev.Parent = "" })},
		{"side entry", `{"type":"custom",` + base + `,"appendMode":"side"}`, entry(memory.KindCustom, func(ev *memory.Event) { ev.Side = true })},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mustDecode(t, tt.line, true); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestDecodeEveryRole(t *testing.T) {
	tests := []struct {
		name, object string
		want         memory.Message
	}{
		{"user with plain content", `{"role":"user","content":"hi","timestamp":1778407200123,"idempotencyKey":"k:user","__openclaw":{"senderIsOwner":true,"mirrorIdentity":"m1","transport":{"x":[1]}}}`,
			memory.Message{Role: memory.RoleUser, RoleName: "user", Text: "hi", At: tenOClock + 123, IdempotencyKey: "k:user", SenderIsOwner: memory.Yes, MirrorIdentity: "m1"}},
		{"a stranger", `{"role":"user","content":"hi","__openclaw":{"senderIsOwner":false}}`,
			memory.Message{Role: memory.RoleUser, RoleName: "user", Text: "hi", SenderIsOwner: memory.No}},
		{"owner not known", `{"role":"user","content":"hi","__openclaw":{"senderIsOwner":"yes"}}`,
			memory.Message{Role: memory.RoleUser, RoleName: "user", Text: "hi"}},
		{"no gateway notes", `{"role":"user","content":"hi","__openclaw":null}`, memory.Message{Role: memory.RoleUser, RoleName: "user", Text: "hi"}},
		{"user with parts", `{"role":"user","content":[{"type":"text","text":"one"},{"type":"image","data":"AAAA","mimeType":"image/png"},{"text":"two","type":"text"},"three",{"type":"text","text":""},{"type":"text","text":null},7,null]}`,
			memory.Message{Role: memory.RoleUser, RoleName: "user", Text: "one\ntwo\nthree", Images: 1, ImageBytes: int64(len(`{"type":"image","data":"AAAA","mimeType":"image/png"}`))}},
		{"assistant", `{"role":"assistant","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"s"},{"type":"reasoning","text":"not said"},{"type":"text","text":"ok"},{"type":"toolCall","id":"c1","name":"exec","arguments":{"command":"ls","n":[1,{"a":"]"}]}},{"type":"tool_use","id":"c2","name":"read","input": {"path":"x"}}],"api":"x","provider":"anthropic","model":"m","stopReason":"toolUse","responseId":"r1","usage":{"input":3,"output":4}}`,
			memory.Message{Role: memory.RoleAssistant, RoleName: "assistant", Text: "ok", Provider: "anthropic", Model: "m", StopReason: "toolUse", ResponseID: "r1",
				Usage:     memory.Usage{Present: true, Input: 3, Output: 4},
				ToolCalls: []memory.ToolCall{{ID: "c1", Name: "exec", Arguments: `{"command":"ls","n":[1,{"a":"]"}]}`}, {ID: "c2", Name: "read", Arguments: `{"path":"x"}`}}}},
		{"failed call", `{"role":"assistant","content":[],"stopReason":"error","errorMessage":"529 overloaded"}`,
			memory.Message{Role: memory.RoleAssistant, RoleName: "assistant", StopReason: "error", Error: "529 overloaded"}},
		{"tool result", `{"role":"toolResult","toolCallId":"c1","toolName":"exec","content":[{"type":"text","text":"out"}],"details":{"a":1},"isError":true}`,
			memory.Message{Role: memory.RoleToolResult, RoleName: "toolResult", ToolCallID: "c1", ToolName: "exec", Text: "out", IsError: true}},
		{"custom", `{"role":"custom","customType":"openclaw.runtime-context","content":"c","display":false}`,
			memory.Message{Role: memory.RoleCustom, RoleName: "custom", Text: "c"}},
		{"shell command", `{"role":"bashExecution","command":"ls","output":"a b","exitCode":0}`,
			memory.Message{Role: memory.RoleBash, RoleName: "bashExecution", Text: "ls\na b"}},
		{"shell command without output", `{"role":"bashExecution","command":"true","output":""}`, memory.Message{Role: memory.RoleBash, RoleName: "bashExecution", Text: "true"}},
		{"a role that is not known", `{"role":"oracle","content":"c"}`, memory.Message{RoleName: "oracle", Text: "c"}},
		{"content of another shape", `{"role":"user","content":{"type":"text","text":"x"}}`, memory.Message{Role: memory.RoleUser, RoleName: "user"}},
		{"no content", `{"role":"user"}`, memory.Message{Role: memory.RoleUser, RoleName: "user"}},
		{"fields of the wrong type", `{"role":"user","content":"hi","provider":7,"model":["m"],"stopReason":{},"idempotencyKey":5,"isError":"true","toolCallId":null,"timestamp":"soon"}`,
			memory.Message{Role: memory.RoleUser, RoleName: "user", Text: "hi"}},
		{"twice the same field: the last one counts", `{"role":"user","content":[{"type":"image","data":"A"}],"content":"two","role":"user"}`,
			memory.Message{Role: memory.RoleUser, RoleName: "user", Text: "two"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mustDecode(t, message(tt.object), true).Message; !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// Without texts only what a person may have written is decoded, and only its
// beginning; everything else is the same.
func TestDecodeWithoutTexts(t *testing.T) {
	for _, line := range recorded(t, "lines.jsonl") {
		full, lean := mustDecode(t, string(line), true), mustDecode(t, string(line), false)
		full.Compaction.Summary = ""
		if full.Kind == memory.KindBranchSummary {
			full.Text = ""
		}
		if full.Message.Role != memory.RoleUser {
			full.Message.Text, full.Message.Images, full.Message.ImageBytes = "", 0, 0
		}
		full.Message.ToolCalls = nil
		if !reflect.DeepEqual(full, lean) {
			t.Errorf("%.160s\ngot  %+v\nwant %+v", line, lean, full)
		}
	}
	long := strings.Repeat("长", transcript.HeadText)
	got := mustDecode(t, message(`{"role":"user","content":[{"type":"text","text":"`+long+`"},{"type":"text","text":"more"}]}`), false).Message.Text
	if !strings.HasPrefix(long, got) || len(got) > transcript.HeadText || len(got) < transcript.HeadText-3 {
		t.Errorf("the beginning has %d bytes", len(got))
	}
}

func TestDecodeBoundsTexts(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", transcript.FullText/16+1000)
	got := mustDecode(t, message(`{"role":"assistant","content":[{"type":"text","text":"`+long+`"},{"type":"text","text":"more"},"and more"]}`), true).Message.Text
	if len(got) != transcript.FullText {
		t.Errorf("the text has %d bytes, want %d", len(got), transcript.FullText)
	}
}

func TestDecodeRefusesWhatIsNoObject(t *testing.T) {
	for _, line := range []string{
		"", " ", "undefined", "null", "true", "42", `"text"`, "[]", `[{"type":"message"}]`, "\x00\x00\x00",
		"{", `{"type"`, `{"type":`, `{"type":"message"`, `{"type":"message",}`, `{"type":"message" "id":"x"}`, `{type:"message"}`, `{'type':'message'}`,
		`{"type":"message"}}`, `{"type":"message"}{"type":"message"}`, `{"type":"message"} x`, "{\"type\":\"message\"}\x00", `{"type":"message","a":[1,2}`, `{"type":"message","a":[1 2]}`,
		`{"type":"message","a":+1}`, `{"type":"message","a":.5}`, `{"type":"message","a":nul}`, `{"type":"message","a":undefined}`, `{"type":"message","a":TRUE}`, `{"type":"message","a":}`,
		`{"type":"message","a":"no end}`, `{"type":"message","a":"no end\"}`, `{"type":"message",,"a":1}`, `{,}`, `{"a":1,"b"}`,
		assistantLine[:len(assistantLine)-1], userLine[:80],
	} {
		var ev memory.Event
		var d transcript.Decoder
		if err := d.Decode([]byte(line), &ev); !errors.Is(err, transcript.ErrSyntax) {
			t.Errorf("%q: got %v, want a syntax error", line, err)
		}
		if d.Position() > len(line) {
			t.Errorf("%q: stopped at %d, behind the end", line, d.Position())
		}
	}
}

func TestDecodeReportsShapes(t *testing.T) {
	for line, what := range map[string]string{
		`{}`:                                       "no type",
		`{"type":7,"id":"a"}`:                      "no type",
		`{"type":null}`:                            "no type",
		`{"level":"info","msg":"x"}`:               "no type",
		`{"type":"message","id":"a"}`:              "message without role",
		message(`null`):                            "message is no object",
		message(`"hello"`):                         "message is no object",
		message(`[{"role":"user"}]`):               "message is no object",
		message(`{}`):                              "message without role",
		message(`{"role":null}`):                   "message without role",
		message(`{"role":["user"]}`):               "message without role",
		`{"type":"leaf","id":"l1","parentId":"a"}`: "leaf without target",
		`{"type":"leaf","id":"l1","parentId":"a","targetId":4}`: "leaf without target",
	} {
		var ev memory.Event
		var d transcript.Decoder
		err := d.Decode([]byte(line), &ev)
		if !errors.Is(err, transcript.ErrShape) || !strings.HasSuffix(err.Error(), what) {
			t.Errorf("%s: got %v, want %q", line, err, what)
		}
	}
}

// An entry whose message cannot be read is still an entry: its id, time and
// place in the tree stand.
func TestDecodeKeepsWhatCanBeRead(t *testing.T) {
	var ev memory.Event
	var d transcript.Decoder
	if err := d.Decode([]byte(message(`"hello"`)), &ev); !errors.Is(err, transcript.ErrShape) {
		t.Fatal(err)
	}
	want := memory.Event{Kind: memory.KindMessage, Type: "message", ID: "a1", HasParent: true, At: tenOClock, Compaction: memory.Compaction{FirstKeptIndex: -1}}
	if !reflect.DeepEqual(ev, want) {
		t.Errorf("got %+v", ev)
	}
	if err := d.Decode([]byte(`{"type":"custom","id":"a2","message":"not mine"}`), &ev); err != nil {
		t.Errorf("a field of that name in another type: %v", err)
	}
	// A leaf that names no target moves nothing, as in OpenClaw.
	if err := d.Decode([]byte(`{"type":"leaf","id":"l1","parentId":"a"}`), &ev); err == nil || ev.Kind != memory.KindUnknown || ev.Type != "leaf" {
		t.Errorf("leaf without target: %v %+v", err, ev)
	}
}

// A parent of the wrong type is no parent: taken for the root it would cut the
// session in two.
func TestDecodeParents(t *testing.T) {
	for parent, want := range map[string]struct {
		parent string
		has    bool
	}{`"p"`: {"p", true}, `null`: {"", true}, `""`: {"", false}, `5`: {"", false}, `{"id":"p"}`: {"", false}, `true`: {"", false}, `["p"]`: {"", false}} {
		ev := mustDecode(t, `{"type":"custom","id":"a","parentId": `+parent+`}`, false)
		if ev.Parent != want.parent || ev.HasParent != want.has {
			t.Errorf("parentId %s: got %q, %v", parent, ev.Parent, ev.HasParent)
		}
	}
	if ev := mustDecode(t, `{"type":"custom","id":"a"}`, false); ev.HasParent {
		t.Error("no parentId: has a parent")
	}
}

func TestDecodeNesting(t *testing.T) {
	nested := func(n int) string {
		return `{"type":"custom","id":"a","data":` + strings.Repeat(`{"x":[`, n/2) + "1" + strings.Repeat(`]}`, n/2) + `}`
	}
	if ev := mustDecode(t, nested(transcript.MaxDepth-2), true); ev.ID != "a" {
		t.Errorf("got %+v", ev)
	}
	var ev memory.Event
	var d transcript.Decoder
	for _, line := range []string{nested(transcript.MaxDepth + 10), nested(1_000_000), strings.Repeat("[", 1_000_000), strings.Repeat(`{"a":`, 1_000_000), `{"a":` + strings.Repeat("[", 1_000_000)} {
		if err := d.Decode([]byte(line), &ev); !errors.Is(err, transcript.ErrSyntax) {
			t.Errorf("%.20s…: got %v", line, err)
		}
	}
}

// Values that writers damage must cost only themselves (case B30).
func TestDecodeIsLenientWithValues(t *testing.T) {
	for _, value := range []string{"NaN", "Infinity", "-Infinity", "1.2.3", "1e", "-", "0x10", "12abc", "007", "1e999", "\"a\tb\x00c\"", `"\q\u12"`, "\"\xff\xfe\""} {
		ev := mustDecode(t, `{"type":"custom","id":"a","data":`+value+`,"x":[`+value+`,{"y":`+value+`}],"timestamp":1778407200000}`, true)
		if ev.ID != "a" || ev.At != tenOClock {
			t.Errorf("%s: got %+v", value, ev)
		}
	}
}

// The decoder keeps nothing of the line.
func TestDecodeKeepsNothingOfTheLine(t *testing.T) {
	for _, texts := range []bool{false, true} {
		for _, line := range recorded(t, "lines.jsonl") {
			want := mustDecode(t, string(line), texts)
			var got memory.Event
			d := transcript.Decoder{Texts: texts}
			scratch := []byte(string(line))
			if err := d.Decode(scratch, &got); err != nil {
				t.Fatal(err)
			}
			for i := range scratch {
				scratch[i] = 'x'
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("changed with the line: %.100s", line)
			}
		}
	}
}

// One decoder for many records gives what a new one gives for each: nothing of
// a record is left over.
func TestDecoderStartsAnew(t *testing.T) {
	lines := recorded(t, "lines.jsonl")
	d := transcript.Decoder{Texts: true}
	var ev memory.Event
	for _, line := range append(lines, lines...) {
		if err := d.Decode(line, &ev); err != nil {
			t.Fatal(err)
		}
		if want := mustDecode(t, string(line), true); !reflect.DeepEqual(ev, want) {
			t.Errorf("%.100s\ngot  %+v\nwant %+v", line, ev, want)
		}
		d.Decode([]byte(`{"type":"message","id":"broken","message":{"role":"assistant","content":[{"type":"image"},`), &ev)
	}
}

// Names that a hostile file makes up must not pile up.
func TestDecoderBoundsNames(t *testing.T) {
	var d transcript.Decoder
	var ev memory.Event
	long := strings.Repeat("n", 1000)
	for i := range 30_000 {
		line := message(`{"role":"assistant","model":"m` + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + strings.Repeat("y", i/1000) + `","provider":"` + long + `"}`)
		if err := d.Decode([]byte(line), &ev); err != nil || ev.Message.Provider != long {
			t.Fatal(err)
		}
	}
}
