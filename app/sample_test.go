package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sampleState writes a small state directory that has a bit of everything.
func sampleState(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".openclaw")
	write := func(name string, lines ...string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("openclaw.json", `{
		// comments are allowed
		agents: {defaults: {userTimezone: "Asia/Shanghai"}, list: [{id: "main", default: true}, {id: "sales"}]},
		models: {providers: {own: {baseUrl: "https://models.example/v1", models: [{id: "priced", cost: {input: 2, output: 10}, contextWindow: 64000}]}}},
	}`)
	write("agents/main/sessions/sessions.json", `{"agent:main:main":{"sessionId":"s-one","updatedAt":1777622460000,"contextTokens":200000,"sessionFile":"s-one.jsonl"},`+
		`"agent:main:cron:digest":{"sessionId":"s-cron","updatedAt":1777680000000}}`)
	write("agents/main/sessions/s-one.jsonl",
		header("s-one", "2026-05-01T08:00:00.000Z"),
		user("u1", "", "2026-05-01T08:00:01.000Z", "最近在带娃，凌晨基本不看手机，别半夜推东西给我"),
		call("a1", "u1", "2026-05-01T08:00:05.000Z", "anthropic", "claude-sonnet-4-6", 1200, 80, 40_000, 0, "0.0123"),
		user("u2", "a1", "2026-05-01T17:30:00.000Z", "my wifi password is hunter2!, and **never** use TypeScript"),
		call("a2", "u2", "2026-05-01T17:30:09.000Z", "anthropic", "claude-sonnet-4-6", 900, 60, 42_000, 500, "0.0150"),
		`{"type":"compaction","id":"c1","parentId":"a2","timestamp":"2026-05-01T17:31:00.000Z","summary":"## Goal\nKeep the ledger small.","firstKeptEntryId":"u2","tokensBefore":178000,"fromHook":true}`,
		user("u3", "c1", "2026-05-01T17:32:00.000Z", "go on"),
		call("a3", "u3", "2026-05-01T17:32:04.000Z", "own", "priced", 1000, 100, 0, 0, "0"),
		call("a4", "a3", "2026-05-01T17:33:04.000Z", "own", "unlisted", 700, 10, 0, 0, "0"),
		"undefined",
	)
	write("agents/main/sessions/s-cron.jsonl",
		header("s-cron", "2026-05-02T00:00:00.000Z"),
		user("k1", "", "2026-05-02T00:00:00.000Z", "[cron:digest] write the digest"),
		call("k2", "k1", "2026-05-02T00:00:07.000Z", "anthropic", "claude-sonnet-4-6", 300, 40, 0, 0, "0.004"),
	)
	write("agents/main/sessions/s-old.jsonl.reset.2026-04-30T09-00-00.000Z",
		header("s-old", "2026-04-30T08:00:00.000Z"),
		user("o1", "", "2026-04-30T08:00:01.000Z", "hello"),
		call("o2", "o1", "2026-04-30T08:00:03.000Z", "ollama", "qwen3:8b", 500, 20, 0, 0, "0"),
	)
	write("agents/sales/sessions/s-sales.jsonl",
		header("s-sales", "2026-05-02T09:00:00.000Z"),
		user("x1", "", "2026-05-02T09:00:00.000Z", "draft a quote"),
		call("x2", "x1", "2026-05-02T09:00:05.000Z", "anthropic", "claude-sonnet-4-6", 800, 200, 0, 0, "-1.5"),
	)
	return dir
}

func header(id, at string) string {
	return fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":%q,"cwd":"/w"}`, id, at)
}

func user(id, parent, at, text string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"user","content":[{"type":"text","text":%q}]}}`, id, parentOf(parent), at, text)
}

func parentOf(id string) string {
	if id == "" {
		return "null"
	}
	return fmt.Sprintf("%q", id)
}

func call(id, parent, at, provider, model string, in, out, read, write int, usd string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"assistant","provider":%q,"model":%q,"content":[{"type":"text","text":"ok"}],`+
		`"usage":{"input":%d,"output":%d,"cacheRead":%d,"cacheWrite":%d,"totalTokens":%d,"cost":{"total":%s}},"stopReason":"stop"}}`, id, parentOf(parent), at, provider, model, in, out, read, write, in+out+read+write, usd)
}
