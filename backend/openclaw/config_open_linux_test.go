package openclaw

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// openWatch lets the kernel record which files of some directories are opened.
type openWatch struct {
	t    *testing.T
	fd   int
	dirs map[int32]string
}

func watchOpens(t *testing.T, root string) *openWatch {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		t.Skip("skipped: the kernel gives no more watches:", err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	w := &openWatch{t: t, fd: fd, dirs: map[int32]string{}}
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		wd, err := syscall.InotifyAddWatch(fd, path, syscall.IN_OPEN|syscall.IN_ACCESS|syscall.IN_MODIFY|syscall.IN_CREATE|syscall.IN_DELETE|syscall.IN_ATTRIB|syscall.IN_MOVE)
		if err != nil {
			t.Skip("skipped: the kernel gives no more watches:", err)
		}
		w.dirs[int32(wd)] = path
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// events gives the files touched so far, by what was done to them. The kernel
// has recorded each before the call that did it returned.
func (w *openWatch) events() (opened, changed []string) {
	buf := make([]byte, 1<<20)
	for {
		n, err := syscall.Read(w.fd, buf)
		if n <= 0 || err != nil {
			break
		}
		for b := buf[:n]; len(b) >= syscall.SizeofInotifyEvent; {
			wd := int32(binary.NativeEndian.Uint32(b))
			mask := binary.NativeEndian.Uint32(b[4:])
			size := syscall.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(b[12:]))
			name := string(bytes.TrimRight(b[syscall.SizeofInotifyEvent:size], "\x00"))
			b = b[size:]
			if mask&syscall.IN_ISDIR != 0 || name == "" {
				continue
			}
			path := filepath.Join(w.dirs[wd], name)
			if mask&(syscall.IN_OPEN|syscall.IN_ACCESS) != 0 {
				opened = append(opened, path)
			} else {
				changed = append(changed, path)
			}
		}
	}
	slices.Sort(opened)
	return slices.Compact(opened), changed
}

// The kernel itself says that only the files that are needed are opened, and
// none is changed (cases E 65 and H 99).
func TestOnlyWhatIsNeededIsOpened(t *testing.T) {
	state := layOut(t, realTemp(t),
		"openclaw.json", `{ agents: { $include: ["agents.json5", "agents/main/agent/auth-profiles.json", ".env"] }, x: { $include: "./credentials/oauth.json" } }`,
		"agents.json5", `{ list: [ { id: "main" }, { id: "b", workspace: "/home/other/.openclaw/workspace-b" } ] }`,
		"openclaw.json.last-good", "{}", "openclaw.json.bak", "{}",
		".env", "KEY=secret", "credentials/oauth.json", "{}", "credentials/whatsapp/creds.json", "{}", "identity/device.json", "{}",
		"catalog.json", "{}", "agents/main/agent/catalog.json", "{}", "agents/main/agent/auth.json", "{}", "agents/main/agent/auth-profiles.json", "{}",
		"agents/main/agent/models.json", `{"providers":{}}`, "agents/main/agent/openclaw-agent.sqlite", "x",
		"agents/main/sessions/sessions.json", `{"agent:main:main":{"sessionId":"s","sessionFile":"../agent/auth.json"}}`,
		"agents/main/sessions/s.jsonl", "{}", "agents/b/sessions/", "", "state/openclaw.sqlite", "x", "workspace-b/MEMORY.md", "x")
	w := watchOpens(t, state)
	env := envOf(filepath.Dir(state), "OPENCLAW_STATE_DIR", state)
	inst, err := Resolve(env, "", "")
	if err != nil {
		t.Fatal(err)
	}
	Discover(env)
	cfg, _ := LoadConfig(env, inst)
	agents, _ := inst.Agents(cfg, []RegisteredDatabase{{AgentID: "main", Path: "agents/main/agent/openclaw-agent.sqlite", SchemaVersion: 23}})
	for _, a := range agents {
		ModelsFile(filepath.Join(a.Dir, "models.json"))
		ModelsFile(filepath.Join(a.Dir, "auth.json"))
		rows, _ := ReadRowsFile(filepath.Join(a.SessionsDir, "sessions.json"))
		for _, r := range rows {
			r.File(inst.StateDir, a.SessionsDir)
		}
	}
	opened, changed := w.events()
	want := []string{"agents.json5", "agents/main/agent/models.json", "agents/main/sessions/sessions.json", "openclaw.json"}
	for i := range want {
		want[i] = filepath.Join(state, want[i])
	}
	if !slices.Equal(opened, want) {
		t.Errorf("opened\n%q\nwant\n%q", opened, want)
	}
	if len(changed) != 0 {
		t.Errorf("changed %q", changed)
	}
	if len(agents) != 2 || agents[1].Workspace != filepath.Join(state, "workspace-b") {
		t.Errorf("agents %+v", agents)
	}
}

// A named pipe in the place of a file must not make a reader wait.
func TestPipesAreNotOpened(t *testing.T) {
	state := layOut(t, realTemp(t), "agents/main/sessions/", "", "agents/main/agent/", "")
	pipes := []string{"openclaw.json", "agents/main/sessions/sessions.json", "agents/main/agent/models.json"}
	for _, name := range pipes {
		if err := syscall.Mkfifo(filepath.Join(state, name), 0o600); err != nil {
			t.Skip("skipped: no named pipes here:", err)
		}
	}
	done := make(chan int)
	go func() {
		inst, _ := Resolve(Env{}, state, "")
		_, problems := LoadConfig(Env{}, inst)
		_, more := ReadRowsFile(filepath.Join(state, pipes[1]))
		_, evenMore := ModelsFile(filepath.Join(state, pipes[2]))
		done <- len(problems) + len(more) + len(evenMore)
	}()
	select {
	case n := <-done:
		if n != 3 {
			t.Errorf("%d problems", n)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a reader waits for a pipe")
	}
}
