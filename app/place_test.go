package app

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPlaceIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	first := place{Width: firstWidth, Height: firstHeight}
	if got := loadPlace(path); got != first {
		t.Errorf("without a file: %+v", got)
	}
	want := place{X: 10, Y: 20, Width: 900, Height: 600, Maximised: true, Known: true}
	if err := want.save(path); err != nil {
		t.Fatal(err)
	}
	if got := loadPlace(path); got != want {
		t.Errorf("got %+v", got)
	}
	for _, text := range []string{"", "{", "[]", `{"width":10,"height":600}`, `{"width":-5}`, "null"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := loadPlace(path); got != first {
			t.Errorf("%q gives %+v", text, got)
		}
	}
}

func TestPlaceOnAnotherScreen(t *testing.T) {
	was := place{X: 100, Y: 50, Width: 1280, Height: 820, Known: true}
	for name, c := range map[string]struct {
		was           place
		width, height int
		want          place
	}{
		"the same":            {was, 1920, 1080, was},
		"not known":           {was, 0, 0, was},
		"smaller":             {was, 1024, 600, place{X: 100, Y: 50, Width: 1024, Height: 600, Known: true}},
		"to the right of it":  {place{X: 2000, Y: 0, Width: 900, Height: 600, Known: true}, 1920, 1080, place{X: 2000, Y: 0, Width: 900, Height: 600}},
		"to the left of it":   {place{X: -890, Y: 0, Width: 900, Height: 600, Known: true}, 1920, 1080, place{X: -890, Y: 0, Width: 900, Height: 600}},
		"above it":            {place{X: 0, Y: -30, Width: 900, Height: 600, Known: true}, 1920, 1080, place{X: 0, Y: -30, Width: 900, Height: 600}},
		"a bit over the edge": {place{X: -100, Y: 3, Width: 900, Height: 600, Known: true}, 1920, 1080, place{X: -100, Y: 3, Width: 900, Height: 600, Known: true}},
	} {
		if got := c.was.on(c.width, c.height); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
