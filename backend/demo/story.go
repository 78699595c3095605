package demo

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"
)

// story is the whole installation while it is invented.
type story struct {
	Options
	truth   Truth
	phrases map[string]*phrases
	lives   []*life
	begin   time.Time // midnight of the first day, in the owner's zone
	end     time.Time
}

func newStory(o Options) *story {
	s := &story{Options: o, truth: newTruth(), phrases: loadPhrases(), end: o.Now.Add(-3 * time.Minute)}
	first := o.Now.In(zone).AddDate(0, 0, -30*o.Months)
	s.begin = time.Date(first.Year(), first.Month(), first.Day(), 0, 0, 0, 0, zone)
	for i := range cast {
		who := &cast[i]
		s.lives = append(s.lives, &life{story: s, who: who, rng: rngOf(o.Seed, who.id), voice: newVoice(s.phrases), current: map[string]*thread{}, upgrade: s.begin.AddDate(0, 0, 15*o.Months)})
	}
	return s
}

// rngOf gives numbers of their own to whoever has a name.
func rngOf(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// life is what one agent goes through.
type life struct {
	*story
	who     *persona
	rng     *rand.Rand
	voice   *voice
	threads []*thread          // all, in the order in which they began
	current map[string]*thread // by key
	ended   []ending
	upgrade time.Time // when the owner upgraded it
	moved   int       // entries of the main conversation that the upgrade moved into the database
	days    int
	curtain time.Time // from then on the script says who talks
	diary   []diaryLine
}

// diaryLine is what an agent notes of a day.
type diaryLine struct {
	at    time.Time
	topic string
}

// ending says how a session of the eras of files ended.
type ending struct {
	thread *thread
	reason string // reset, deleted
	at     time.Time
}

// event is something that happens at a time.
type event struct {
	at time.Time
	do func(at time.Time)
}

func (l *life) live() {
	script := l.script()
	for _, e := range script {
		if at := e.at.Add(-10 * time.Minute); e.at.After(l.end.Add(-2*finale)) && (l.curtain.IsZero() || at.Before(l.curtain)) {
			l.curtain = at
		}
	}
	for day := l.begin; day.Before(l.end); day = day.AddDate(0, 0, 1) {
		events := l.day(day)
		for _, e := range script {
			if !e.at.Before(day) && e.at.Before(day.AddDate(0, 0, 1)) {
				events = append(events, e)
			}
		}
		slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })
		for _, e := range events {
			if e.at.Before(l.end) {
				e.do(e.at)
			}
		}
		l.days++
	}
	for _, t := range l.threads {
		l.truth.Longest = max(l.truth.Longest, int64(len(t.records)))
	}
}

// day plans a day without what the script has of it.
func (l *life) day(day time.Time) []event {
	chance := slices.DeleteFunc(l.chance(day), func(e event) bool { return !e.at.Before(l.curtain) })
	return append(chance, l.jobs(day)...)
}

// chance is the talk in the hours in which people talk, and on some days what
// an installation has to show.
func (l *life) chance(day time.Time) (events []event) {
	for range l.many(l.who.busy * rhythm(day.Weekday(), l.who.id)) {
		events = append(events, event{day.Add(hourOf(l.rng)), l.talk})
	}
	at := func(hour, minute int) time.Time {
		return day.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
	}
	if l.who.id == "books" && l.days%15 == 6 {
		events = append(events, event{at(11, 40), l.stray})
	}
	if l.days > 0 && l.days%l.who.restDays() == 0 {
		events = append(events, event{at(8, 5), l.renew})
	}
	return append(events, l.shows(at)...)
}

// jobs are what runs by itself.
func (l *life) jobs(day time.Time) (events []event) {
	at := func(hour, minute int) time.Time {
		return day.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
	}
	workday := day.Weekday() != time.Saturday && day.Weekday() != time.Sunday
	switch l.who.id {
	case "main":
		for _, hour := range []int{5, 23} {
			events = append(events, event{at(hour, 10), l.wake})
		}
		if l.days%7 == 4 && l.now('C', at(15, 0)) {
			events = append(events, event{at(15, 0), l.delegate})
		}
	case "mail":
		if workday {
			events = append(events, event{at(8, 30), l.digest})
		}
	case "books":
		if day.Weekday() == time.Monday {
			events = append(events, event{at(9, 5), l.weekly})
		}
	}
	return events
}

// restDays is how often a conversation begins anew; those in groups do so
// seldom.
func (p *persona) restDays() int {
	if p.resets == 0 {
		return 45
	}
	return p.resets
}

// now says which era it is for the agent.
func (l *life) now(era byte, at time.Time) bool { return l.eraAt(at) == era }

func (l *life) eraAt(at time.Time) byte {
	if at.Before(l.upgrade) {
		return l.who.before
	}
	return l.who.era
}

// shows are compactions of every kind, on days on which they come even where
// little is said.
func (l *life) shows(at func(hour, minute int) time.Time) (events []event) {
	press := func(how outcome) func(time.Time) {
		return func(at time.Time) { l.press(at, how) }
	}
	switch {
	case l.who.id == "main" && l.days == 9:
		events = append(events, event{at(21, 30), press(byHand)})
	case l.who.id == "main" && l.days == 26:
		events = append(events, event{at(21, 30), press(summed)})
	case l.who.id == "mail" && l.days == 13:
		events = append(events, event{at(20, 30), press(excused)})
	case l.who.id == "books" && l.days == 10:
		events = append(events, event{at(20, 30), press(withATwin)})
	case l.who.id == "shop" && l.days == 11:
		events = append(events, event{at(20, 30), press(byHand)})
	}
	return events
}

// rhythm is how busy a day is: the studio rests on Sunday, customers do not.
func rhythm(day time.Weekday, agent string) float64 {
	switch {
	case agent == "shop" && (day == time.Saturday || day == time.Sunday):
		return 1.35
	case day == time.Sunday:
		return 0.3
	case day == time.Saturday:
		return 0.6
	}
	return 1
}

// many turns a mean into a number of scenes.
func (l *life) many(mean float64) int {
	mean *= float64(l.Size) / 100 * (0.6 + 0.8*l.rng.Float64())
	n := int(mean)
	if l.rng.Float64() < mean-float64(n) {
		n++
	}
	return n
}

// hourOf gives a time of day at which people talk: mornings and evenings most,
// never at half past four.
func hourOf(rng *rand.Rand) time.Duration {
	spans := [...][2]int{{510, 720}, {780, 985}, {1055, 1290}} // minutes of the day
	s := spans[rng.IntN(3)]
	return time.Duration(s[0]+rng.IntN(s[1]-s[0])) * time.Minute
}
