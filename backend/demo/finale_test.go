package demo

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// lived lets a story happen without writing it.
func lived(o Options) *story {
	if o.Months == 0 {
		o.Months = 4
	}
	if o.Size == 0 {
		o.Size = 100
	}
	s := newStory(o)
	for _, l := range s.lives {
		l.live()
	}
	return s
}

// level is what a transcript says of the context at a time.
type level struct {
	at     time.Time
	kind   string
	tokens int64
}

func levels(t *testing.T, th *thread) (all []level) {
	t.Helper()
	for _, r := range th.records {
		var e seen
		if err := json.Unmarshal(r.body, &e); err != nil {
			t.Fatal(err)
		}
		if r.kind != "message" || e.Message.Usage.TotalTokens > 0 {
			all = append(all, level{r.at, r.kind, e.Message.Usage.TotalTokens})
		}
	}
	return all
}

// hours are ends at every time of day: the last day must be as lively whenever
// somebody looks.
func hours(o Options) (all []Options) {
	for h := range 24 {
		o.Now = noon.Add(time.Duration(h)*time.Hour + 17*time.Minute)
		all = append(all, o)
	}
	return all
}

// TestLastDay checks what Today shows first, of an installation of any size.
func TestLastDay(t *testing.T) {
	for _, o := range append(hours(tiny), Options{Seed: 1, Now: noon}, Options{Seed: 3, Now: noon.Add(14 * time.Hour), Months: 2}) {
		s := lived(o)
		name := o.Now.In(zone).Format("15:04")
		for _, want := range []struct {
			agent              int
			least, most        int64 // hundredths of the threshold
			calls              int
			compactions, reset int
		}{{0, 88, 92, 60, 0, 0}, {1, 10, 40, 130, 2, 0}, {2, 45, 65, 15, 0, 0}, {3, 7, 25, 25, 0, 1}} {
			l := s.lives[want.agent]
			th := l.current[l.who.keys[0].key]
			calls, found := 0, map[string]int{}
			for _, v := range levels(t, th) {
				if v.at.Before(s.end.Add(-24 * time.Hour)) {
					continue
				}
				found[v.kind]++
				if v.tokens > 0 {
					calls++
				}
			}
			now := th.tokens * 100 / th.limit()
			if now < want.least || now > want.most || calls < want.calls || found["compaction"] != want.compactions || found["reset"] != want.reset {
				t.Errorf("%s at %s: %d%%, %d calls, %v", l.who.id, name, now, calls, found)
			}
		}
	}
}

// TestNobodyStandsAboveTheThreshold looks at where conversations are left, and
// how high they ever came.
func TestNobodyStandsAboveTheThreshold(t *testing.T) {
	for _, o := range append(hours(tiny), Options{Seed: 1, Now: noon}) {
		for _, l := range lived(o).lives {
			for _, th := range l.threads {
				if th.tokens > th.limit() {
					t.Errorf("%s is left at %d of %d", th.where.key, th.tokens, th.limit())
				}
				for _, v := range levels(t, th) {
					if v.tokens > th.model.window {
						t.Errorf("%s is at %d of a window of %d", th.where.key, v.tokens, th.model.window)
					}
				}
			}
		}
	}
}

// TestWhatTheLastNightLost looks at the summaries of the last night: they leave
// out what the script says, and nothing else; no memory file has it either.
func TestWhatTheLastNightLost(t *testing.T) {
	for _, o := range []Options{tiny, {Seed: 1, Now: noon}} {
		s := lived(o)
		l := s.lives[1]
		th := l.current[l.who.keys[0].key]
		var ids, summaries []string
		for _, r := range th.records {
			if r.kind == "compaction" {
				ids, summaries = append(ids, r.id), append(summaries, string(r.body))
			}
		}
		if len(ids) != 2 {
			t.Fatalf("%d compactions", len(ids))
		}
		var lost []string
		for _, st := range s.truth.Statements {
			if st.Session != th.id {
				continue
			}
			if st.Lost == "" {
				if strings.Contains(st.Text, "Aubert") && !strings.Contains(summaries[1], st.Text) {
					t.Errorf("%q is not kept", st.Text)
				}
				continue
			}
			lost = append(lost, st.Text)
			if st.Lost != ids[1] || strings.Contains(summaries[1], st.Text) || strings.Contains(string(l.longMemory()), st.Text) {
				t.Errorf("%q is lost at %s and yet kept", st.Text, st.Lost)
			}
		}
		if want := []string{"别在半夜推东西给我", "Weekly report: three bullet points, no tables"}; !slices.Equal(lost, want) {
			t.Errorf("lost are %q", lost)
		}
	}
}

// TestDearestDay: the last week has a day that stands out, for one session.
func TestDearestDay(t *testing.T) {
	truth := lived(Options{Seed: 1, Now: noon}).truth
	day := noon.AddDate(0, 0, -3).In(zone).Format(time.DateOnly)
	for back := range 7 {
		other := noon.AddDate(0, 0, -back).Format(time.DateOnly)
		if other != day && truth.Days[other].Cost*5 > truth.Days[day].Cost*4 {
			t.Errorf("%s cost %v, the dearest day %v", other, truth.Days[other].Cost, truth.Days[day].Cost)
		}
	}
	t.Logf("%v dollars, dearest day %v", truth.Cost.Dollars(), truth.Days[day].Cost.Dollars())
	if d := truth.Cost.Dollars(); d < 300 || d > 650 {
		t.Errorf("it cost %v dollars", d)
	}
}
