package capture

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestLines keeps floors on short messages of which only one thing is known:
// those with a plus state something, those with a minus do not.
func TestLines(t *testing.T) {
	f, err := os.Open("testdata/en-lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all, found, none, fired int
	for lines := bufio.NewScanner(f); lines.Scan(); {
		sign, text, _ := strings.Cut(lines.Text(), " ")
		lasting := false // what holds for a while only may be found or not
		for _, it := range Find(text, noon) {
			lasting = lasting || it.Until == 0 || sign == "+"
		}
		if sign == "+" {
			all++
			found += btoi(lasting)
			continue
		}
		none++
		fired += btoi(lasting)
	}
	t.Logf("%d of %d statements found, %d of %d other messages fire", found, all, fired, none)
	if float64(found) < 0.85*float64(all) || float64(fired) > 0.09*float64(none) {
		t.Errorf("%d of %d statements found and %d of %d other messages fire, want 85%% and at most 9%%", found, all, fired, none)
	}
}
