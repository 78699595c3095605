package capture

import (
	"os"
	"strings"
	"testing"
)

func TestMine(t *testing.T) {
	data, _ := os.ReadFile(os.Getenv("MINE"))
	p, h, n, f := 0, 0, 0, 0
	for _, l := range strings.Split(string(data), "\n") {
		if len(l) < 2 {
			continue
		}
		items := Find(l[2:], noon)
		if l[0] != '-' {
			p++
			if len(items) > 0 {
				h++
				if l[0] != '+' && !strings.Contains(l[:1], items[0].Tag.String()) {
					t.Log("TAG", l, items[0].Rule)
				}
			} else {
				t.Log("MISS", l[2:])
			}
		} else {
			n++
			if len(items) > 0 && items[0].Until == 0 {
				f++
				t.Log("FALSE", l[2:], items[0].Rule)
			}
		}
	}
	t.Log(h, p, f, n)
}
