package settings

import (
	"os"
	"path/filepath"
	"testing"

	"tidemark/backend/memory"
)

func TestDataDir(t *testing.T) {
	cwd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, flag, home, goos string
		env                    map[string]string
		want                   string
	}{
		{"linux", "", "/home/ann", "linux", nil, "/home/ann/.local/share/tidemark"},
		{"freebsd as linux", "", "/home/ann", "freebsd", nil, "/home/ann/.local/share/tidemark"},
		{"xdg", "", "/home/ann", "linux", map[string]string{"XDG_DATA_HOME": "/data/xdg/"}, "/data/xdg/tidemark"},
		{"relative xdg is ignored", "", "/home/ann", "linux", map[string]string{"XDG_DATA_HOME": "share"}, "/home/ann/.local/share/tidemark"},
		{"xdg without home", "", "", "linux", map[string]string{"XDG_DATA_HOME": "/data"}, "/data/tidemark"},
		{"mac", "", "/Users/ann", "darwin", map[string]string{"XDG_DATA_HOME": "/data"}, "/Users/ann/Library/Application Support/Tidemark"},
		{"windows", "", `C:\Users\码农`, "windows", map[string]string{"LocalAppData": `D:\Local`}, `D:\Local\Tidemark`},
		{"windows without variable", "", `C:\Users\码农`, "windows", nil, `C:\Users\码农\AppData\Local\Tidemark`},
		{"variable", "", "/home/ann", "linux", map[string]string{DataDirVar: "/srv/tm", "XDG_DATA_HOME": "/data"}, "/srv/tm"},
		{"variable with tilde", "", "/home/ann", "linux", map[string]string{DataDirVar: "~/tm"}, "/home/ann/tm"},
		{"flag wins", "/flag/../tm", "/home/ann", "linux", map[string]string{DataDirVar: "/srv/tm"}, "/tm"},
		{"flag wins on windows", "/tm", "", "windows", map[string]string{"LocalAppData": `D:\Local`}, "/tm"},
		{"tilde alone", "~", "/home/ann", "linux", nil, "/home/ann"},
		{"a name that begins with a tilde", "~ann", "/home/ann", "linux", nil, filepath.Join(cwd, "~ann")},
		{"relative flag", "tm", "/home/ann", "linux", nil, filepath.Join(cwd, "tm")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := DataDir(tt.flag, func(name string) string { return tt.env[name] }, tt.home, tt.goos)
			if err != nil || got != tt.want {
				t.Errorf("DataDir = %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestDataDirWithoutHome(t *testing.T) {
	none := func(string) string { return "" }
	for _, goos := range []string{"linux", "darwin", "windows"} {
		if _, err := DataDir("", none, "", goos); memory.CodeOf(err) != memory.CodeInvalid || memory.HintOf(err) == "" {
			t.Errorf("%s: %v, want %s and a hint", goos, err, memory.CodeInvalid)
		}
	}
	if _, err := DataDir("~/tm", none, "", "linux"); memory.CodeOf(err) != memory.CodeInvalid {
		t.Errorf("~ without home: %v, want %s", err, memory.CodeInvalid)
	}
}
