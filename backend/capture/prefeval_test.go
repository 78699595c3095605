package capture

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

const prefEval = "../../../shared/datasets/prefeval"

// TestPrefEval keeps a floor below how many stated preferences are found, and
// a ceiling above how many turns fire that state none.
func TestPrefEval(t *testing.T) {
	files, _ := filepath.Glob(prefEval + "/explicit_preference/*.json")
	if len(files) == 0 {
		t.Skip("the shared material is not there")
	}
	said, found := 0, 0
	for _, path := range files {
		var list []struct{ Preference string }
		readJSON(t, path, &list)
		for _, p := range list {
			said++
			if len(Find(p.Preference, noon)) > 0 {
				found++
			} else {
				t.Logf("missed %q", p.Preference)
			}
		}
	}
	var talks []struct {
		Conversation []struct{ Role, Content string }
	}
	readJSON(t, prefEval+"/filtered_inter_turns.json", &talks)
	turns, fired := 0, 0
	for _, talk := range talks {
		for _, turn := range talk.Conversation {
			if turn.Role != "user" {
				continue
			}
			turns++
			if items := Find(turn.Content, noon); len(items) > 0 {
				fired++
				t.Logf("fired %q of %s", items[0].Text, items[0].Rule)
			}
		}
	}
	t.Logf("%d of %d statements found, %.3f; %d of %d other turns fire, %.3f", found, said, float64(found)/float64(said), fired, turns, float64(fired)/float64(turns))
	if float64(found) < 0.9*float64(said) || float64(fired) > 0.02*float64(turns) {
		t.Errorf("%d of %d statements found and %d of %d other turns fire, want 90%% and at most 2%%", found, said, fired, turns)
	}
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}
