package stats

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"tidemark/backend/memory"
)

// Span is a stretch of time: From is in it, To is not. 0 is no bound.
type Span struct{ From, To memory.Millis }

// SpanOf reads a span from two moments in RFC 3339, "" for no bound.
func SpanOf(from, to string) (s Span, err error) {
	for _, b := range []struct {
		text string
		into *memory.Millis
	}{{from, &s.From}, {to, &s.To}} {
		if b.text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, b.text)
		if err != nil {
			return Span{}, &memory.Error{Code: memory.CodeInvalid, Op: fmt.Sprintf("read the moment %q", b.text), Hint: "Write moments as 2026-05-31T00:00:00+08:00.", Err: err}
		}
		*b.into = memory.MillisOf(at)
	}
	if s.From != 0 && s.To != 0 && s.From > s.To {
		return Span{}, &memory.Error{Code: memory.CodeInvalid, Op: "read the span of time", Hint: "It ends before it begins."}
	}
	return s, nil
}

// Holds says whether a moment is in the span. One that is not known lies in no
// bounded one.
func (s Span) Holds(at memory.Millis) bool {
	if s == (Span{}) {
		return true
	}
	return at != 0 && at >= s.From && (s.To == 0 || at < s.To)
}

// MonthOf gives the month that a moment is in.
func MonthOf(now time.Time, zone *time.Location) Span {
	now = now.In(zone)
	first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, zone)
	return Span{memory.MillisOf(first), memory.MillisOf(time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, zone))}
}

// paceFrom is the day of the month from which its pace means something.
const paceFrom = 3

// Pace gives what a month costs if it goes on like this; ok is false in its
// first two days.
func (s Span) Pace(spent memory.Money, now time.Time, zone *time.Location) (dollars float64, ok bool) {
	gone := memory.MillisOf(now) - s.From
	if now.In(zone).Day() < paceFrom || gone <= 0 {
		return 0, false
	}
	return spent.Dollars() * float64(s.To-s.From) / float64(gone), true
}

// Clip gives the part of a tide that lies in the span.
func (s Span) Clip(t Tide) (out Tide) {
	kept := make([]int, len(t.Points)+1) // how many points before each are kept
	for i, p := range t.Points {
		kept[i+1] = kept[i]
		if s.Holds(p.At) {
			out.Points = append(out.Points, p)
			kept[i+1]++
		}
	}
	for _, f := range t.Falls {
		if s.Holds(f.At) {
			f.Call = kept[f.Call]
			out.Falls = append(out.Falls, f)
		}
	}
	return out
}

// Thin gives a tide of at most n points, or of as many as the falls need. What
// stands right before and behind each fall is kept, the first and last point,
// and of each stretch between the lowest and the highest level.
func Thin(t Tide, n int) Tide {
	if len(t.Points) <= n {
		return t
	}
	keep := map[int]bool{0: true, len(t.Points) - 1: true}
	for _, f := range t.Falls {
		for _, i := range []int{f.Call - 1, f.Call} {
			if i >= 0 && i < len(t.Points) {
				keep[i] = true
			}
		}
	}
	extremes(t.Points, 0, len(t.Points), keep)
	for buckets, b := (n-len(keep))/2, 0; b < buckets; b++ {
		extremes(t.Points, b*len(t.Points)/buckets, (b+1)*len(t.Points)/buckets, keep)
	}
	return chosen(t, keep)
}

// extremes keeps the lowest and the highest of some points; those without a
// level count for neither.
func extremes(points []TidePoint, from, to int, keep map[int]bool) {
	low, high := -1, -1
	for i := from; i < to; i++ {
		level := points[i].Level()
		if level < 0 {
			continue
		}
		if low < 0 || level < points[low].Level() {
			low = i
		}
		if high < 0 || level > points[high].Level() {
			high = i
		}
	}
	if low >= 0 {
		keep[low], keep[high] = true, true
	}
}

// chosen gives a tide of some of its points.
func chosen(t Tide, keep map[int]bool) Tide {
	order := make([]int, 0, len(keep))
	for i := range keep {
		order = append(order, i)
	}
	slices.SortFunc(order, cmp.Compare[int])
	out := Tide{Falls: slices.Clone(t.Falls)}
	for _, i := range order {
		out.Points = append(out.Points, t.Points[i])
	}
	for k := range out.Falls {
		out.Falls[k].Call, _ = slices.BinarySearch(order, out.Falls[k].Call)
	}
	return out
}
