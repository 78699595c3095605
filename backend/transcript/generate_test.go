package transcript_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// pair and object keep the order of fields, which JSON objects have none of.
type pair struct {
	key   string
	value any
}
type object []pair

// generator makes up entries and writes them down in one of the many ways in
// which the same JSON can be written.
type generator struct{ *rand.Rand }

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g generator) of(options ...string) string { return options[g.IntN(len(options))] }

func (g generator) text() string {
	var b strings.Builder
	for range g.IntN(12) {
		b.WriteString(g.of("a", "word ", "\n", "\t", `"`, `\`, "/", "<b>&", "记住", "しりとり", "한국", "é", "😀", "\u2028", "\x7f", "\x01", `{"type":"message"}`, "}{", "…[tidemark", "0", "\\u12", "\U0010ffff"))
	}
	return b.String()
}

func (g generator) name() string {
	return g.of("mock", "anthropic", "claude-sonnet-4-6", "qwen3:8b", "")
}

func (g generator) stamp() string {
	return time.UnixMilli(1_500_000_000_000 + g.Int64N(1_000_000_000_000)).UTC().Format("2006-01-02T15:04:05.000Z")
}

func (g generator) entry() object {
	kind := g.of("message", "message", "message", "message", "compaction", "reset", "leaf", "branch_summary", "custom", "custom_message", "model_change", "thinking_level_change", "label", "session_info", "session", "later_kind")
	o := object{{"type", kind}, {"id", g.of("1f872888", "c950caa2-eb23-4632-8803-0409e18edc91")}, {"timestamp", g.stamp()}}
	switch g.IntN(4) {
	case 0:
		o = append(o, pair{"parentId", nil})
	case 1, 2:
		o = append(o, pair{"parentId", "5ab4a468"})
	}
	add := func(key string, value any) { o = append(o, pair{key, value}) }
	switch kind {
	case "session":
		add("version", 1+g.IntN(4))
		add("cwd", "/home/"+g.text())
		add("parentSession", g.text())
	case "message":
		add("message", g.message())
	case "compaction":
		add("summary", g.text())
		add("firstKeptEntryId", "x1")
		add("firstKeptEntryIndex", g.IntN(50))
		add("tokensBefore", g.IntN(200_000))
		add("tokensAfter", g.IntN(20_000))
		add("fromHook", g.chance(50))
	case "reset":
		add("reason", g.of("new", "daily"))
		add("firstKeptEntryId", "x1")
	case "leaf":
		add("targetId", "t"+g.name())
		add("appendParentId", "q")
	case "custom", "custom_message":
		add("customType", g.name())
		add("data", object{{"message", object{{"role", "user"}}}, {"list", []any{1, "two", nil}}})
		add("content", g.content())
	case "label", "session_info", "branch_summary", "model_change":
		add("targetId", "t1")
		add("label", g.text())
		add("name", g.text())
		add("summary", g.text())
		add("provider", g.name())
		add("modelId", g.name())
	}
	if g.chance(30) {
		add("appendMode", "side")
	}
	add("later", []any{g.text(), object{{"type", "x"}, {"id", "y"}}})
	return o
}

func (g generator) message() object {
	o := object{{"role", g.of("user", "assistant", "toolResult", "custom", "later")}, {"content", g.content()}, {"timestamp", 1_500_000_000_000 + g.Int64N(1_000_000_000_000)},
		{"provider", g.name()}, {"model", g.name()}, {"stopReason", g.of("stop", "toolUse", "error")}, {"errorMessage", g.text()}, {"toolCallId", g.text()},
		{"toolName", g.name()}, {"isError", g.chance(50)}, {"idempotencyKey", g.text()}, {"responseId", g.text()}, {"details", object{{"usage", object{{"input", 1}}}}},
		{"__openclaw", object{{"senderIsOwner", g.chance(50)}, {"mirrorIdentity", g.text()}, {"runId", "r"}}}}
	if g.chance(60) {
		n := func() int64 { return g.Int64N(1 << 20) }
		o = append(o, pair{"usage", object{{"input", n()}, {"output", n()}, {"cacheRead", n()}, {"cacheWrite", n()}, {"totalTokens", n()},
			{"cost", object{{"input", g.Float64()}, {"total", float64(g.IntN(1_000_000)) / 1e6}}}}})
	}
	return o
}

func (g generator) content() any {
	if g.chance(30) {
		return g.text()
	}
	parts := []any{}
	for range g.IntN(5) {
		switch g.IntN(4) {
		case 0:
			parts = append(parts, object{{"type", "image"}, {"data", strings.Repeat("QUJD", g.IntN(30))}, {"mimeType", "image/png"}})
		case 1:
			parts = append(parts, object{{"type", "toolCall"}, {"id", g.text()}, {"name", g.name()}, {"arguments", object{{"a", g.text()}, {"b", []any{1.5, nil}}}}})
		case 2:
			parts = append(parts, object{{"type", "thinking"}, {"thinking", g.text()}})
		default:
			parts = append(parts, object{{"type", "text"}, {"text", g.text()}, {"textSignature", "s"}})
		}
	}
	return parts
}

// write writes a value down: fields in any order, with and without white
// space, strings with the escapes that JSON allows.
func (g generator) write(v any) string {
	space := func() string { return g.of("", "", "", " ", "\t", "  ") }
	switch v := v.(type) {
	case object:
		var parts []string
		for _, i := range g.Perm(len(v)) {
			parts = append(parts, space()+`"`+v[i].key+`"`+space()+":"+space()+g.write(v[i].value)+space())
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, space()+g.write(e)+space())
		}
		return "[" + strings.Join(parts, ",") + "]"
	case string:
		return g.quote(v)
	default:
		out, _ := json.Marshal(v)
		return string(out)
	}
}

func (g generator) quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || g.chance(10):
			for _, unit := range utf16Of(r) {
				fmt.Fprintf(&b, g.of(`\u%04x`, `\u%04X`), unit)
			}
		case r == '/' && g.chance(30):
			b.WriteString(`\/`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func utf16Of(r rune) []rune {
	if r < 0x10000 {
		return []rune{r}
	}
	r -= 0x10000
	return []rune{0xd800 + r>>10, 0xdc00 + r&0x3ff}
}

// shuffle writes the same object with its fields in another order. Arguments
// of tool calls stay, since they are handed on as they stand.
func (g generator) shuffle(t *testing.T, raw []byte) string {
	var fields map[string]json.RawMessage
	var items []json.RawMessage
	switch raw = bytes.TrimSpace(raw); raw[0] {
	case '{':
		if err := json.Unmarshal(raw, &fields); err != nil {
			t.Fatal(err)
		}
		var parts []string
		for key, value := range fields { // in random order
			if key != "arguments" {
				value = json.RawMessage(g.shuffle(t, value))
			}
			quoted, _ := json.Marshal(key)
			parts = append(parts, string(quoted)+":"+string(value))
		}
		g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		return "{" + strings.Join(parts, ",") + "}"
	case '[':
		if err := json.Unmarshal(raw, &items); err != nil {
			t.Fatal(err)
		}
		var parts []string
		for _, item := range items {
			parts = append(parts, g.shuffle(t, item))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return string(raw)
}
