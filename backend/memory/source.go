package memory

// SourceKind is how a stretch of history is stored.
type SourceKind uint8

// The kinds of sources, in the order in which the index stores them: append
// only, never renumber.
const (
	SourceLive      SourceKind = iota // <session>.jsonl in the sessions folder
	SourceReset                       // .jsonl.reset.<time>, also .zst
	SourceDeleted                     // .jsonl.deleted.<time>, also .zst
	SourcePacked                      // .jsonl.zst
	SourceImported                    // session-sqlite-import-archive
	SourceDatabase                    // transcript_events of an agent database
	SourceDBArchive                   // session_transcript_archives of an agent database
	SourceCold                        // cold storage of the newest era
	SourceLedger                      // Tidemark's own ledger: what is known of a source that is gone
)

var sourceNames = [...]string{
	SourceLive: "jsonl", SourceReset: "reset", SourceDeleted: "deleted", SourcePacked: "packed",
	SourceImported: "imported", SourceDatabase: "sqlite", SourceDBArchive: "sqlite-archive", SourceCold: "cold",
	SourceLedger: "ledger",
}

// String gives the name of the kind as the API writes it.
func (k SourceKind) String() string {
	if int(k) < len(sourceNames) {
		return sourceNames[k]
	}
	return "unknown"
}

// Archived says that OpenClaw no longer writes to sources of this kind.
func (k SourceKind) Archived() bool { return k != SourceLive && k != SourceDatabase }

// Era is "sqlite" for what lies in a database of the newest era or in its cold
// storage, "jsonl" for what lies in files.
func (k SourceKind) Era() string {
	switch k {
	case SourceDatabase, SourceDBArchive, SourceCold:
		return "sqlite"
	case SourceLedger:
		return ""
	default:
		return "jsonl"
	}
}

// Place is where an entry stands: enough to read it again.
type Place struct {
	Kind   SourceKind
	Path   string // file or database
	Line   int    // physical line of a file, 1-based; 0 in a database
	Offset int64  // byte where the line begins; the row's seq in a database
	Prompt uint8  // kind of the last user message before or at it, as transcript.Prompt numbers it
}

// Source is a stretch of history on disk, and what it looked like when it was
// listed.
type Source struct {
	Kind  SourceKind
	Agent string
	Path  string
	// Base is the name of the live file that an archive was made from,
	// "<session>.jsonl"; the file's own name for a live one; "" for a database.
	Base  string
	Stamp Stamp
}

// Stamp tells whether a file may have changed. For a database it covers the
// write-ahead log too.
type Stamp struct {
	Size  int64
	MTime int64  // nanoseconds since 1970
	Inode uint64 // 0 where the platform has none
	Wal   int64  // size of the write-ahead log, 0 without
	WalAt int64  // its time, nanoseconds since 1970
}

// Checkpoint is how far a source has been read. The zero value is its
// beginning.
type Checkpoint struct {
	Stamp Stamp // of the source when it was last read to its end
	// Offset and Line are where the next unread line of a file begins.
	Offset int64
	Line   int
	// Sum is a checksum of the bytes before Offset: as long as it fits, what
	// was read is still what stands there.
	Sum uint64
	// Session is the id of the session that lines at Offset belong to.
	Session string
	// Prompt is the kind of the last user message before Offset, as
	// transcript.Prompt numbers it.
	Prompt uint8
	// Marks tell, in a database, how far each session was read.
	Marks map[string]Mark
}

// Mark is how far a session in a database has been read.
type Mark struct {
	Seq        int64  // last row that was read
	Count      int64  // rows up to it
	Generation string // changes when the history is rewritten
	Prompt     uint8  // as in Checkpoint
}
