package memory

// DayUsage is what the calls of one day, session and model used: a line of the
// ledger. A later line about the same replaces an earlier one.
type DayUsage struct {
	// Day is "2026-05-31", in UTC: a line must mean the same calls wherever and
	// whenever it is read. "" where the time of the calls is not known.
	Day        string
	Session    string
	Provider   string
	Model      string
	Calls      int64
	Unpriced   int64
	Usage      Usage
	Cost       Money
	Background Money  // part of Cost that nobody asked for
	First      Millis // of its calls
	Last       Millis
}

// KeptCompaction is a compaction as the ledger keeps it.
type KeptCompaction struct {
	Session      string
	Entry        string
	At           Millis
	TokensBefore int64 // 0: not recorded
	TokensAfter  int64 // 0: not recorded
	Summary      string
}
