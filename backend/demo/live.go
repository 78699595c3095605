package demo

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// thread gives the conversation at a place, at a time. It begins one where
// there is none.
func (l *life) thread(where place, at time.Time) *thread {
	era := l.eraAt(at)
	t := l.current[where.key]
	if t == nil {
		t = l.begun(where, era, l.modelAt(at), at)
	}
	if t.era != era { // the upgrade moved it into the database
		t.era, l.moved = era, len(t.records)
	}
	t.at = later(t.at.Add(30*time.Second), at)
	return t
}

// begun begins a session and makes it the current one of its place.
func (l *life) begun(where place, era byte, m *model, at time.Time) *thread {
	t := open(&l.truth, l.rng, l.who, where, era, m, at)
	l.threads = append(l.threads, t)
	l.current[where.key] = t
	return t
}

// modelAt is the model that the owner had chosen then: a dearer one of late.
func (l *life) modelAt(at time.Time) *model {
	if at.Before(l.upgrade) {
		return l.who.models[0]
	}
	return l.who.models[len(l.who.models)-1]
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// somewhere is a place of the agent, busy ones more often.
func (p *persona) somewhere(rng *rand.Rand) place {
	x := rng.Float64()
	for _, where := range p.keys {
		if x -= where.share; x < 0 {
			return where
		}
	}
	return p.keys[0]
}

func (l *life) talk(at time.Time) {
	t := l.chosen(l.thread(l.who.somewhere(l.rng), at))
	if topic := l.voice.play(t, l.end); topic != "" && l.rng.IntN(3) > 0 {
		l.diary = append(l.diary, diaryLine{t.at, topic})
	}
}

// chosen puts the model that the owner chose to work in a thread.
func (l *life) chosen(t *thread) *thread {
	if m := l.modelAt(t.at); t.model != m {
		t.model, t.sent = m, 0
		t.add(entryShape{Type: "model_change", Provider: m.provider, ModelID: m.id})
		t.snapshot()
	}
	return t
}

func (l *life) wake(at time.Time) {
	if t := l.thread(l.who.keys[0], at); t.at.Before(l.end) {
		l.voice.heartbeat(t)
	}
}

func (l *life) stray(at time.Time) {
	l.voice.branch(l.thread(l.who.keys[0], at), l.end)
}

// press compacts a conversation now.
func (l *life) press(at time.Time, how outcome) {
	t := l.thread(l.who.keys[0], at)
	for range 4 {
		if len(t.people) < 3 {
			l.voice.play(t, l.end)
		}
	}
	if len(t.people) == 0 {
		return
	}
	if how == byHand {
		t.background = false
		t.pass(20*time.Second, 40*time.Second)
		t.compact(byHand)
		t.gateway("⚙️ Compacted (" + known(t.tokens) + " tokens after).")
		return
	}
	t.compact(how)
}

func known(n int64) string {
	if n >= 1000 {
		return fmt.Sprint(n/1000) + "k"
	}
	return fmt.Sprint(n)
}

// renew begins the conversations anew: with a new session in the eras of
// files, with an entry in the newest.
func (l *life) renew(at time.Time) {
	for _, p := range l.who.keys {
		t := l.current[p.key]
		if t == nil {
			continue
		}
		if t = l.thread(p, at); t.era != eraDatabase {
			l.ended = append(l.ended, ending{t, l.reasonOf(), t.at})
			l.voice.greet(l.begun(p, t.era, t.model, t.at.Add(2*time.Second)))
			continue
		}
		if p.channel == "" {
			t.reset("new")
			l.voice.greet(t)
		} else {
			t.reset("daily")
		}
	}
}

func (l *life) reasonOf() string {
	if len(l.ended)%4 == 2 {
		return "deleted"
	}
	return "reset"
}

// digest is the mail agent's daily job, in one session a week.
func (l *life) digest(at time.Time) {
	where := place{key: "agent:mail:cron:" + digest.id, label: "Cron: " + digest.name}
	if at.In(zone).Weekday() == time.Monday {
		delete(l.current, where.key)
	}
	l.voice.cron(l.thread(where, at), digest)
}

// weekly is the bookkeeper's job, by the model that costs nothing.
func (l *life) weekly(at time.Time) {
	where := place{key: "agent:books:cron:" + weekly.id, label: "Cron: " + weekly.name}
	l.voice.cron(l.begun(where, l.eraAt(at), local, at), weekly)
}

// delegate lets a subagent look something up.
func (l *life) delegate(at time.Time) {
	main := l.thread(l.who.keys[0], at)
	task := "Compare the shipping offers of three couriers for fragile parcels and list what each insures."
	t := l.begun(place{key: "agent:main:subagent:" + uuid(l.rng), label: "Shipping offers compared"}, main.era, sonnet, main.at)
	t.background, t.lang = true, "en"
	t.say("[Subagent Context] You are running as a subagent (depth 1/1). Results auto-announce to your requester; do not busy-poll for status.\n\n[Subagent Task]: "+task, 0, nil)
	f := &filler{phrases: l.phrases["en"], rng: l.rng, bound: map[string]string{}}
	for range 2 + l.rng.IntN(2) {
		output, failed := l.voice.output(f, "browser")
		t.use("browser", f.fresh().fill(`{"action":"open","url":"https://courier.example/terms/{city}"}`), output, failed)
	}
	t.answer(text("Two of the three insure ceramics; one only with a double box. Prices depend on the zone, so I left them out. Sources are in the pages above."), "stop")
}
