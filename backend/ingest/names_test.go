package ingest

import "testing"

func TestSettle(t *testing.T) {
	file := Named{Session: "old", HeaderAt: 123, FirstEntry: "e1"}
	db := Named{Session: "new", HeaderAt: 123, FirstEntry: "e1", InDatabase: true}
	for name, c := range map[string]struct {
		known         []Named
		now           Named
		name, renamed string
	}{
		"nothing known":                   {nil, file, "old", ""},
		"the file after the database":     {[]Named{db}, file, "new", ""},
		"the database after the file":     {[]Named{file}, db, "new", "old"},
		"the same again":                  {[]Named{file}, file, "old", ""},
		"another first entry":             {[]Named{db}, Named{Session: "old", HeaderAt: 123, FirstEntry: "e2"}, "old", ""},
		"another time":                    {[]Named{db}, Named{Session: "old", HeaderAt: 124, FirstEntry: "e1"}, "old", ""},
		"two files are two sessions":      {[]Named{file}, Named{Session: "copy", HeaderAt: 123, FirstEntry: "e1"}, "copy", ""},
		"no time tells nothing":           {[]Named{{Session: "new", FirstEntry: "e1", InDatabase: true}}, Named{Session: "old", FirstEntry: "e1"}, "old", ""},
		"an empty session tells nothing":  {[]Named{{Session: "new", HeaderAt: 123, InDatabase: true}}, Named{Session: "old", HeaderAt: 123}, "old", ""},
		"two in the database are as many": {[]Named{db}, Named{Session: "fork", HeaderAt: 123, FirstEntry: "e1", InDatabase: true}, "fork", ""},
	} {
		n := newNames(c.known)
		if got, renamed := n.settle(c.now); got != c.name || renamed != c.renamed {
			t.Errorf("%s: %q, renamed %q; want %q, %q", name, got, renamed, c.name, c.renamed)
		}
		if got := n.canonical(c.now.Session); got != c.name {
			t.Errorf("%s: afterwards it is called %q", name, got)
		}
	}
}

func TestRootOfAChain(t *testing.T) {
	n := newNames([]Named{{Session: "b", Parent: "/home/u/.openclaw/agents/main/sessions/a.jsonl"}, {Session: "c", Parent: `C:\Users\u\.openclaw\agents\main\sessions\b.jsonl`}, {Session: "d", Parent: "c"}, {Session: "x", Parent: "y"}, {Session: "y", Parent: "x"}})
	for session, want := range map[string]string{"a": "a", "b": "a", "c": "a", "d": "a", "alone": "alone"} {
		if got := n.root(session); got != want {
			t.Errorf("the root of %s is %s, want %s", session, got, want)
		}
	}
	n.root("x") // files that name each other must end somewhere
	n.base["renamed.jsonl"] = "real"
	n.parent["e"] = "/elsewhere/renamed.jsonl"
	if got := n.root("e"); got != "real" {
		t.Errorf("a parent by its file's name: %s", got)
	}
}
