package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"tidemark/backend/demo"
	"tidemark/backend/memory"
	"tidemark/backend/settings"
)

// demoAge is how old the invented installation may be: it ends when it was
// made, and "today" should have something to show.
const demoAge = 24 * time.Hour

// demoSeed is the seed of what everybody sees.
const demoSeed = 1

// stage is the folder of the invented installation, inside the data directory:
// its state, what Tidemark keeps of it, and when it was made.
//
//	demo/state      what OpenClaw would have written
//	demo/data       a data directory of its own: index, ledger, settings
//	demo/made.json  which version made it, and when
//
// It has a data directory of its own so that its numbers can never get into
// the person's index or ledger, and so that removing it is removing one folder.
type stage string

func (s stage) state() string  { return filepath.Join(string(s), "state") }
func (s stage) data() string   { return filepath.Join(string(s), "data") }
func (s stage) record() string { return filepath.Join(string(s), "made.json") }

// made says which version made an installation, and when.
type made struct {
	Version string    `json:"version"`
	At      time.Time `json:"at"`
}

// fresh says that what is there can be shown.
func (s stage) fresh(now time.Time) bool {
	body, err := os.ReadFile(s.record())
	var m made
	if err != nil || json.Unmarshal(body, &m) != nil {
		return false
	}
	age := now.Sub(m.At)
	return m.Version == Version && age >= 0 && age < demoAge
}

// prepare makes the installation where it is missing, old or of another
// version. What another process shows stays as it is.
func (s stage) prepare(ctx context.Context, now time.Time) error {
	if s.fresh(now) {
		return nil
	}
	dir, err := settings.Open(s.data())
	if err != nil {
		return err
	}
	lock, err := dir.Lock()
	if memory.CodeOf(err) == memory.CodeBusy {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(s.make(ctx, dir, now), lock.Release())
}

// make invents the installation anew. What was kept of the old one goes with
// it: the ledger would bring it back.
func (s stage) make(ctx context.Context, dir *settings.Dir, now time.Time) error {
	next := s.state() + ".new"
	gone := []string{s.record(), s.state(), next, dir.Ledger(), dir.Index(), dir.Index() + "-wal", dir.Index() + "-shm"}
	for _, path := range gone {
		if err := os.RemoveAll(path); err != nil {
			return s.failed("clear the old demo", err)
		}
	}
	if _, err := demo.Write(ctx, next, demo.Options{Seed: demoSeed, Now: now}); err != nil {
		return err
	}
	if err := os.Rename(next, s.state()); err != nil {
		return s.failed("put the demo in place", err)
	}
	body, err := json.Marshal(made{Version, now.UTC()})
	if err != nil {
		return s.failed("note when the demo was made", err)
	}
	if err := os.WriteFile(s.record(), body, 0o600); err != nil {
		return s.failed("note when the demo was made", err)
	}
	return nil
}

// discard deletes the installation and all that was kept of it, unless another
// process has it open.
func (s stage) discard() error {
	if _, err := os.Stat(string(s)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	dir, err := settings.Open(s.data())
	if err != nil {
		return err
	}
	lock, err := dir.Lock()
	if err != nil {
		return err
	}
	if err := lock.Release(); err != nil { // Windows deletes no file that is open
		return err
	}
	if err := os.RemoveAll(string(s)); err != nil {
		return s.failed("remove the demo", err)
	}
	return nil
}

func (s stage) failed(op string, err error) error {
	return &memory.Error{Code: memory.CodeUnavailable, Op: op, Err: err, Hint: "Nothing of yours is in " + string(s) + "; you can delete that folder."}
}

// talk lets the agents of the installation go on talking until ctx ends or the
// function it gives is called, which waits for the end.
func (s stage) talk(ctx context.Context) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := demo.NewTalker(s.state(), demo.TalkOptions{Seed: demoSeed}).Talk(ctx)
		if ctx.Err() == nil {
			slog.Warn("the demo fell silent", "err", err)
		}
	}()
	return func() {
		stop()
		<-done
	}
}

// useDemo puts the invented installation in the place of the one that would be
// looked at, and its data directory in the place of the person's.
func (c *command) useDemo(ctx context.Context) error {
	if !c.demo {
		return nil
	}
	if c.stateDir != "" || c.profile != "" {
		return usageError{errors.New("--demo shows an invented installation: leave --state-dir and --profile out")}
	}
	data, err := c.dataPath()
	if err != nil {
		return err
	}
	c.stage = stageIn(data)
	if err := c.stage.prepare(ctx, time.Now()); err != nil {
		return fmt.Errorf("prepare the demo: %w", err)
	}
	c.stateDir, c.dataDir = c.stage.state(), c.stage.data()
	return nil
}

// stageIn gives the stage of a data directory.
func stageIn(data string) stage { return stage(filepath.Join(data, "demo")) }

// talk is stage.talk where the demo is shown, else nothing.
func (c *command) talk(ctx context.Context) (end func()) {
	if c.stage == "" {
		return func() {}
	}
	return c.stage.talk(ctx)
}

// demoState is the state directory of the demo where it is shown, else "".
func (c *command) demoState() string {
	if c.stage == "" {
		return ""
	}
	return c.stage.state()
}
