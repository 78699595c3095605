package app

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestUnits: what is written for each system, with paths that hold what each
// of them would take for something else.
func TestUnits(t *testing.T) {
	args := []string{"serve", "--no-link", "--state-dir", `/data/学习 & "100%" $HOME\x`}
	for goos, name := range map[string]string{"linux": "tidemark.service", "darwin": "tidemark.plist", "windows": "tidemark-task.xml"} {
		u, err := unitFor(goos, "/home/an a", "/opt/Tide mark/tidemark", args)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, filepath.Join("testdata", "service", name), u.path+"\n"+u.text)
		if goos == "linux" {
			continue
		}
		for d := xml.NewDecoder(strings.NewReader(strings.Replace(u.text, "UTF-16", "UTF-8", 1))); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", goos, err)
			}
		}
	}
	if _, err := unitFor("plan9", "/h", "/p", nil); err == nil {
		t.Error("a system that nothing is known of")
	}
	for _, wrong := range []string{"a\nb", "a\x00b", "{{.Path}}"} {
		if _, err := unitFor("linux", "/h", "/p", []string{wrong}); err == nil {
			t.Errorf("%q is written", wrong)
		}
	}
}

func TestSystemdWord(t *testing.T) {
	for s, want := range map[string]string{"": `""`, "a b": `"a b"`, `a"b`: `"a\"b"`, `a\b`: `"a\\b"`, "100%": `"100%%"`, "$HOME": `"$$HOME"`, "学习": `"学习"`} {
		if got := systemdWord(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

func TestWindowsWord(t *testing.T) {
	for s, want := range map[string]string{"": `""`, "a": "a", `C:\a b\`: `"C:\a b\\"`, `a "b"`: `"a \"b\""`, `a\"b c`: `"a\\\"b c"`, `C:\学习`: `C:\学习`, "a\tb": "\"a\tb\""} {
		if got := windowsWord(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

// systemctl puts a program of that name in front of the others, which notes how
// it is called and fails where told.
func systemctl(t *testing.T, fails string) (calls func() string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("skipped: there is no systemd here")
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "calls")
	script := "#!/bin/sh\necho \"$@\" >> " + log + "\ncase \"$*\" in\n*is-active*) echo active;;\n"
	if fails != "" {
		script += "*" + fails + "*) echo 'no such bus' >&2; exit 1;;\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "systemctl"), []byte(script+"esac\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("HOME", t.TempDir())
	return func() string {
		body, _ := os.ReadFile(log) // none were made
		return string(body)
	}
}

func ask(in io.Reader, args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	c := &command{out: &o, err: &e}
	root := c.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(&o)
	root.SetErr(&e)
	if err := root.Execute(); err != nil {
		return o.String(), err.Error(), exitFailed
	}
	return o.String(), e.String(), exitDone
}

func serviceStatus(t *testing.T, args ...string) (s ServiceStatus) {
	t.Helper()
	out, errs, code := ask(nil, append([]string{"service", "status", "--json"}, args...)...)
	if code != exitDone || json.Unmarshal([]byte(out), &s) != nil {
		t.Fatal(out, errs)
	}
	return s
}

func TestServiceIsInstalledAndRemoved(t *testing.T) {
	calls := systemctl(t, "")
	file := filepath.Join(os.Getenv("HOME"), ".config/systemd/user/tidemark.service")
	data := []string{"--data-dir", filepath.Join(t.TempDir(), "data")}
	if s := serviceStatus(t, data...); s.Installed || s.Running || s.Stale || s.Path != file {
		t.Errorf("at first: %+v", s)
	}
	if out, _, code := ask(strings.NewReader("n\n"), append([]string{"service", "install"}, data...)...); code != exitFailed || !strings.Contains(out, "ExecStart=") || !strings.Contains(out, file) {
		t.Errorf("refused: %d %s", code, out)
	}
	if _, err := os.Stat(file); err == nil || strings.Contains(calls(), "enable") {
		t.Error("it was installed although nobody wanted it")
	}
	if out, errs, code := ask(strings.NewReader("y\n"), append([]string{"service", "install"}, data...)...); code != exitDone {
		t.Fatal(out, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `"serve" "--no-link" "--data-dir"`) {
		t.Errorf("%s %v", text, err)
	}
	for _, call := range []string{"enable --user tidemark.service", "daemon-reload --user", "start --user tidemark.service"} {
		if !strings.Contains(calls(), call+"\n") {
			t.Errorf("%q is missing in\n%s", call, calls())
		}
	}
	if s := serviceStatus(t, data...); !s.Installed || !s.Running || s.Stale {
		t.Errorf("installed: %+v", s)
	}
	if out, _, _ := ask(nil, append([]string{"service", "install", "--yes"}, data...)...); !strings.HasPrefix(out, "Unchanged") {
		t.Errorf("again: %s", out)
	}
	other := []string{"--data-dir", filepath.Join(t.TempDir(), "other")}
	if s := serviceStatus(t, other...); !s.Installed || !s.Stale {
		t.Errorf("for another folder: %+v", s)
	}
	if _, errs, code := ask(nil, append([]string{"service", "install", "--yes"}, other...)...); code != exitDone {
		t.Fatal(errs)
	}
	if s := serviceStatus(t, other...); !s.Installed || s.Stale {
		t.Errorf("installed anew: %+v", s)
	}
	for range 2 { // the second time there is nothing to do
		if _, errs, code := ask(nil, append([]string{"service", "remove"}, other...)...); code != exitDone {
			t.Fatal(errs)
		}
	}
	if _, err := os.Stat(file); err == nil || !strings.Contains(calls(), "disable --user tidemark.service\n") {
		t.Errorf("it is not removed: %s", calls())
	}
}

// TestServiceWithoutASystem leaves nothing behind.
func TestServiceWithoutASystem(t *testing.T) {
	for _, fails := range []string{"show-environment", "enable", "start --user"} {
		systemctl(t, fails)
		_, errs, code := ask(nil, "service", "install", "--yes", "--data-dir", filepath.Join(t.TempDir(), "data"))
		if code != exitFailed || !strings.Contains(errs, "install the service") {
			t.Errorf("%s: %d %s", fails, code, errs)
		}
		if _, err := os.Stat(filepath.Join(os.Getenv("HOME"), ".config/systemd/user/tidemark.service")); err == nil {
			t.Errorf("%s: a unit is left", fails)
		}
	}
}

// TestServiceAsksATerminal: without anybody there, --yes is needed.
func TestServiceAsksATerminal(t *testing.T) {
	systemctl(t, "")
	null, err := os.Create(filepath.Join(t.TempDir(), "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if _, errs, code := ask(null, "service", "install"); code != exitFailed || !strings.Contains(errs, "--yes") {
		t.Errorf("%d %s", code, errs)
	}
}
