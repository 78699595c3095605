package app

import (
	"encoding/json"
	"os"

	"tidemark/backend/settings"
)

// The size of a window that was never moved, and the smallest one, in the
// pixels of the page.
const (
	firstWidth, firstHeight = 1280, 820
	leastWidth, leastHeight = 400, 480
)

// place is where a window was when it was last seen, in the pixels of the page.
type place struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised"`
	// Known says that X and Y are of use.
	Known bool `json:"known"`
}

// loadPlace reads a place. What is missing or makes no sense is that of a
// window that was never moved.
func loadPlace(path string) place {
	p := place{Width: firstWidth, Height: firstHeight}
	body, err := os.ReadFile(path)
	var was place
	if err != nil || json.Unmarshal(body, &was) != nil || was.Width < leastWidth || was.Height < leastHeight {
		return p
	}
	return was
}

// save writes a place; that it fails costs only the place.
func (p place) save(path string) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return settings.WriteFile(path, body, 0o600)
}

// on gives the place on a screen of this size: not larger than it, and where
// its title can be reached. The screen may be another one than it was.
func (p place) on(width, height int) place {
	if width <= 0 || height <= 0 {
		return p
	}
	p.Width, p.Height = min(p.Width, width), min(p.Height, height)
	const reach = 80 // of the title bar that must be seen
	if p.X > width-reach || p.X+p.Width < reach || p.Y > height-reach || p.Y < 0 {
		p.Known = false
	}
	return p
}
