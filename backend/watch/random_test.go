package watch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// player does at random what programs do to files. It looks at what is there to
// choose from, so a step that makes no sense is left out.
type player struct {
	*rand.Rand
	t             *testing.T
	root, outside string
	n             int
}

func (p *player) text() string {
	p.n++
	return fmt.Sprintf("%d.", p.n)
}

// dir gives a folder of the tree, which may not exist.
func (p *player) dir() string {
	path := p.root
	for range p.IntN(4) {
		path = filepath.Join(path, fmt.Sprintf("d%d", p.IntN(3)))
	}
	return path
}

func (p *player) file() string {
	names := []string{"a.jsonl", "b.jsonl", "MEMORY.md", "c.sqlite", "c.sqlite-wal"}
	return filepath.Join(p.dir(), names[p.IntN(len(names))])
}

// step changes something. Errors are those of a choice that makes no sense.
func (p *player) step() {
	file, dir := p.file(), p.dir()
	away := filepath.Join(p.outside, fmt.Sprintf("o%d", p.IntN(3)))
	switch p.IntN(13) {
	case 0, 1, 2:
		if exists(file) {
			add(p.t, file, p.text())
		}
	case 3, 4:
		if os.MkdirAll(filepath.Dir(file), 0o755) == nil {
			_ = os.WriteFile(file, []byte(p.text()), 0o600)
		}
	case 5: // replaced, as OpenClaw writes sessions.json
		if exists(filepath.Dir(file)) {
			write(p.t, file+".1.tmp", p.text())
			ok(p.t, os.Rename(file+".1.tmp", file))
		}
	case 6:
		_ = os.Truncate(file, 1)
	case 7:
		_ = os.Remove(file)
	case 8:
		_ = os.Rename(file, p.file())
	case 9:
		_ = os.Rename(dir, p.dir())
	case 10:
		if dir != p.root && p.IntN(2) == 0 {
			ok(p.t, os.RemoveAll(dir))
		}
	case 11: // moved out of sight
		if dir != p.root && !exists(away) {
			_ = os.Rename(dir, away)
		}
	case 12: // and back, changed
		if exists(away) {
			write(p.t, filepath.Join(away, "d0", "b.jsonl"), p.text())
			if os.Rename(away, dir) != nil {
				ok(p.t, os.RemoveAll(away))
			}
		}
	}
}

// play makes steps, with a look at what was noticed now and then.
func play(t *testing.T, r *reader, seed uint64, root string, steps int) {
	p := &player{Rand: rand.New(rand.NewPCG(seed, 0)), t: t, root: root, outside: t.TempDir()}
	for range steps {
		p.step()
		if p.IntN(40) == 0 {
			r.agrees()
		}
	}
	r.agrees()
}

// TestNothingIsMissed compares what a caller knows who looks only at what it is
// told of with what is there.
func TestNothingIsMissed(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "root")
			ok(t, os.Mkdir(root, 0o755))
			r := watching(t, Options{pace: byEvents}, Root{Path: root, Reach: Tree})
			play(t, r, seed, root, 600)
			if r.alls != 1 {
				t.Errorf("everything was looked at %d times, want once", r.alls)
			}
			if s := r.w.State(); s.Mode != Events || s.Notice != nil {
				t.Errorf("state %+v", s)
			}
		})
	}
}
