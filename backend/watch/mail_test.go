package watch

import (
	"context"
	"reflect"
	"testing"
	"testing/synctest"
	"time"
)

// delivery is a batch and how long after the beginning it came.
type delivery struct {
	at    time.Duration
	batch Batch
}

// mailed runs a mail while do adds to it, and gives what was handed over. It
// runs in a bubble, where time passes only when all wait.
func mailed(t *testing.T, slow time.Duration, do func(add func(paths ...string), all func())) (got []delivery) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		m := newMail(50*time.Millisecond, 150*time.Millisecond, time.Now)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			m.run(ctx, func(b Batch) {
				got = append(got, delivery{time.Since(begin), b})
				time.Sleep(slow)
			})
		}()
		do(func(paths ...string) {
			set := map[string]struct{}{}
			for _, p := range paths {
				set[p] = struct{}{}
			}
			m.add(set, false)
		}, func() { m.add(nil, true) })
		time.Sleep(time.Second)
		cancel()
		<-done
	})
	return got
}

// after passes time in the bubble.
func after(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) }

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func TestMail(t *testing.T) {
	for _, c := range []struct {
		name string
		slow time.Duration
		do   func(add func(...string), all func())
		want []delivery
	}{
		{"nothing is no batch", 0, func(add func(...string), _ func()) { add() }, nil},
		{"the first comes at once, the rest together", 0, func(add func(...string), _ func()) {
			add("b", "a")
			after(10)
			add("c")
			after(10)
			add("a")
		}, []delivery{{0, Batch{Paths: []string{"a", "b"}}}, {ms(70), Batch{Paths: []string{"a", "c"}}}}},
		{"after a pause at once again", 0, func(add func(...string), _ func()) {
			add("a")
			after(50)
			add("b")
		}, []delivery{{0, Batch{Paths: []string{"a"}}}, {ms(50), Batch{Paths: []string{"b"}}}}},
		{"constant writes wait no longer than the most", 0, func(add func(...string), _ func()) {
			for range 18 {
				add("a")
				after(20)
			}
		}, []delivery{{0, Batch{Paths: []string{"a"}}}, {ms(170), Batch{Paths: []string{"a"}}}, {ms(330), Batch{Paths: []string{"a"}}}, {ms(390), Batch{Paths: []string{"a"}}}}},
		{"everything is more than some", 0, func(add func(...string), all func()) {
			add("a")
			after(1)
			all()
			add("b")
			after(200)
			add("c")
		}, []delivery{{0, Batch{Paths: []string{"a"}}}, {ms(51), Batch{All: true}}, {ms(201), Batch{Paths: []string{"c"}}}}},
		{"a slow caller gets what came meanwhile, once", ms(300), func(add func(...string), _ func()) {
			add("a")
			for range 10 {
				after(20)
				add("b")
			}
		}, []delivery{{0, Batch{Paths: []string{"a"}}}, {ms(300), Batch{Paths: []string{"b"}}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := mailed(t, c.slow, c.do); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
		})
	}
}
