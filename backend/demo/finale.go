package demo

import "time"

// What people see first are the last 24 hours: they are not left to chance.
const (
	// finale is how long before the end the script begins at the latest.
	finale = 24*time.Hour + 50*time.Minute
	// shown is the part of it in which what matters must lie.
	shown = 23 * time.Hour
	// evening is how long the mail agent's session takes to its first
	// compaction, night how long from there to the second.
	evening = 4*time.Hour + 48*time.Minute
	night   = 4*time.Hour + 24*time.Minute
	// callGrows is about what a call leaves in the context by itself.
	callGrows = 1_000
	// flushGrows is what a memory flush takes at least.
	flushGrows = 800
)

// act is a stretch of the last day in which the context of an agent's main
// conversation climbs to a level.
type act struct {
	from, to time.Time
	scenes   int
	goal     int64 // tokens at its end
	start    int64 // tokens at its beginning, known when it plays
	jobs     *job  // what runs by itself while people sleep; nil: nothing does
}

// script is what happens to the agent in the last day.
func (l *life) script() []event {
	begin := l.end.Add(-finale)
	part := func(hundredths int64) int64 { return l.limitNow() * hundredths / 100 }
	switch l.who.id {
	case "main":
		return append(l.climb(act{from: begin.Add(20 * time.Minute), to: l.end.Add(-12 * time.Minute), scenes: 34, goal: part(91), jobs: &kilnLog}),
			event{begin.Add(-80 * time.Minute), l.lower(part(45))}, event{l.dayBefore(3).Add(14 * time.Hour), l.spree})
	case "mail":
		return l.restless()
	case "books":
		return append(l.climb(act{from: begin.Add(20 * time.Minute), to: l.end.Add(-3 * time.Hour), scenes: 14, goal: part(54)}), event{begin.Add(-185 * time.Minute), l.lower(part(30))})
	}
	morning := l.lastAt(8, 5, 45*time.Minute)
	events := append(l.climb(act{from: begin.Add(20 * time.Minute), to: morning.Add(-20 * time.Minute), scenes: 30, goal: part(64)}), event{begin, l.lower(part(35))}, event{morning, l.afresh})
	return append(events, l.climb(act{from: morning.Add(10 * time.Minute), to: l.end.Add(-10 * time.Minute), scenes: 9, goal: part(14)})...)
}

// restless is the last night of the mail agent: a new session in the evening,
// and two compactions with work between them that nobody asked for.
func (l *life) restless() []event {
	second := l.lastAt(3, 14, 40*time.Minute)
	if second.Add(-night).Before(l.end.Add(-shown)) {
		second = l.end.Add(-6 * time.Hour)
	}
	first := second.Add(-night)
	begin, full := first.Add(-evening), l.limitNow()
	events := []event{{begin, l.renew}, {begin.Add(time.Minute), l.hold}, {first, l.overflow}, {second, l.overflow}, {second.Add(time.Minute), l.release}}
	events = append(events, l.climb(act{from: begin.Add(2 * time.Minute), to: first.Add(-8 * time.Minute), scenes: 26, goal: full * 97 / 100, jobs: &filing})...)
	events = append(events, l.climb(act{from: first.Add(10 * time.Minute), to: second.Add(-6 * time.Minute), scenes: 34, goal: full * 97 / 100, jobs: &filing})...)
	events = append(events, l.climb(act{from: second.Add(12 * time.Minute), to: l.end.Add(-14 * time.Minute), scenes: 12, goal: full * 31 / 100, jobs: &filing})...)
	for n, at := range []time.Time{begin.Add(95 * time.Minute), begin.Add(200 * time.Minute), first.Add(68 * time.Minute), first.Add(77 * time.Minute), first.Add(95 * time.Minute), first.Add(106 * time.Minute)} {
		lang := languages[n%len(languages)]
		s := &l.phrases[lang].scenes["night"][n/len(languages)]
		events = append(events, event{at, func(at time.Time) { l.voice.perform(l.thread(l.who.keys[0], at), s, lang, l.end) }})
	}
	return events
}

// lastAt is the last time the owner's clock showed it, some time before the
// end: where that is longer ago than is shown, six hours before the end.
func (s *story) lastAt(hour, minute int, before time.Duration) time.Time {
	at := s.dayBefore(0).Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
	if at.After(s.end.Add(-before)) {
		at = at.AddDate(0, 0, -1)
	}
	if at.Before(s.end.Add(-shown)) {
		return s.end.Add(-6 * time.Hour)
	}
	return at
}

