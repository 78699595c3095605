package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"time"

	"tidemark/backend/memory"
)

// maxSettings bounds what is read as preferences, in bytes: the file has a
// few lines, and anything beyond this is something else.
const maxSettings = 1 << 20

// Preferences is what the person chose. The zero value of a field means that
// nothing was chosen, and Tidemark finds out or uses its default.
type Preferences struct {
	Language    string  // "en" or "zh"; "": that of the system
	Theme       string  // "light" or "dark"; "": that of the system
	Density     string  // "roomy"; "": compact
	Closing     string  // what closing the window does: "background" or "quit"; "": ask
	StateDir    string  // OpenClaw's state directory; "": as OpenClaw finds it
	Timezone    string  // IANA name such as "Asia/Shanghai"; "": that of the system
	DailyBudget float64 // US dollars a day; 0: none
}

// fields gives where each field of the file is kept in p. Other fields of the
// file belong to other versions of Tidemark.
func (p *Preferences) fields() map[string]any {
	return map[string]any{
		"language":    &p.Language,
		"theme":       &p.Theme,
		"density":     &p.Density,
		"closing":     &p.Closing,
		"stateDir":    &p.StateDir,
		"timezone":    &p.Timezone,
		"dailyBudget": &p.DailyBudget,
	}
}

// LoadPreferences reads the preferences. Where there is no file they are the
// zero value. A file that cannot be understood is renamed to a name that tells
// when, Notices says so, and the zero value is used. An error means that the
// file exists and could not be read or renamed; it is then left as it is.
func (d *Dir) LoadPreferences() (Preferences, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, _, err := d.load()
	return p, err
}

// SavePreferences replaces the preferences on disk by p, whole or not at all.
// Fields of the file that this version does not know stay. A budget that is
// negative or no number, a zone that is not known here, or a choice that no
// screen offers gives CodeInvalid.
func (d *Dir) SavePreferences(p Preferences) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	old, all, err := d.load()
	if err != nil {
		return err
	}
	if err := p.check(old); err != nil {
		return &memory.Error{Code: memory.CodeInvalid, Op: "save preferences", Err: err}
	}
	for name, value := range p.fields() {
		raw, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("encode preference %s: %w", name, err)
		}
		all[name] = raw
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("encode preferences: %w", err)
	}
	if err := WriteFile(d.Settings(), append(text, '\n'), fileMode); err != nil {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "save preferences", Err: err}
	}
	return nil
}

// check refuses what would break sums and days, and what no screen offers
// unless it stands there already: another version may have written it.
func (p Preferences) check(old Preferences) error {
	if p.DailyBudget < 0 || math.IsNaN(p.DailyBudget) || math.IsInf(p.DailyBudget, 0) {
		return fmt.Errorf("%v is no daily budget", p.DailyBudget)
	}
	if _, err := time.LoadLocation(p.Timezone); err != nil {
		return fmt.Errorf("%q is no time zone: %w", p.Timezone, err)
	}
	for _, choice := range []struct {
		name, chosen, before string
		of                   []string
	}{
		{"language", p.Language, old.Language, []string{"", "en", "zh"}}, {"theme", p.Theme, old.Theme, []string{"", "light", "dark"}},
		{"density", p.Density, old.Density, []string{"", "roomy"}}, {"closing", p.Closing, old.Closing, []string{"", "background", "quit"}},
	} {
		if choice.chosen != choice.before && !slices.Contains(choice.of, choice.chosen) {
			return fmt.Errorf("%q is no %s: it is one of %q", choice.chosen, choice.name, choice.of)
		}
	}
	return nil
}

// load reads the preferences and every field of the file as it is. The caller
// holds d.mu.
func (d *Dir) load() (Preferences, map[string]json.RawMessage, error) {
	text, err := readAtMost(d.Settings(), maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return Preferences{}, map[string]json.RawMessage{}, nil
	}
	if err != nil {
		return Preferences{}, nil, &memory.Error{Code: memory.CodeUnavailable, Op: "read preferences", Err: err}
	}
	p, all, fault := parse(text)
	if fault == nil {
		return p, all, nil
	}
	if err := d.setAside(fault); err != nil {
		return Preferences{}, nil, err
	}
	return Preferences{}, map[string]json.RawMessage{}, nil
}

// parse reads the text of the file.
func parse(text []byte) (p Preferences, all map[string]json.RawMessage, err error) {
	if len(text) > maxSettings {
		return p, nil, fmt.Errorf("it has more than %d bytes", maxSettings)
	}
	// Some editors put a byte order mark in front.
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &all); err != nil {
		return p, nil, err
	}
	if all == nil {
		return p, nil, errors.New("it is null")
	}
	for name, value := range p.fields() {
		if raw, ok := all[name]; ok {
			if err := json.Unmarshal(raw, value); err != nil {
				return Preferences{}, nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return p, all, nil
}

// setAside renames the file of the preferences to a name that is free. The
// caller holds d.mu.
func (d *Dir) setAside(fault error) error {
	base := d.Settings() + ".damaged-" + d.now().UTC().Format("20060102T150405Z")
	name := base
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return &memory.Error{Code: memory.CodeUnavailable, Op: "set preferences aside", Err: err}
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
	if err := os.Rename(d.Settings(), name); err != nil {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "set preferences aside", Err: err}
	}
	d.notice(memory.Problem{
		Code: NoticeSettings, Path: name,
		Message: fmt.Sprintf("The preferences could not be read (%v). The defaults are used.", fault),
		Hint:    "The file was kept under this name; copy from it what you need.",
	})
	return nil
}

// readAtMost reads path, but no more than max+1 bytes of it.
func readAtMost(path string, max int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return io.ReadAll(io.LimitReader(f, max+1))
}
