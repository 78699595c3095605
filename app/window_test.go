package app

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tidemark/frontend"
)

// TestRealWindow builds the program with its window and starts it on a screen
// of its own: it opens, draws, obeys the keyboard, shows itself when it is
// started again, asks about closing once, goes on in the background, and quits.
func TestRealWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: a window is not short")
	}
	if runtime.GOOS != "linux" {
		t.Skip("skipped: only Linux has a screen without a screen")
	}
	for _, tool := range []string{"Xvfb", "xdotool", "import", "pkg-config"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: %s is not installed (make test installs it)", tool)
		}
	}
	if exec.Command("pkg-config", "--exists", "webkit2gtk-4.1", "gtk+-3.0").Run() != nil {
		t.Skip("skipped: the libraries of the window are not installed (make test installs them)")
	}
	if !frontend.Built() {
		t.Skip("skipped: the front end is not built (make test builds it)")
	}
	s := newScreen(t)
	first := s.start()
	window := s.window()
	if title := s.xdotool("getwindowname", window); title != "Tidemark" {
		t.Errorf("its title is %q", title)
	}
	today := s.drawn("today", nil)
	s.xdotool("windowfocus", window)
	s.key("g", "s")
	sessions := s.drawn("sessions", today)
	s.key("ctrl+4") // of the menu
	costs := s.drawn("costs", sessions)
	s.key("ctrl+w")
	s.drawn("question", costs)
	s.key("Return") // keep watching
	s.wait("the window is hidden", func() bool { return s.xdotool("search", "--onlyvisible", "--name", "^Tidemark$") == "" })
	if again := s.start(); again.Wait() != nil {
		t.Error("a second start fails")
	}
	s.window()
	s.xdotool("windowfocus", window)
	s.key("ctrl+q")
	if err := first.Wait(); err != nil {
		t.Errorf("it ends with %v: %s", err, s.errs.String())
	}
	if _, err := os.Stat(filepath.Join(s.data, "window.json")); err != nil {
		t.Errorf("its place is not kept: %v", err)
	}
}

// screen is an X server without a screen, and what runs on it.
type screen struct {
	t           *testing.T
	display     string
	bin         string
	state, data string
	errs        bytes.Buffer
}

// longest is how long a slow machine may take for anything that is waited for.
const longest = 60 * time.Second

func newScreen(t *testing.T) *screen {
	t.Helper()
	s := &screen{t: t, bin: filepath.Join(t.TempDir(), "tidemark"), state: inventedState(t), data: filepath.Join(t.TempDir(), "data")}
	build := exec.Command("go", "build", "-tags", "desktop,production,webkit2_41", "-o", s.bin, "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=1", "HOME="+realHome) // the caches of Go are there
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1400x900x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{write}
	if err := x.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		x.Process.Kill()
		x.Wait()
	})
	write.Close()
	number := make([]byte, 16)
	n, err := read.Read(number)
	if err != nil {
		t.Fatalf("Xvfb names no display: %v", err)
	}
	s.display = ":" + strings.TrimSpace(string(number[:n]))
	return s
}

func (s *screen) env() []string {
	return append(os.Environ(), "DISPLAY="+s.display, "WAYLAND_DISPLAY=")
}

func (s *screen) start() *exec.Cmd {
	s.t.Helper()
	cmd := exec.Command(s.bin, "--state-dir", s.state, "--data-dir", s.data)
	cmd.Env = s.env()
	cmd.Stderr = &s.errs
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { cmd.Process.Kill() })
	return cmd
}

func (s *screen) xdotool(args ...string) string {
	cmd := exec.Command("xdotool", args...)
	cmd.Env = s.env()
	out, _ := cmd.Output() // it fails where nothing is found
	return strings.TrimSpace(string(out))
}

func (s *screen) key(keys ...string) {
	for _, k := range keys {
		s.xdotool("key", k)
	}
}

// wait waits until something is so, looking at it every now and then: the X
// server tells nobody.
func (s *screen) wait(what string, so func() bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for !so() {
		select {
		case <-ctx.Done():
			s.t.Fatalf("waited for: %s\n%s", what, s.errs.String())
		case <-look.C:
		}
	}
}

// window waits for the window that is seen, and gives it.
func (s *screen) window() (id string) {
	s.t.Helper()
	s.wait("the window is seen", func() bool {
		found := strings.Fields(s.xdotool("search", "--onlyvisible", "--name", "^Tidemark$"))
		if len(found) > 0 {
			id = found[len(found)-1]
		}
		return id != ""
	})
	return id
}

// drawn waits for a picture that shows something, is another one than before,
// and stays.
func (s *screen) drawn(name string, before *image.RGBA) (picture *image.RGBA) {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), name+".png")
	if dir := os.Getenv("TIDEMARK_SHOTS"); dir != "" {
		file = filepath.Join(dir, "window-"+name+".png")
	}
	s.wait(name+" is drawn", func() bool {
		now := s.photograph(file)
		still := picture != nil && differing(now, picture) < 400
		picture = now
		return still && colours(now) > 20 && (before == nil || differing(now, before) > 2000)
	})
	return picture
}

func (s *screen) photograph(file string) *image.RGBA {
	s.t.Helper()
	cmd := exec.Command("import", "-window", "root", file)
	cmd.Env = s.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("photograph: %v %s", err, out)
	}
	f, err := os.Open(file)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	decoded, _, err := image.Decode(f)
	if err != nil {
		s.t.Fatal(err)
	}
	picture := image.NewRGBA(decoded.Bounds())
	draw.Draw(picture, picture.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	return picture
}

// differing counts the points in which two pictures of a size differ.
func differing(a, b *image.RGBA) (n int) {
	for i := 0; i < len(a.Pix); i += 4 {
		if !bytes.Equal(a.Pix[i:i+4], b.Pix[i:i+4]) {
			n++
		}
	}
	return n
}

// colours counts the colours of a picture, looking at every third point.
func colours(p *image.RGBA) int {
	seen := map[[4]byte]bool{}
	for i := 0; i < len(p.Pix); i += 12 {
		seen[[4]byte(p.Pix[i:i+4])] = true
	}
	return len(seen)
}
