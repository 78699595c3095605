package openclaw

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"tidemark/backend/memory"
)

// wholeEntry has every field that is read, among some that are not.
const wholeEntry = `{
	"sessionId":"5ef62a35-f099-4942-abee-699538779a01","updatedAt":1796068981341,"sessionStartedAt":1796068969667,"startedAt":1796068981308,
	"endedAt":1796068981340,"lastInteractionAt":1796068977846,"lastActivityAt":1796068981000,
	"sessionFile":"/home/user/.openclaw/agents/main/sessions/5ef62a35.jsonl",
	"skillsSnapshot":{"prompt":"a \"quoted\" } text {[","skills":[{"name":"x"},[1,[2,{}]]]},
	"systemPromptReport":{"injectedWorkspaceFiles":[{"name":"AGENTS.md","sessionId":"not this"}],"sessionId":"nor this"},
	"totalTokens":20810,"totalTokensFresh":true,"contextTokens":32000,"compactionCount":2,"memoryFlushAt":1796068900000,"memoryFlushCompactionCount":1,
	"modelProvider":"mock","model":"mock-small","channel":"telegram","lastChannel":"webchat","chatType":"group","label":"家里","displayName":"Home \u5bb6",
	"spawnedBy":"agent:main:main","parentSessionKey":"agent:main:telegram:group:1","status":"done","usageFamilySessionIds":["a","b",null,5,"c"],
	"forkedFromParent":true,"inputTokens":10442,"estimatedCostUsd":0.0346464,"route":{"channel":"x"},"systemSent":true,"nothing":null
}`

var wholeRow = Row{
	SessionID: "5ef62a35-f099-4942-abee-699538779a01", SessionFile: "/home/user/.openclaw/agents/main/sessions/5ef62a35.jsonl",
	UpdatedAt: 1796068981341, StartedAt: 1796068969667, EndedAt: 1796068981340, LastActivityAt: 1796068981000,
	TotalTokens: number[int64](20810), TotalTokensFresh: true, ContextTokens: number[int64](32000), CompactionCount: number[int64](2),
	MemoryFlushAt: 1796068900000, MemoryFlushCompactionCount: number[int64](1), Provider: "mock", Model: "mock-small", Channel: "telegram",
	ChatType: "group", Label: "家里", DisplayName: "Home 家", SpawnedBy: "agent:main:main", ParentKey: "agent:main:telegram:group:1",
	Status: "done", UsageFamily: []string{"a", "b", "c"}, ForkedFromParent: true,
}

func TestDecodeRow(t *testing.T) {
	tests := []struct {
		name, in string
		want     Row
	}{
		{"whole", wholeEntry, wholeRow},
		{"empty", "{}", Row{}},
		{"with a byte order mark", "\uFEFF {\"sessionId\":\"s\"}", Row{SessionID: "s"}},
		{"absent is not 0", `{"totalTokens":null,"compactionCount":0}`, Row{CompactionCount: number[int64](0)}},
		{"what was not a number", `{"totalTokens":"many","contextTokens":true,"compactionCount":{},"memoryFlushCompactionCount":[1]}`, Row{}},
		{"negative", `{"totalTokens":-284957,"contextTokens":1}`, Row{ContextTokens: number[int64](1)}},
		{"a fraction", `{"totalTokens":12.9}`, Row{TotalTokens: number[int64](12)}},
		{"with an exponent", `{"totalTokens":1.5e3}`, Row{TotalTokens: number[int64](1500)}},
		{"too large", `{"totalTokens":1e300,"contextTokens":1e999}`, Row{}},
		{"texts that are none", `{"sessionId":5,"model":null,"label":{"x":"y"},"status":["done"],"channel":true}`, Row{}},
		{"truths that are none", `{"totalTokensFresh":"true","forkedFromParent":1}`, Row{}},
		{"false", `{"totalTokensFresh":false}`, Row{}},
		{"the last of equal fields", `{"label":"a","label":"b"}`, Row{Label: "b"}},
		{"a wrong one after a right one", `{"label":"a","label":5}`, Row{Label: "a"}},
		{"fields in any order, nested ones do not count", `{"x":{"sessionId":"no","updatedAt":1},"sessionId":"yes"}`, Row{SessionID: "yes"}},
		{"no start of the session", `{"startedAt":1796068981308}`, Row{StartedAt: 1796068981308}},
		{"no activity", `{"lastInteractionAt":1796068981308}`, Row{LastActivityAt: 1796068981308}},
		{"the last channel", `{"lastChannel":"webchat"}`, Row{Channel: "webchat"}},
		{"the channel of the delivery", `{"deliveryContext":{"to":{"channel":"no"},"channel":"signal"},"route":5}`, Row{Channel: "signal"}},
		{"a delivery that is none", `{"deliveryContext":null,"route":[]}`, Row{}},
		{"a family that is none", `{"usageFamilySessionIds":"a"}`, Row{}},
		{"an empty family", `{"usageFamilySessionIds":[]}`, Row{}},
		{"escapes", `{"label":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}`, Row{Label: "\"\\/\b\f\n\r\té😀"}},
		{"lone halves", `{"label":"\ud83d|\udc00|\ud83dA|\ud83d\u0041"}`, Row{Label: "\uFFFD|\uFFFD|\uFFFDA|\uFFFD"}},
		{"wrong digits", `{"label":"\uzzzz!"}`, Row{Label: "\uFFFD!"}},
		{"broken UTF-8", "{\"label\":\"a\xffb\"}", Row{Label: "a\uFFFDb"}},
		{"escapes in names", `{"se\u0073sionId":"s"}`, Row{SessionID: "s"}},
		{"backslashes before quotes", `{"skip":"\\\\\"\\","label":"x"}`, Row{Label: "x"}},
		{"something behind it", `{"label":"x"} trailing`, Row{Label: "x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Key = "k"
			got, err := DecodeRow("k", []byte(tt.in))
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, tt.want)
			}
		})
	}
}

