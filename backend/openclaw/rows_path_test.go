package openclaw

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestRowFile(t *testing.T) {
	const id = "5ef62a35-f099-4942-abee-699538779a01"
	tests := []struct {
		name, file, session string
		want                string // below the sessions folder, "": none
	}{
		{"none written", "", id, id + ".jsonl"},
		{"neither file nor id", "", "", ""},
		{"blank", "  ", id, id + ".jsonl"},
		{"a name", "a.jsonl", id, "a.jsonl"},
		{"a topic", id + "-topic-42.jsonl", id, id + "-topic-42.jsonl"},
		{"a name with a colon", "agent:main:main.jsonl", id, "agent:main:main.jsonl"},
		{"Chinese", "会话.jsonl", id, "会话.jsonl"},
		{"below", "old/a.jsonl", id, "old/a.jsonl"},
		{"below, as Windows writes it", `old\a.jsonl`, id, "old/a.jsonl"},
		{"relative to the state directory", "agents/main/sessions/a.jsonl", id, "a.jsonl"},
		{"absolute, here", "S/a.jsonl", id, "a.jsonl"},
		{"absolute, not clean", "S/./x/../a.jsonl", id, "a.jsonl"},
		{"absolute, below", "S/old/a.jsonl", id, "old/a.jsonl"},
		{"of another machine", "/home/user/.openclaw/agents/main/sessions/a.jsonl", id, "a.jsonl"},
		{"of Windows", `C:\Users\Administrator\.openclaw\agents\main\sessions\a.jsonl`, id, "a.jsonl"},
		{"of Windows, with slashes", "c:/Users/x/.openclaw/agents/main/sessions/a.jsonl", id, "a.jsonl"},
		{"of a share", `\\server\share\a.jsonl`, id, "a.jsonl"},
		{"of another agent", "T/agents/other/sessions/a.jsonl", id, "a.jsonl"},
		{"packed", "a.jsonl.zst", id, "a.jsonl.zst"},
		{"in a database", "sqlite:main:" + id + ":/home/user/.openclaw/agents/main/sessions/sessions.json", id, ""},

		{"upwards", "../../x/a.jsonl", id, "a.jsonl"},
		{"upwards and back", "../sessions/a.jsonl", id, "a.jsonl"},
		{"upwards as Windows writes it", `..\..\a.jsonl`, id, "a.jsonl"},
		{"the folder itself", "S", id, id + ".jsonl"},
		{"dots", "..", id, id + ".jsonl"},
		{"a slash", "/", id, id + ".jsonl"},
		{"no transcript", "/etc/passwd", id, id + ".jsonl"},
		{"no transcript, here", "sessions.json", id, id + ".jsonl"},
		{"keys", "../agent/auth-profiles.json", id, id + ".jsonl"},
		{"no transcript and no id", "/etc/passwd", "", ""},
		{"an id that is a path", "", "../../x", ""},
		{"an id that is hidden", "", ".x", ""},
		{"an id too long", "", strings.Repeat("x", 200), ""},
		{"a NUL", "a\x00b.jsonl", id, id + ".jsonl"},
	}
	state := realTemp(t)
	sessions := filepath.Join(state, "agents", "main", "sessions")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(tt.want, ":") {
				t.Skip("skipped: no such name can be here")
			}
			file := tt.file
			if rest, ok := strings.CutPrefix(file, "S"); ok && (rest == "" || rest[0] == '/') {
				file = sessions + rest
			}
			if rest, ok := strings.CutPrefix(file, "T/"); ok {
				file = filepath.Join(state, rest)
			}
			want := ""
			if tt.want != "" {
				want = filepath.Join(sessions, filepath.FromSlash(tt.want))
			}
			if got := (Row{SessionFile: file, SessionID: tt.session}).File(state, sessions); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestRowFileFollowsNoLinkOutside(t *testing.T) {
	state := layOut(t, realTemp(t), "agents/main/sessions/real.jsonl", "{}", "agents/main/sessions/sub/", "", "outside/secret.jsonl", "{}")
	sessions := filepath.Join(state, "agents", "main", "sessions")
	linkTo(t, filepath.Join(state, "outside", "secret.jsonl"), filepath.Join(sessions, "out.jsonl"))
	linkTo(t, filepath.Join(state, "outside"), filepath.Join(sessions, "dir"))
	linkTo(t, "real.jsonl", filepath.Join(sessions, "in.jsonl"))
	for file, want := range map[string]string{
		"out.jsonl": "", "dir/secret.jsonl": "secret.jsonl", "in.jsonl": "in.jsonl", "real.jsonl": "real.jsonl", "sub/x.jsonl": "sub/x.jsonl",
	} {
		if want != "" {
			want = filepath.Join(sessions, filepath.FromSlash(want))
		}
		if got := (Row{SessionFile: file}).File(state, sessions); got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
	// The sessions folder may be a link itself.
	linkTo(t, sessions, filepath.Join(state, "linked"))
	linked := filepath.Join(state, "linked")
	if got := (Row{SessionFile: "in.jsonl"}).File(state, linked); got != filepath.Join(linked, "in.jsonl") {
		t.Errorf("got %q", got)
	}
}

func FuzzRowFile(f *testing.F) {
	for _, s := range []string{"", "a.jsonl", "../a.jsonl", `C:\a.jsonl`, "/a/../b.jsonl", "sqlite:x", "a\x00.jsonl", "~/a.jsonl", "....//a.jsonl", "a.jsonl/.."} {
		f.Add(s, "id")
		f.Add("", s)
	}
	state := realTemp(f)
	sessions := filepath.Join(state, "agents", "main", "sessions")
	f.Fuzz(func(t *testing.T, file, id string) {
		got := Row{SessionFile: file, SessionID: id}.File(state, sessions)
		if got == "" {
			return
		}
		if !strings.HasPrefix(got, sessions+string(filepath.Separator)) || got != filepath.Clean(got) || !strings.Contains(filepath.Base(got), ".jsonl") {
			t.Errorf("file %q, session %q: %q", file, id, got)
		}
	})
}
