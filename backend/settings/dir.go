package settings

import (
	"path/filepath"
	"sync"
	"time"

	"tidemark/backend/memory"
)

// The names of everything that Tidemark writes into the data directory. Open
// tells a data directory from somebody else's folder by them.
const (
	indexName    = "index.sqlite"
	ledgerName   = "ledger"
	tokenName    = "token"
	lockName     = "lock"
	socketName   = "run"
	settingsName = "settings.json"
	windowName   = "window.json"
	demoName     = "demo"
	secretName   = "secret"
)

// Dir is a data directory that exists and that only this user can enter. It
// holds no open file. Safe for concurrent use.
type Dir struct {
	root string
	now  func() time.Time

	mu      sync.Mutex // guards the files that are written here, and notices
	notices []memory.Problem
}

// Path is the data directory itself, absolute and without links.
func (d *Dir) Path() string { return d.root }

// Index is the SQLite file of the index. SQLite puts files with longer names
// beside it. All of them are a cache.
func (d *Dir) Index() string { return filepath.Join(d.root, indexName) }

// Ledger is the folder of the ledger: what Tidemark must never lose.
func (d *Dir) Ledger() string { return filepath.Join(d.root, ledgerName) }

// TokenFile is the file of the token, readable by this user only.
func (d *Dir) TokenFile() string { return filepath.Join(d.root, tokenName) }

// SecretFile is the file of the ledger's secret, readable by this user only.
func (d *Dir) SecretFile() string { return filepath.Join(d.root, secretName) }

// LockFile is the file whose lock makes a process the owner.
func (d *Dir) LockFile() string { return filepath.Join(d.root, lockName) }

// SocketDir is the folder of the owner's socket, unless its path is too long
// for one: package loopback decides and creates it.
func (d *Dir) SocketDir() string { return filepath.Join(d.root, socketName) }

// Settings is the file of the preferences.
func (d *Dir) Settings() string { return filepath.Join(d.root, settingsName) }

// Demo is the folder of the invented installation and of what Tidemark keeps of
// it. Nothing of the person's is in it.
func (d *Dir) Demo() string { return filepath.Join(d.root, demoName) }

// WindowFile is the file of the window's size and place in a data directory: a
// cache. The window may be of another process than the one that owns it.
func WindowFile(dataDir string) string { return filepath.Join(dataDir, windowName) }

// Codes of what Open, Token and LoadPreferences put right on their own.
const (
	// NoticeToken: the token could be read by others, or was damaged; it was
	// replaced, and whoever has the old one must fetch the new one.
	NoticeToken memory.Code = "token-replaced"
	// NoticeSettings: the preferences could not be read; the file was set
	// aside and the defaults are used.
	NoticeSettings memory.Code = "settings-set-aside"
)

// Notices gives what was put right since the last call and should be shown to
// the person, oldest first.
func (d *Dir) Notices() []memory.Problem {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := d.notices
	d.notices = nil
	return found
}

// notice adds to Notices. The caller holds d.mu.
func (d *Dir) notice(p memory.Problem) {
	p.Count = 1
	d.notices = append(d.notices, p)
}
