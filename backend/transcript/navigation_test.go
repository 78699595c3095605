package transcript_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// row is what a database holds of a compressed event, unpacked.
type row struct{ Event, Navigation string }

func compressedRow(t testing.TB, line []byte) (r row) {
	t.Helper()
	if err := json.Unmarshal(line, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// What the database keeps beside a compressed row tells the same as the row,
// but for text and usage.
func TestDecodeNavigationRecorded(t *testing.T) {
	roles := map[memory.Role]bool{}
	for _, line := range recorded(t, "compressed.jsonl") {
		r := compressedRow(t, line)
		want := mustDecode(t, r.Event, false)
		var got memory.Event
		var d transcript.Decoder
		if err := d.DecodeNavigation([]byte(r.Navigation), &got); err != nil {
			t.Fatal(err)
		}
		want.Message.Text, want.Message.SenderIsOwner, want.Message.IdempotencyKey = "", memory.Unknown, ""
		want.Message.Usage = memory.Usage{}
		if want.Kind == memory.KindCompaction {
			want.Compaction.FromHook, want.Compaction.TokensAfter = false, 0
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		roles[got.Message.Role] = true
	}
	if !roles[memory.RoleToolResult] {
		t.Error("no tool result among the recorded rows")
	}
}

func TestDecodeNavigationRefuses(t *testing.T) {
	for nav, want := range map[string]error{
		`{"version":1}`:                                nil,
		`{"version":1,"model":null}`:                   nil,
		`{"version":1,"model":[]}`:                     nil,
		`{"version":1,"model":{"id":"a"}}`:             transcript.ErrShape,
		`{"version":1,"model":{"type":"message"}}`:     transcript.ErrShape,
		`{"version":1,"model":{"type":"message"`:       transcript.ErrSyntax,
		`{"version":1,"model":{"type":"custom"}} more`: transcript.ErrSyntax,
		`[]`: transcript.ErrSyntax,
		``:   transcript.ErrSyntax,
	} {
		var ev memory.Event
		var d transcript.Decoder
		err := d.DecodeNavigation([]byte(nav), &ev)
		if want == nil {
			want = transcript.ErrShape
		}
		if !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", nav, err, want)
		}
	}
}

// The beginning of a long row tells who said it and when; whatever it is cut
// at, it tells nothing wrong.
func TestDecodeHead(t *testing.T) {
	whole := toolResultLine(20_000)
	want := mustDecode(t, string(whole), false)
	var d transcript.Decoder
	var got memory.Event
	told := 0
	for n := range len(whole) {
		if n > 2000 && n%997 != 0 {
			continue
		}
		ok := d.DecodeHead(whole[:n], &got)
		if d.Position() > n {
			t.Fatalf("stopped at %d of %d", d.Position(), n)
		}
		if !ok {
			continue
		}
		told++
		if got.ID != want.ID || got.At != want.At || got.Parent != want.Parent || got.Kind != want.Kind || got.Message.Role != want.Message.Role {
			t.Fatalf("cut at %d: got %+v", n, got)
		}
	}
	if told < 1800 {
		t.Errorf("only %d heads told something", told)
	}
	if d.DecodeHead(whole, &got) {
		t.Error("a whole record is no head")
	}
}

func TestDecodeHeadNeedsWhatItPromises(t *testing.T) {
	head := `{"type":"message","id":"a","parentId":"p","timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"toolResult","content":"` + strings.Repeat("x", 100)
	var d transcript.Decoder
	var ev memory.Event
	if !d.DecodeHead([]byte(head), &ev) {
		t.Fatal("the head tells enough")
	}
	for _, without := range []string{`"type":"message",`, `"id":"a",`, `"parentId":"p",`, `"timestamp":"2026-05-10T10:00:00.000Z",`, `"role":"toolResult",`} {
		if d.DecodeHead([]byte(strings.Replace(head, without, "", 1)), &ev) {
			t.Errorf("told without %s", without)
		}
	}
	// A moment that is cut off is not another moment.
	cut := `{"type":"message","id":"a","parentId":"p","message":{"role":"toolResult","timestamp":17960685`
	if d.DecodeHead([]byte(cut), &ev) && ev.At != 0 {
		t.Errorf("took half a number for the time %d", ev.At)
	}
}
