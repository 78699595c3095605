package memory

// Codes of problems: things in OpenClaw's files that could not be read or that
// a person should know about. A problem costs only the thing it names.
const (
	ProblemBadLine         Code = "bad-line"          // a line that is no JSON object
	ProblemBlankLine       Code = "blank-line"        // empty lines between records: harmless, counted
	ProblemBadEntry        Code = "bad-entry"         // JSON, but not of the shape of an entry
	ProblemSplicedLine     Code = "spliced-line"      // several records on one line; whole ones were recovered
	ProblemPartialLine     Code = "partial-line"      // the last line has no end; it waits for the rest
	ProblemNoHeader        Code = "no-header"         // a transcript without its first line
	ProblemHeaderName      Code = "header-name"       // the header's id differs from the file's name
	ProblemLineTooLong     Code = "line-too-long"     // a line beyond what is ever read
	ProblemBadUsage        Code = "bad-usage"         // a negative or not-a-number token count or cost
	ProblemNoUsage         Code = "usage-missing"     // a provider that reports no usage
	ProblemNoPrice         Code = "price-unknown"     // calls whose price is not known
	ProblemUnreadable      Code = "unreadable"        // permission or I/O error
	ProblemBadArchive      Code = "bad-archive"       // a compressed archive that is damaged or cut off
	ProblemBadDatabase     Code = "bad-database"      // a database that cannot be read
	ProblemNewSchema       Code = "new-schema"        // a database newer than this version knows
	ProblemBadConfig       Code = "bad-config"        // the configuration cannot be parsed
	ProblemBadInclude      Code = "bad-include"       // an $include that cannot be followed
	ProblemBadStore        Code = "bad-store"         // sessions.json cannot be parsed
	ProblemUnknownType     Code = "unknown-type"      // entries of a type that is not known: kept and counted
	ProblemBehind          Code = "transcript-behind" // the session moved on but its transcript did not
	ProblemUnconfigured    Code = "unconfigured"      // an agent directory without configuration
	ProblemForeignPath     Code = "foreign-path"      // a path of another machine that is not here
	ProblemSharedWorkspace Code = "shared-workspace"  // several agents use one workspace
	ProblemSourceGone      Code = "source-gone"       // what was read before is no longer there
	ProblemCronMoved       Code = "cron-moved"        // the cron store was renamed by an upgrade
	ProblemIndexRebuilt    Code = "index-rebuilt"     // our own index was damaged and built anew
	ProblemBothStores      Code = "both-stores"       // files still active beside a database
	ProblemRewritten       Code = "rewritten"         // a transcript was replaced or cut; what was read before is kept
	ProblemDangling        Code = "dangling-parent"   // entries whose parent is not there
	ProblemLedger          Code = "ledger-unwritable" // our own ledger cannot be written; what is to be kept is held meanwhile
	ProblemWatchLimited    Code = "watch-limited"     // the system does not tell of all changes; they are looked for
)

// Problem is something that could not be read or that needs attention.
// Problems of the same code, path and line are one, with a count.
type Problem struct {
	Code    Code
	Path    string
	Line    int // physical line, 1-based; 0 where no line applies
	Count   int
	Message string // what it means, masked
	Hint    string // what to do
}
