package openclaw

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"tidemark/backend/memory"
)

// rowMaxNamed is how many damaged entries a problem names.
const rowMaxNamed = 3

// Row is what OpenClaw's store says about one session. The numbers in it are
// of the last run, or estimates: they are no ledger. nil: not recorded, which
// is not 0.
type Row struct {
	Key         string
	SessionID   string
	SessionFile string // as written; see File

	UpdatedAt memory.Millis
	// StartedAt is when the session began; stores before 2026.6 know only when
	// its last run did. EndedAt is the end of the last run.
	StartedAt, EndedAt memory.Millis
	LastActivityAt     memory.Millis

	// TotalTokens is the size of the context at the last call. It is to be
	// trusted only where TotalTokensFresh is set. ContextTokens is the size of
	// the model's window.
	TotalTokens      *int64
	TotalTokensFresh bool
	ContextTokens    *int64

	// CompactionCount is OpenClaw's own count, which is often too low.
	CompactionCount            *int64
	MemoryFlushAt              memory.Millis
	MemoryFlushCompactionCount *int64

	Model, Provider    string
	Channel, ChatType  string
	Label, DisplayName string
	SpawnedBy          string // the session that started this one as a sub-agent
	ParentKey          string
	Status             string   // of the last run: running, done, failed, killed, timeout
	UsageFamily        []string // ids of all sessions that this key had
	ForkedFromParent   bool
}

// ReadRowsFile reads a sessions.json. A file that is not there has no rows.
func ReadRowsFile(path string) ([]Row, []memory.Problem) {
	f, err := openAllowed(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, []memory.Problem{unreadable(path, err)}
	}
	defer f.Close() // opened for reading: nothing can be lost
	rows, problems := ReadRows(f)
	for i := range problems {
		problems[i].Path = path
	}
	return rows, problems
}

// ReadRows reads the content of a sessions.json in its order, in memory that
// does not grow with the snapshots and reports in it. An entry that is no
// object costs only itself; where the text ends too early or stops being JSON
// the rows before that place are given. Of two entries of one key the last
// counts. The problems have no Path.
func ReadRows(r io.Reader) ([]Row, []memory.Problem) {
	s := newRowScanner(r)
	rows, damaged, err := s.store()
	var problems []memory.Problem
	if len(damaged) > 0 {
		problems = append(problems, memory.Problem{Code: memory.ProblemBadStore, Count: len(damaged),
			Message: "entries that describe no session: " + nameSome(damaged),
			Hint:    "The other sessions are read. OpenClaw writes the file anew when a session changes."})
	}
	if err != nil {
		problems = append(problems, memory.Problem{Code: memory.ProblemBadStore, Count: 1,
			Message: fmt.Sprintf("the list of sessions cannot be read beyond byte %d: %v", s.offset(), err),
			Hint:    "Sessions before that place are read, and transcripts are found by their files. OpenClaw may be writing it now."})
	}
	return rows, problems
}

func nameSome(keys []string) string {
	named := keys[:min(len(keys), rowMaxNamed)]
	quoted := make([]string, len(named))
	for i, k := range named {
		quoted[i] = strconv.Quote(k)
	}
	if more := len(keys) - len(named); more > 0 {
		return strings.Join(quoted, ", ") + " and " + strconv.Itoa(more) + " more"
	}
	return strings.Join(quoted, ", ")
}

// DecodeRow reads one entry of a store, such as entry_json of a session node.
func DecodeRow(key string, entryJSON []byte) (Row, error) {
	s := &rowScanner{buf: entryJSON, end: len(entryJSON)}
	if s.bom(); s.space() != '{' {
		return Row{}, errors.New("the entry is no object")
	}
	row, err := s.row(key)
	if err != nil {
		return Row{}, fmt.Errorf("at byte %d: %w", s.offset(), err)
	}
	return row, nil
}

// store reads the whole object of a sessions.json.
func (s *rowScanner) store() (rows []Row, damaged []string, err error) {
	if s.bom(); s.space() != '{' {
		if s.more() {
			return nil, nil, errors.New("it holds no object")
		}
		return nil, nil, s.cut()
	}
	at := map[string]int{} // key to index in rows
	err = s.members(func(key []byte) error {
		name := validText(string(key))
		if s.space() != '{' {
			if err := s.skip(); err != nil {
				return err
			}
			damaged = append(damaged, name)
			return nil
		}
		row, err := s.row(name)
		if err != nil {
			return err
		}
		if i, again := at[name]; again {
			rows[i] = row
			return nil
		}
		at[name] = len(rows)
		rows = append(rows, row)
		return nil
	})
	if err == nil {
		if s.space(); s.more() {
			err = errors.New("something follows the end of the list")
		}
	}
	return rows, damaged, err
}
