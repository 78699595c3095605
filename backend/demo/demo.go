package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"tidemark/backend/memory"
)

// Options say what is invented. The same options give the same bytes.
type Options struct {
	Seed uint64
	// Now is when the story ends: the last words were said minutes before.
	Now time.Time
	// Months is how long it lasts, in months of 30 days; 0: 4.
	Months int
	// Size is how much is said, in percent of what is usual (some 8 MB in four
	// months); 0: 100.
	Size int
	// Damaged adds an archive that was cut off. It is left out of what people
	// see first: a sample that begins with a loss teaches nothing.
	Damaged bool
}

// Write invents an installation in dir, which must not exist or be empty: what
// is there is never touched. Where it fails or ctx ends, dir holds a part of
// it.
func Write(ctx context.Context, dir string, o Options) (Truth, error) {
	if o.Now.IsZero() {
		return Truth{}, &memory.Error{Code: memory.CodeInvalid, Op: "invent an installation", Err: errors.New("no time is given")}
	}
	if err := mustBeEmpty(dir); err != nil {
		return Truth{}, err
	}
	if o.Months == 0 {
		o.Months = 4
	}
	if o.Size == 0 {
		o.Size = 100
	}
	s := newStory(o)
	for _, l := range s.lives {
		if err := ctx.Err(); err != nil {
			return Truth{}, err
		}
		l.live()
	}
	if err := s.write(ctx, dir); err != nil {
		return Truth{}, fmt.Errorf("invent an installation: %w", err)
	}
	return s.truth, nil
}

func mustBeEmpty(dir string) error {
	names, err := os.ReadDir(dir)
	if err == nil && len(names) > 0 {
		return &memory.Error{Code: memory.CodeInvalid, Op: "invent an installation in " + dir, Err: errors.New("the folder is not empty"), Hint: "Name a new or empty folder."}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "invent an installation", Err: err, Hint: "Name a folder that you can write to."}
	}
	return nil
}
