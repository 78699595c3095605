package openclaw

import "testing"

// opensBelow gives the files below root that are opened while f runs.
func opensBelow(t *testing.T, root string, f func()) []string {
	t.Helper()
	w := watchOpens(t, root)
	f()
	opened, changed := w.events()
	if len(changed) > 0 {
		t.Errorf("changed %q", changed)
	}
	return opened
}
