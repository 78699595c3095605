//go:build !race

package openclaw

const underRace = false
