package openclaw

import (
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// caseFile is a file with a known answer: its entries, the input tokens of
// its valid calls, and its problems.
type caseFile struct {
	name, content string
	list          []string
	input         int64
	problems      []string
}

const bom = "\ufeff"

// caseFiles are the kinds of files that public reports tell of.
func caseFiles() []caseFile {
	image := `{"type":"message","id":"k0","parentId":null,"timestamp":"2026-05-10T10:00:00Z","message":{"role":"toolResult","content":[{"type":"image","data":"` + strings.Repeat("A", 12_000_000) + `"}]}}` + "\n"
	named := func(more ...string) []string { return append([]string{"header-name@1"}, more...) }
	return []caseFile{
		{"a-plain.jsonl", headerLine("a-plain") + assistantLine("a1", 100, 10, "0.001"), []string{"a-plain/", "a-plain/a1"}, 100, nil},
		{"b-partial.jsonl", headerLine("b") + assistantLine("b1", 200, 20, "0.002") + assistantLine("b2", 9999, 1, "")[:80], []string{"b/", "b/b1"}, 200, named()},
		{"c-reset.jsonl.reset.2026-05-11T04-58-33.868Z", headerLine("c") + assistantLine("c1", 300, 30, "0.003"), []string{"c/", "c/c1"}, 300, nil},
		{"d-del.jsonl.deleted.2026-05-11T04-58-33.868Z", headerLine("d") + assistantLine("d1", 400, 40, "0.004"), []string{"d/", "d/d1"}, 400, nil},
		{"e-ck.jsonl", headerLine("e") + assistantLine("e1", 500, 50, "0.005"), []string{"e/", "e/e1"}, 500, named()},
		{"f-live.jsonl", headerLine("f") + assistantLine("f1", 600, 60, "0.006"), []string{"f/", "f/f1"}, 600, named()},
		{"f-live.jsonl.deleted.2026-05-12T00-00-00.000Z", headerLine("f") + assistantLine("f1", 600, 60, "0.006"), []string{"f/", "f/f1"}, 600, nil},
		{"g-nototal.jsonl", headerLine("g") + strings.Replace(assistantLine("g1", 700, 70, "0.007"), `"totalTokens":770,`, "", 1), []string{"g/", "g/g1"}, 700, named()},
		{"h-neg.jsonl", headerLine("h") + assistantLine("h1", -284957, 80, "-1.5") + assistantLine("h2", 800, 80, "0.008"), []string{"h/", "h/h1", "h/h2"}, 800, named("bad-usage@2")},
		{"i-mirror.jsonl", headerLine("i") + assistantFrom("i1", "openclaw", "delivery-mirror", 90000, 900, 0, `"cost":{"total":0.9}`), []string{"i/", "i/i1"}, 90000, named()},
		{"j-zerocost.jsonl", headerLine("j") + assistantFrom("j1", "custom", "my-unlisted-model", 1000, 100, 50000, `"cost":{"total":0}`), []string{"j/", "j/j1"}, 1000, named()},
		{"k-huge.jsonl", headerLine("k") + image + assistantLine("k1", 1100, 110, "0.011"), []string{"k/", "k/k0", "k/k1"}, 1100, named()},
		{"l-badline.jsonl", headerLine("l") + `{"type":"message","id":"x","message":{"role":"assistant","usage":{"input":1` + "\nundefined\n\n" + assistantLine("l1", 1200, 120, "0.012"),
			[]string{"l/", "l/l1"}, 1200, named("bad-line@2", "bad-line@3", "blank-line@0")},
		{"m-spliced.jsonl", headerLine("m") + assistantLine("m0", 1, 1, "")[:90] + assistantLine("m1", 1300, 130, "0.013"), []string{"m/", "m/m1"}, 1300, named("spliced-line@2")},
		{"n-crlf-bom.jsonl", bom + strings.ReplaceAll(headerLine("n")+assistantLine("n1", 1400, 140, "0.014"), "\n", "\r\n"), []string{"n/", "n/n1"}, 1400, named()},
		{"p-dup.jsonl", headerLine("p") + strings.Repeat(assistantLine("p1", 1500, 150, "0.015"), 3), []string{"p/", "p/p1", "p/p1", "p/p1"}, 4500, named()},
		{"q-twin.jsonl", headerLine("q") + assistantLine("q1", 1600, 160, "0.016") + assistantLine("q2", 1600, 160, "0.016"), []string{"q/", "q/q1", "q/q2"}, 3200, named()},
		{"r-nan.jsonl", headerLine("r") + `{"type":"message","id":"r1","timestamp":"2026-05-10T10:00:00Z","message":{"role":"assistant","model":"m","usage":{"input":1700,"output":170,"totalTokens":null,"cost":{"total":null}}}}` + "\n",
			[]string{"r/", "r/r1"}, 1700, named("bad-usage@2")},
	}
}

// notRead are files beside them that hold no history of their own.
var notRead = []string{
	"e-ck.checkpoint.0f0f0f0f-1111-4222-8333-444444444444.jsonl", "o-traj.trajectory.jsonl", "sessions.json", "a-plain.jsonl.lock", "sessions.json.lock",
	"a-plain.jsonl.bak.2026-05-11T04-58-33.868Z", "a-plain.jsonl.bak-1778475513868", "sessions.json.bak.1778475513868",
}

func TestCaseFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "agents", "main", "sessions")
	cases := map[string]caseFile{}
	for _, c := range caseFiles() {
		cases[put(t, filepath.Join(dir, c.name), c.content)] = c
	}
	for _, name := range notRead {
		put(t, filepath.Join(dir, name), headerLine("no")+assistantLine("no1", 7777, 7, "7.7"))
	}
	sources, problems := Agent{ID: "main", SessionsDir: dir}.Sources()
	if len(sources) != len(cases) || len(problems) > 0 {
		t.Errorf("%d sources, want %d; problems %v", len(sources), len(cases), problems)
	}
	for _, src := range sources {
		c := cases[src.Path]
		t.Run(c.name, func(t *testing.T) {
			for _, texts := range []bool{false, true} {
				g := readFrom(t, src.Path, memory.Checkpoint{}, Options{Texts: texts})
				wantList(t, "entries", g.list(), c.list)
				wantList(t, "problems", g.codes(), c.problems)
				input := int64(0)
				for _, e := range g.entries {
					input += e.ev.Message.Usage.Input
				}
				if input != c.input {
					t.Errorf("input tokens %d, want %d", input, c.input)
				}
			}
		})
	}
}

// An image's line is reduced, its size is known all the same, and memory stays
// bounded.
func TestImageLine(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "k.jsonl"), caseFiles()[11].content)
	g := readAll(t, path)
	m := g.entries[1].ev.Message
	if want := int64(12_000_000 + len(`{"type":"image","data":""}`)); m.Images != 1 || m.ImageBytes != want {
		t.Errorf("%d images of %d bytes, want 1 of %d", m.Images, m.ImageBytes, want)
	}
	if at := g.entries[2].at; at.Line != 3 || at.Offset < 12_000_000 {
		t.Errorf("the line behind it stands at line %d, byte %d", at.Line, at.Offset)
	}
}
