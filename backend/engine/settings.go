package engine

import (
	"context"
	"log/slog"
	"slices"

	"tidemark/backend/api"
	"tidemark/backend/openclaw"
	"tidemark/backend/settings"
)

// preferences gives what the person chose, the defaults where that cannot be
// read: a screen that needs them is still of use.
func (e *Engine) preferences() settings.Preferences {
	p, err := e.dir.LoadPreferences()
	if err != nil {
		slog.Warn("the preferences could not be read", "err", err)
	}
	return p
}

// Settings gives the person's choices.
func (e *Engine) Settings(_ context.Context, q api.Query) (api.Settings, error) {
	p, err := e.dir.LoadPreferences()
	if err != nil {
		return api.Settings{}, err
	}
	out := api.Settings{Language: p.Language, Theme: p.Theme, Density: p.Density, Timezone: p.Timezone, DailyBudget: p.DailyBudget, Closing: p.Closing, StateDir: p.StateDir,
		Notices: []string{}}
	for _, n := range e.dir.Notices() {
		out.Notices = append(out.Notices, n.Message)
	}
	i, err := e.get(q.Installation)
	if err != nil {
		return out, nil // no installation is known yet: nothing is counted in any zone
	}
	zone, err := i.zone("")
	if err != nil {
		out.Notices = append(out.Notices, err.Error())
		return out, nil
	}
	out.Zone = zoneName(zone)
	return out, nil
}

// SetSettings replaces the person's choices and gives what holds then. Zone and
// Notices are not looked at. Another state directory is looked at from now on,
// and is the default; one that is not there changes nothing.
func (e *Engine) SetSettings(ctx context.Context, q api.Query, to api.Settings) (api.Settings, error) {
	was := e.preferences().StateDir
	if to.StateDir != was {
		if err := e.turnTo(ctx, to.StateDir); err != nil {
			return api.Settings{}, err
		}
	}
	err := e.dir.SavePreferences(settings.Preferences{Language: to.Language, Theme: to.Theme, Density: to.Density, Timezone: to.Timezone,
		DailyBudget: to.DailyBudget, Closing: to.Closing, StateDir: to.StateDir})
	if err != nil {
		return api.Settings{}, err
	}
	return e.Settings(ctx, q)
}

// turnTo makes a state directory, that of OpenClaw's own choice for "", the
// default installation.
func (e *Engine) turnTo(ctx context.Context, stateDir string) error {
	inst, err := openclaw.Resolve(e.opts.Env, stateDir, "")
	if err != nil {
		return err
	}
	if _, err := e.Use(ctx, inst); err != nil {
		return err
	}
	e.mu.Lock()
	e.order = append([]string{inst.ID}, slices.DeleteFunc(e.order, func(id string) bool { return id == inst.ID })...)
	i := e.insts[inst.ID]
	e.mu.Unlock()
	e.rouse(i)
	return nil
}
