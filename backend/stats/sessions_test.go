package stats_test

import (
	"slices"
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/stats"
)

// windows answers as a configuration and a table would.
type windows struct{ configured, asked, listed int64 }

func (w windows) Configured(agent, provider, model string) (window, asked int64) {
	if agent != "main" || provider != "ollama" || model != "qwen3" {
		return 0, 0
	}
	return w.configured, w.asked
}

func (w windows) Listed(provider, model string) int64 {
	if model != "qwen3" {
		return 0
	}
	return w.listed
}

// Cases G90 to G92: the session's own value first, what Ollama is asked for
// where that is less, and which it was.
func TestWindowOf(t *testing.T) {
	tests := []struct {
		name    string
		session *int64
		windows windows
		want    stats.Window
	}{
		{"nothing is known", nil, windows{}, stats.Window{}},
		{"zero is nothing", number(0), windows{}, stats.Window{}},
		{"less than nothing too", number(-1), windows{listed: 200_000}, stats.Window{Tokens: 200_000, Why: "table"}},
		{"the table", nil, windows{listed: 200_000}, stats.Window{Tokens: 200_000, Why: "table"}},
		{"the configuration before the table", nil, windows{configured: 100_000, listed: 200_000}, stats.Window{Tokens: 100_000, Why: "config"}},
		{"even where it is more", nil, windows{configured: 300_000, listed: 200_000}, stats.Window{Tokens: 300_000, Why: "config"}},
		{"the session before both (G91)", number(1_048_576), windows{configured: 100_000, listed: 200_000}, stats.Window{Tokens: 1_048_576, Why: "session"}},
		{"what Ollama is asked for (G90)", number(262_144), windows{configured: 262_144, asked: 8192}, stats.Window{Tokens: 8192, Why: "num_ctx"}},
		{"where nothing else is known", nil, windows{asked: 8192}, stats.Window{Tokens: 8192, Why: "num_ctx"}},
		{"not where it is more", number(4096), windows{asked: 8192}, stats.Window{Tokens: 4096, Why: "session"}},
		{"nor where it is the same", number(8192), windows{asked: 8192}, stats.Window{Tokens: 8192, Why: "session"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := memory.SessionSummary{Agent: "main", Provider: "ollama", Model: "qwen3", Notes: memory.SessionMeta{ContextTokens: tt.session, Provider: "other", Model: "other"}}
			got, ok := stats.WindowOf(&s, tt.windows)
			if got != tt.want || ok != (tt.want.Tokens > 0) {
				t.Errorf("got %+v, %v", got, ok)
			}
		})
	}
	// A session without a call has the model of its row.
	s := memory.SessionSummary{Agent: "main", Notes: memory.SessionMeta{Provider: "ollama", Model: "qwen3"}}
	if got, ok := stats.WindowOf(&s, windows{configured: 5}); !ok || got.Tokens != 5 {
		t.Errorf("got %+v, %v", got, ok)
	}
}

func TestArchivedAndGone(t *testing.T) {
	source := func(kind memory.SourceKind, gone memory.Millis) memory.SourceOf {
		return memory.SourceOf{Path: "p", Kind: kind, Gone: gone}
	}
	tests := []struct {
		name           string
		sources        []memory.SourceOf
		archived, gone bool
	}{
		{"live", []memory.SourceOf{source(memory.SourceLive, 0)}, false, false},
		{"in a database", []memory.SourceOf{source(memory.SourceDatabase, 0)}, false, false},
		{"live and an archive", []memory.SourceOf{source(memory.SourceReset, 0), source(memory.SourceLive, 0)}, false, false},
		{"an archive", []memory.SourceOf{source(memory.SourceReset, 0)}, true, false},
		{"a deleted one", []memory.SourceOf{source(memory.SourceDeleted, 0)}, true, false},
		{"imported", []memory.SourceOf{source(memory.SourceImported, 0)}, true, false},
		{"in cold storage", []memory.SourceOf{source(memory.SourceCold, 0)}, true, false},
		{"imported and in a database", []memory.SourceOf{source(memory.SourceImported, 0), source(memory.SourceDatabase, 0)}, false, false},
		{"live, and gone", []memory.SourceOf{source(memory.SourceLive, 5)}, true, true},
		{"live and gone, an archive is left", []memory.SourceOf{source(memory.SourceLive, 5), source(memory.SourceDeleted, 0)}, true, false},
		{"an archive that is gone", []memory.SourceOf{source(memory.SourceReset, 5)}, true, true},
		{"only what the ledger knows", []memory.SourceOf{source(memory.SourceLedger, 0)}, true, true},
		{"nothing", nil, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := memory.SessionSummary{Sources: tt.sources}
			if got := stats.Archived(&s); got != tt.archived {
				t.Errorf("archived: %v", got)
			}
			if got := stats.Gone(&s); got != tt.gone {
				t.Errorf("gone: %v", got)
			}
		})
	}
}

