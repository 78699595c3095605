// Package kept is what all lines of the ledger's kept files together say: which
// statements there are, which of them say the same, which replaced which, what
// the person decided about them, and what was forgotten.
//
// It is pure: the same lines give the same answers, in whatever order they come.
// It reads no file and no clock.
package kept