// dayBefore is the midnight some days before the end's.
func (s *story) dayBefore(days int) time.Time {
	d := s.end.In(zone)
	return time.Date(d.Year(), d.Month(), d.Day()-days, 0, 0, 0, 0, zone)
}

// limitNow is where the agent's conversations compact at the end.
func (l *life) limitNow() int64 {
	t := thread{model: l.modelAt(l.end), era: l.eraAt(l.end)}
	return t.limit()
}

// scheduled is a scene of an act: when it begins, and which part of the climb is done then.
type scheduled struct {
	at   time.Time
	done float64
}

// climb plans the scenes of an act, some steeper than others. While people
// sleep there are none where nothing runs by itself.
func (l *life) climb(a act) (events []event) {
	if !a.from.Before(a.to) {
		return nil
	}
	var plan []scheduled
	done := 0.0
	for n := range a.scenes {
		at := a.from.Add(a.to.Sub(a.from) / time.Duration(a.scenes) * time.Duration(n))
		if a.jobs != nil || !asleep(at) {
			done += 0.2 + float64(l.rng.IntN(100))/60
			plan = append(plan, scheduled{at, done})
		}
	}
	for n, p := range plan {
		events = append(events, event{p.at, func(at time.Time) { l.step(&a, n == 0, p.done/done, at) }})
	}
	return events
}

// asleep says that the owner and customers are.
func asleep(at time.Time) bool {
	hour := at.In(zone).Hour()
	return hour >= 1 && hour < 7
}

// step plays a scene of an act, after which a part of the climb is done. While
// people sleep the agent's job runs.
func (l *life) step(a *act, first bool, done float64, at time.Time) {
	t := l.chosen(l.thread(l.who.keys[0], at))
	if first {
		a.start = t.tokens
	}
	t.toward = a.start + int64(float64(a.goal-a.start)*done)
	switch {
	case !asleep(at):
		if topic := l.voice.play(t, l.end); topic != "" {
			l.diary = append(l.diary, diaryLine{t.at, topic})
		}
	case a.jobs != nil && t.at.Before(l.end):
		l.voice.cron(t, *a.jobs)
	}
	t.toward, t.extra = 0, 0
}

// lower compacts the main conversation by hand where it holds more than that.
func (l *life) lower(most int64) func(time.Time) {
	return func(at time.Time) {
		if t := l.current[l.who.keys[0].key]; t != nil && t.tokens > most {
			l.press(at, byHand)
		}
	}
}

// hold leaves it to the script when the conversation compacts, and what the
// summaries leave out.
func (l *life) hold(at time.Time) {
	t := l.thread(l.who.keys[0], at)
	t.held, t.scripted = true, true
}

func (l *life) release(at time.Time) { l.thread(l.who.keys[0], at).held = false }

// overflow runs a job that fills the context, and compacts: the flush before it
// takes the context over its threshold.
func (l *life) overflow(at time.Time) {
	t := l.thread(l.who.keys[0], at)
	t.toward = t.limit() - flushGrows
	l.voice.cron(t, filing)
	t.toward, t.extra = 0, 0
	t.compact(summed)
}

// afresh is the owner's /new in the busiest group.
func (l *life) afresh(at time.Time) { l.thread(l.who.keys[0], at).reset("new") }

// spree is the dearest session of the last week: a subagent whose every other
// picture makes the provider's cache useless.
func (l *life) spree(at time.Time) {
	t := l.begun(place{key: "agent:main:subagent:" + uuid(l.rng), label: "Photos of four years described"}, l.eraAt(at), opus, at)
	t.background, t.lang = true, "en"
	t.say("[Subagent Context] You are running as a subagent (depth 1/1). Results auto-announce to your requester; do not busy-poll for status.\n\n[Subagent Task]: Describe every photo in photos/ in one line, for the catalogue.", 0, nil)
	t.extra = 1_700
	f := &filler{phrases: l.phrases["en"], rng: l.rng, bound: map[string]string{}}
	for n := range 56 {
		if n%2 == 0 {
			t.sent = 0
		}
		t.use("read", f.fresh().fill(`{"path":"photos/{order}-{n}.jpg"}`), f.fresh().fill("{item}, {glaze}, {temp} C"), false)
	}
	t.answer(text("All 620 photos have a line now, in photos/catalogue.md. Forty are blurred and say so."), "stop")
}
