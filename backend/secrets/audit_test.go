package secrets

import (
	"slices"
	"strings"
	"testing"
)

// Bounds of the audit: what the rules reached when it was written, less a
// sentence or two.
const (
	leastRecall = 0.95
	mostFalse   = 0.005
)

// The rules are measured on sentences that they need not all understand: how
// many credentials they leave, and how many ordinary sentences they change.
func TestAudit(t *testing.T) {
	said, leaked := 0, 0
	for _, line := range linesOf(t, "audit_said.txt") {
		s := heard(t, line)
		said++
		got := Mask(s.plain())
		if slices.ContainsFunc(s.values, func(v string) bool { return strings.Contains(got, v) }) {
			leaked++
			t.Logf("left: %s", got)
		}
		checkEdits(t, s.plain())
	}
	ordinary, changed := 0, 0
	for _, line := range linesOf(t, "audit_untouched.txt") {
		ordinary++
		if got := Mask(line); got != line {
			changed++
			t.Logf("changed: %q to %q", line, got)
		}
	}
	recall, wrong := 1-float64(leaked)/float64(said), float64(changed)/float64(ordinary)
	t.Logf("%d sentences, recall %.3f; %d ordinary, %.3f changed", said, recall, ordinary, wrong)
	if recall < leastRecall || wrong > mostFalse {
		t.Errorf("recall is %.3f, want %.3f; %.3f are changed, want at most %.3f", recall, leastRecall, wrong, mostFalse)
	}
}
