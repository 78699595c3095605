package app

import (
	"math/rand/v2"
	"net/http"
	"reflect"
	"testing"
)

// TestFramesHoweverTheyAreCut: a stream gives the same events however its parts
// are cut.
func TestFramesHoweverTheyAreCut(t *testing.T) {
	stream := []byte("event: status\ndata: {\"a\":1}\n\n: here\n\nevent: changed\ndata: {\"b\":\"潮\"}\n\ndata: {}\n\nevent: never\ndata: ended")
	want := []string{`{"a":1}`, `{"b":"潮"}`, `{}`}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var got []string
		f := newFrames(func(data []byte) { got = append(got, string(data)) })
		for rest := stream; len(rest) > 0; {
			n := 1 + rng.IntN(len(rest))
			if k, err := f.Write(rest[:n]); k != n || err != nil {
				t.Fatal(k, err)
			}
			rest = rest[n:]
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %q", got)
		}
	}
}

func TestFramesOfAnError(t *testing.T) {
	f := newFrames(func(data []byte) { t.Errorf("told %q", data) })
	f.WriteHeader(http.StatusNotFound)
	f.Header().Set("Content-Type", "application/json")
	if _, err := f.Write([]byte("data: {}\n\n")); err != nil {
		t.Error(err)
	}
}