func TestFamily(t *testing.T) {
	all := []memory.SessionSummary{
		{Agent: "main", Session: "root", Key: "agent:main:main", Sources: []memory.SourceOf{live("/home/u/.openclaw/agents/main/sessions/root.jsonl")}},
		{Agent: "main", Session: "odd", Sources: []memory.SourceOf{{Path: `C:\Users\u\.openclaw\agents\main\sessions\boot-2026-06-12.jsonl`, Kind: memory.SourceLive}}},
		{Agent: "main", Session: "old", Key: "agent:main:main", Sources: []memory.SourceOf{{Path: "/s/renamed.jsonl.reset.2026-05-11T04-58-33.868Z", Kind: memory.SourceReset}}},
		{Agent: "main", Session: "now", Key: "agent:main:main", Current: true, Sources: []memory.SourceOf{{Path: "/s/agent/openclaw-agent.sqlite", Kind: memory.SourceDatabase}}},
		{Agent: "pony", Session: "root", Key: "agent:pony:main", Current: true},
		{Agent: "main", Session: "threaded", Sources: []memory.SourceOf{live("/s/threaded-topic-5.jsonl")}},
	}
	family := stats.FamilyOf(all)
	tests := []struct {
		name string
		s    memory.SessionSummary
		want string
	}{
		{"no parent", memory.SessionSummary{}, ""},
		{"the header names a file", memory.SessionSummary{Parent: "/elsewhere/root.jsonl"}, "root"},
		{"a file of another system", memory.SessionSummary{Parent: `C:\Users\Administrator\.qclaw\agents\main\sessions\root.jsonl`}, "root"},
		{"a share", memory.SessionSummary{Parent: `\\server\share\root.jsonl`}, "root"},
		{"a file whose session has another id (A7)", memory.SessionSummary{Parent: "/x/boot-2026-06-12.jsonl"}, "odd"},
		{"a file that was archived since", memory.SessionSummary{Parent: "/x/renamed.jsonl"}, "old"},
		{"an archive", memory.SessionSummary{Parent: "/x/root.jsonl.deleted.2026-05-11T04-58-33.868Z"}, "root"},
		{"a packed archive", memory.SessionSummary{Parent: "/x/root.jsonl.zst"}, "root"},
		{"a file that is not known", memory.SessionSummary{Parent: "/x/765c65de.jsonl"}, "765c65de"},
		{"a file of a thread", memory.SessionSummary{Parent: "/x/threaded-topic-5.jsonl"}, "threaded"},
		{"a file of a thread that is not known", memory.SessionSummary{Parent: "/x/abc-topic-9.jsonl"}, "abc"},
		{"an id", memory.SessionSummary{Parent: "root"}, "root"},
		{"what stands in the place of a path", memory.SessionSummary{Parent: "sqlite:main:root:/home/u/.openclaw/agents/main/sessions/sessions.json"}, "root"},
		{"half of it", memory.SessionSummary{Parent: "sqlite:main"}, ""},
		{"a path of something else", memory.SessionSummary{Parent: "/x/sessions.json"}, ""},
		{"a path of a database", memory.SessionSummary{Parent: "/s/agent/openclaw-agent.sqlite"}, ""},
		{"itself", memory.SessionSummary{Session: "root", Parent: "/x/root.jsonl"}, ""},
		{"spawned by a key (E66)", memory.SessionSummary{Agent: "pony", Notes: memory.SessionMeta{SpawnedBy: "agent:main:main"}}, "now"},
		{"with the key of its parent", memory.SessionSummary{Notes: memory.SessionMeta{ParentKey: "agent:pony:main"}}, "root"},
		{"spawned by a key that is not known", memory.SessionSummary{Notes: memory.SessionMeta{SpawnedBy: "agent:x:main"}, Previous: "p"}, "p"},
		{"spawned by itself", memory.SessionSummary{Session: "now", Notes: memory.SessionMeta{SpawnedBy: "agent:main:main"}}, ""},
		{"the session it followed", memory.SessionSummary{Previous: "p"}, "p"},
		{"it followed itself", memory.SessionSummary{Session: "p", Previous: "p"}, ""},
		{"the header before the row", memory.SessionSummary{Parent: "/x/root.jsonl", Previous: "p", Notes: memory.SessionMeta{SpawnedBy: "agent:main:main"}}, "root"},
		{"the row before what it followed", memory.SessionSummary{Previous: "p", Notes: memory.SessionMeta{SpawnedBy: "agent:main:main"}}, "now"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.s.Agent == "" {
				tt.s.Agent = "main"
			}
			if tt.s.Session == "" {
				tt.s.Session = "self"
			}
			if got := family.Parent(&tt.s); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A key points at its current session, whatever the order of the list.
func TestFamilyDoesNotDependOnOrder(t *testing.T) {
	all := []memory.SessionSummary{{Agent: "main", Session: "a", Key: "k"}, {Agent: "main", Session: "b", Key: "k", Current: true}, {Agent: "main", Session: "c", Key: "k"}}
	child := memory.SessionSummary{Agent: "main", Session: "child", Notes: memory.SessionMeta{SpawnedBy: "k"}}
	for range 3 {
		if got := stats.FamilyOf(all).Parent(&child); got != "b" {
			t.Errorf("got %q", got)
		}
		all = append(all[1:], all[0])
	}
}

func TestEras(t *testing.T) {
	all := []memory.SessionSummary{
		{Agent: "main", Sources: []memory.SourceOf{{Kind: memory.SourceDatabase}, {Kind: memory.SourceLedger}}},
		{Agent: "main", Sources: []memory.SourceOf{{Kind: memory.SourceReset}, {Kind: memory.SourceLive}}},
		{Agent: "files", Sources: []memory.SourceOf{{Kind: memory.SourceImported}}},
		{Agent: "none", Sources: []memory.SourceOf{{Kind: memory.SourceLedger}}},
	}
	for agent, want := range map[string][]string{"main": {"jsonl", "sqlite"}, "files": {"jsonl"}, "none": {}, "nobody": {}} {
		if got := stats.Eras(all, agent); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", agent, got, want)
		}
	}
}
