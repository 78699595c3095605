//go:build race

package openclaw

// underRace says that the race detector makes everything ten times slower:
// the largest inputs are smaller then.
const underRace = true