func TestDecodeRowOfNoObject(t *testing.T) {
	for _, in := range []string{"", " ", "5", "null", "[]", `"x"`, "{", `{"a"`, `{"a":`, `{"a":1`, `{"label":"x`, `{a:1}`, `{"a" 1}`, `{"a":1 "b":2}`, `{"label":"\`, `{"label":"\u12`, `{"x":[`, `{"x":{"y":"z`, `{,}`, `{"a":}`} {
		if got, err := DecodeRow("k", []byte(in)); err == nil {
			t.Errorf("%q gave %+v", in, got)
		}
	}
}

// Case K 125: times in milliseconds, in seconds, and as texts; none is 1970.
func TestRowMoments(t *testing.T) {
	tests := map[string]memory.Millis{
		"1796068981341": 1796068981341, "1796068981": 1796068981000, "1796068981341.7": 1796068981341, "1.796068981341e12": 1796068981341,
		`"2026-11-30T19:53:00Z"`: 1796068380000, `"2026-12-01T03:53:00.5+08:00"`: 1796068380500,
		"0": 0, "-5": 0, "null": 0, `"soon"`: 0, `""`: 0, "true": 0, "{}": 0, "1e300": 0, "1e999": 0, `"1796068981341"`: 0, `"1960-01-01T00:00:00Z"`: 0,
	}
	for in, want := range tests {
		got, err := DecodeRow("k", []byte(`{"updatedAt":`+in+`,"label":"after"}`))
		if err != nil || got.UpdatedAt != want || got.Label != "after" {
			t.Errorf("%s: got %+v, %v, want %d", in, got, err, want)
		}
	}
}

func TestReadRows(t *testing.T) {
	tests := []struct {
		name, in string
		keys     []string
		says     []string // parts of the problems' messages, one each
		counts   []int
	}{
		{"two", `{"agent:main:main":{"sessionId":"a"},"agent:main:telegram:group:-100":{"sessionId":"b"}}`, []string{"agent:main:main", "agent:main:telegram:group:-100"}, nil, nil},
		{"none", "{}", nil, nil, nil},
		{"white space", " \r\n{ \t} \n", nil, nil, nil},
		{"a byte order mark", "\uFEFF{\"k\":{}}", []string{"k"}, nil, nil},
		{"keys of all kinds", `{"":{},"a b":{},"码农":{},"\u0041":{},"agent:a:matrix:channel:!Room:Server":{}}`, []string{"", "a b", "码农", "A", "agent:a:matrix:channel:!Room:Server"}, nil, nil},
		{"a key that is no UTF-8", "{\"a\xffb\":{}}", []string{"a\uFFFDb"}, nil, nil},
		{"a trailing comma", `{"a":{},}`, []string{"a"}, []string{"unexpected '}'"}, []int{1}},
		{"one key twice", `{"a":{"label":"1"},"b":{},"a":{"label":"2"}}`, []string{"a", "b"}, nil, nil},

		{"entries that are none", `{"main":1,"a":{"sessionId":"s"},"n":null,"t":"x","l":[{}],"b":{},"y":true}`, []string{"a", "b"}, []string{`"main", "n", "t" and 2 more`}, []int{5}},
		{"one that is none", `{"main":1}`, nil, []string{`describe no session: "main"`}, []int{1}},
		{"a number", "5", nil, []string{"holds no object"}, []int{1}},
		{"a list", `[{"sessionId":"s"}]`, nil, []string{"holds no object"}, []int{1}},
		{"a text", `"x"`, nil, []string{"holds no object"}, []int{1}},
		{"null", "null", nil, []string{"holds no object"}, []int{1}},
		{"nothing", "", nil, []string{"byte 0: the text ends"}, []int{1}},
		{"nothing but space", "  \n", nil, []string{"byte 3: the text ends"}, []int{1}},
		{"cut in an entry", `{"a":{"sessionId":"s"},"b":{"sessionId":"t`, []string{"a"}, []string{"the text ends"}, []int{1}},
		{"cut in a name", `{"a":{},"b`, []string{"a"}, []string{"the text ends"}, []int{1}},
		{"cut behind an entry", `{"a":{}`, []string{"a"}, []string{"byte 7: the text ends"}, []int{1}},
		{"cut behind a comma", `{"a":{},`, []string{"a"}, []string{"the text ends"}, []int{1}},
		{"cut in something skipped", `{"a":{},"b":{"skillsSnapshot":{"prompt":"x`, []string{"a"}, []string{"the text ends"}, []int{1}},
		{"damaged and cut", `{"main":1,"a":{},"b":`, []string{"a"}, []string{`"main"`, "the text ends"}, []int{1, 1}},
		{"not JSON any more", `{"a":{},oops}`, []string{"a"}, []string{"unexpected 'o'"}, []int{1}},
		{"zeros", "{\"a\":{}\x00\x00\x00", []string{"a"}, []string{`unexpected '\x00'`}, []int{1}},
		{"two stores in one file", `{"a":{}}{"b":{}}`, []string{"a"}, []string{"something follows"}, []int{1}},
		{"nothing where a value should be", `{"a":{"x":,"y":1}}`, nil, []string{"unexpected ','"}, []int{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows, problems := ReadRows(strings.NewReader(tt.in))
			checkRows(t, rows, problems, tt.keys, tt.says, tt.counts)
			// A reader that gives one byte at a time must give the same.
			slow, slowProblems := ReadRows(iotest.OneByteReader(strings.NewReader(tt.in)))
			if !reflect.DeepEqual(slow, rows) || !reflect.DeepEqual(slowProblems, problems) {
				t.Errorf("byte by byte: %+v %+v", slow, slowProblems)
			}
		})
	}
}

func checkRows(t *testing.T, rows []Row, problems []memory.Problem, keys, says []string, counts []int) {
	t.Helper()
	var got []string
	for _, r := range rows {
		got = append(got, r.Key)
	}
	if !slices.Equal(got, keys) {
		t.Errorf("keys %q, want %q", got, keys)
	}
	if len(problems) != len(says) {
		t.Fatalf("problems %q, want %q", messages(problems), says)
	}
	for i, p := range problems {
		if p.Code != memory.ProblemBadStore || p.Count != counts[i] || !strings.Contains(p.Message, says[i]) || p.Hint == "" {
			t.Errorf("problem %+v, want %q", p, says[i])
		}
	}
}

func TestReadRowsKeepsTheLastOfOneKey(t *testing.T) {
	rows, _ := ReadRows(strings.NewReader(`{"a":{"label":"1","status":"done"},"b":{},"a":{"label":"2"}}`))
	if len(rows) != 2 || rows[0].Label != "2" || rows[0].Status != "" {
		t.Errorf("rows %+v", rows)
	}
}

// Wherever a store is cut, the rows before the cut are given, unchanged.
func TestReadRowsOfACutStore(t *testing.T) {
	store := `{"a":` + wholeEntry + `,"b":{"sessionId":"t","label":"\ud83d\ude00"},"c":{}}`
	whole, problems := ReadRows(strings.NewReader(store))
	if len(whole) != 3 || len(problems) != 0 {
		t.Fatalf("rows %+v, problems %+v", whole, problems)
	}
	for i := range store {
		rows, problems := ReadRows(strings.NewReader(store[:i]))
		if len(problems) != 1 || !slices.EqualFunc(rows, whole[:len(rows)], func(a, b Row) bool { return reflect.DeepEqual(a, b) }) {
			t.Fatalf("cut at %d: rows %+v, problems %+v", i, rows, problems)
		}
	}
}

func TestReadRowsThatFails(t *testing.T) {
	broken := errors.New("the disk is gone")
	r := io.MultiReader(strings.NewReader(`{"a":{"sessionId":"s"},"b":`), iotest.ErrReader(broken))
	rows, problems := ReadRows(r)
	checkRows(t, rows, problems, []string{"a"}, []string{"the disk is gone"}, []int{1})
}

// idleReader gives neither bytes nor an error, which a reader should not do.
type idleReader struct{}

func (idleReader) Read([]byte) (int, error) { return 0, nil }

func TestReadRowsDoesNotWaitForever(t *testing.T) {
	if _, problems := ReadRows(idleReader{}); len(problems) != 1 {
		t.Errorf("problems %+v", problems)
	}
}

func TestReadRowsFile(t *testing.T) {
	dir := layOut(t, realTemp(t), "sessions.json", `{"a":{"sessionId":"s"},"b":1}`, "auth.json", `{"a":{}}`, "d/", "")
	path := filepath.Join(dir, "sessions.json")
	rows, problems := ReadRowsFile(path)
	if len(rows) != 1 || len(problems) != 1 || problems[0].Path != path {
		t.Errorf("rows %+v, problems %+v", rows, problems)
	}
	if rows, problems := ReadRowsFile(filepath.Join(dir, "gone.json")); len(rows) != 0 || len(problems) != 0 {
		t.Errorf("a file that is not there: %+v, %+v", rows, problems)
	}
	for _, name := range []string{"auth.json", "d"} {
		rows, problems := ReadRowsFile(filepath.Join(dir, name))
		if len(rows) != 0 || len(problems) != 1 || problems[0].Code != memory.ProblemUnreadable {
			t.Errorf("%s: %+v, %+v", name, rows, problems)
		}
	}
}

func TestReadRowsOfFixtures(t *testing.T) {
	fixtures := fixtureFolder(t)
	tests := []struct {
		path    string
		total   int64
		family  int
		started bool
	}{
		{"2026.2.24/agents/main/sessions/sessions.json", 11520, 0, false},
		{"2026.2.24/agents/helper/sessions/sessions.json", 12693, 0, false},
		{"2026.6.11/agents/main/sessions/sessions.json", 20810, 4, true},
		{"2026.6.11/agents/helper/sessions/sessions.json", 20717, 3, true},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			path := filepath.Join(fixtures, filepath.FromSlash(tt.path))
			rows, problems := ReadRowsFile(path)
			if len(rows) != 1 || len(problems) != 0 {
				t.Fatalf("rows %+v, problems %+v", rows, problems)
			}
			r := rows[0]
			if *r.TotalTokens != tt.total || !r.TotalTokensFresh || *r.ContextTokens != 32000 || *r.CompactionCount != 0 || r.MemoryFlushCompactionCount != nil ||
				r.Channel != "webchat" || r.ChatType != "direct" || r.Model != "mock-small" || r.Provider != "mock" ||
				len(r.UsageFamily) != tt.family || tt.started != (r.StartedAt > 0) || ParseKey(r.Key).Kind != KeyMain {
				t.Errorf("row %+v", r)
			}
			sessions := filepath.Dir(path)
			file := r.File(filepath.Join(fixtures, strings.Split(tt.path, "/")[0]), sessions)
			if _, err := os.Stat(file); err != nil || filepath.Dir(file) != absolutePath(sessions) {
				t.Errorf("file %q, %v", file, err)
			}
		})
	}
}

// An upgrade moves the stores aside; they read as before.
func TestReadRowsOfAnUpgradedFixture(t *testing.T) {
	pattern := filepath.Join(fixtureFolder(t), "upgrade-2.24-to-9.6", "agents", "*", "session-sqlite-import-archive", "*sessions.json.imported-*")
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 2 {
		t.Fatalf("found %q, %v", found, err)
	}
	for _, path := range found {
		rows, problems := ReadRowsFile(path)
		if len(rows) != 1 || len(problems) != 0 || rows[0].SessionID == "" || rows[0].Channel != "webchat" {
			t.Errorf("%s: rows %+v, problems %+v", path, rows, problems)
		}
	}
}
