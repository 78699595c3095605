package stats_test

import (
	"reflect"
	"strings"
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/stats"
	"tidemark/backend/transcript"
)

// said is a message of the index.
func said(id, parent string, role memory.Role) memory.Entry {
	return memory.Entry{Session: "s", ID: id, Kind: memory.KindMessage, Role: role, Parent: parent, HasParent: true}
}

func compacted(id, parent, kept, summary string) memory.Entry {
	return memory.Entry{Session: "s", ID: id, Kind: memory.KindCompaction, Parent: parent, HasParent: true, At: 7,
		Compaction: &memory.Compaction{Summary: summary, FirstKept: kept, FirstKeptIndex: -1, TokensBefore: 100, TokensAfter: 10, FromHook: true}}
}

// Cases D57 and D59.
func TestCompactions(t *testing.T) {
	s := memory.SessionSummary{Agent: "main", Session: "s"}
	entries := []memory.Entry{
		{Session: "s", ID: "u1", Kind: memory.KindSession, Header: &memory.Header{ID: "s", Version: 3}},
		said("u1", "", memory.RoleUser), said("u2", "u1", memory.RoleUser), said("u3", "u2", memory.RoleAssistant),
		{Session: "s", ID: "k1", Kind: memory.KindCustom, Parent: "u3", HasParent: true},
		compacted("dead", "k1", "u2", "lost"), compacted("c1", "k1", "u2", "first"), said("u4", "c1", memory.RoleUser), compacted("c2", "u4", "u4", ""), said("u5", "c2", memory.RoleUser),
	}
	want := []stats.CompactionRecord{
		{Agent: "main", Session: "s", Entry: "dead", At: 7, TokensBefore: 100, TokensAfter: 10, Summary: "lost", Superseded: true, Dropped: 1, FromHook: true},
		{Agent: "main", Session: "s", Entry: "c1", At: 7, TokensBefore: 100, TokensAfter: 10, Summary: "first", Dropped: 1, FromHook: true},
		{Agent: "main", Session: "s", Entry: "c2", At: 7, TokensBefore: 100, TokensAfter: 10, Dropped: 2, Unsummed: 2, NoSummary: true, FromHook: true},
	}
	if got := stats.Compactions(&s, entries); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := stats.Compactions(&s, nil); got != nil {
		t.Errorf("got %+v", got)
	}
	// One that the index knows nothing more of.
	if got := stats.Compactions(&s, []memory.Entry{{ID: "c", Kind: memory.KindCompaction}}); len(got) != 1 || !got[0].NoSummary {
		t.Errorf("got %+v", got)
	}
}

// The oldest transcripts have no ids; the reader gives their entries ids that
// begin with a tilde.
func TestCompactionsOfVersion1(t *testing.T) {
	old := func(id string, kind memory.Kind) memory.Entry {
		return memory.Entry{ID: id, Kind: kind, Role: memory.RoleUser}
	}
	c := old("~4", memory.KindCompaction)
	c.Compaction = &memory.Compaction{Summary: "s", FirstKeptIndex: 3}
	header := old("~1", memory.KindSession) // the header bears the id of the first entry
	got := stats.Compactions(&memory.SessionSummary{}, []memory.Entry{header, old("~1", memory.KindMessage), old("~2", memory.KindMessage), old("~3", memory.KindMessage), c, old("~5", memory.KindMessage)})
	if len(got) != 1 || got[0].Dropped != 2 || got[0].Superseded {
		t.Errorf("got %+v", got)
	}
}

// Case G86: what is no summary.
func TestNoSummary(t *testing.T) {
	lists := "\n\n<read-files>\n" + strings.Repeat("/home/user/file.txt\n", 50) + "</read-files>\n\n<modified-files>\nMEMORY.md\n</modified-files>"
	for summary, want := range map[string]bool{
		"": true, " \n": true, lists: true,
		"Context contained 41 messages (2 oversized). Summary unavailable due to size limits.":         true,
		"Context contained 41 messages (2 oversized). Summary unavailable due to size limits." + lists: true,
		"Summary unavailable due to context limits. Older messages were truncated.":                    true,
		"(summary unavailable)": true, "No prior history.": true,
		"## Goal\nBuild the household expense tracker": false,
		"## Goal\nBuild" + lists:                       false,
		"## Goal\nFix the text “Summary unavailable” in the tracker. " + strings.Repeat("There is much more to say about it. ", 12): false,
		"No prior history of failures was found in the log.":                                                                        false,
	} {
		got := stats.Compactions(&memory.SessionSummary{}, []memory.Entry{compacted("c", "", "", summary)})
		if got[0].NoSummary != want {
			t.Errorf("%.80q: got %v", summary, got[0].NoSummary)
		}
	}
}

func TestNodes(t *testing.T) {
	entries := []memory.Entry{
		{ID: "a", Kind: memory.KindMessage, Role: memory.RoleUser, Parent: "p", HasParent: true, Side: true},
		{ID: "l", Kind: memory.KindLeaf, Target: "t", AppendParent: "q"},
		{ID: "c", Kind: memory.KindCompaction, Compaction: &memory.Compaction{FirstKept: "k", FirstKeptIndex: 4}},
		{ID: "~0123", Kind: memory.KindCustom},
	}
	want := []transcript.Node{
		{ID: "a", Kind: memory.KindMessage, Role: memory.RoleUser, Parent: "p", HasParent: true, Side: true, FirstKeptIdx: -1},
		{ID: "l", Kind: memory.KindLeaf, Target: "t", AppendParent: "q", FirstKeptIdx: -1},
		{ID: "c", Kind: memory.KindCompaction, FirstKept: "k", FirstKeptIdx: 4},
		{ID: "~0123", Kind: memory.KindCustom, FirstKeptIdx: -1, Linear: true},
	}
	if got := stats.Nodes(entries); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestSortCompactions(t *testing.T) {
	all := []stats.CompactionRecord{{Entry: "a", At: 1}, {Entry: "b", At: 3}, {Entry: "c", At: 3}, {Entry: "d"}, {Entry: "e", At: 2}}
	stats.SortCompactions(all)
	var got string
	for _, c := range all {
		got += c.Entry
	}
	if got != "bcead" {
		t.Errorf("got %s", got)
	}
}
