package memory

// SessionSummary is a session as the index sums it up.
type SessionSummary struct {
	Row          int64 // number of the session in the index
	Agent        string
	Session      string
	Key          string
	Background   bool // its key names something nobody asked for just then
	Current      bool // it is the session that its key points at
	Parent       string
	Previous     string
	Leaf         string
	Notes        SessionMeta
	Started      Millis
	Updated      Millis
	Entries      int64
	Messages     int64
	UserMessages int64
	Compactions  int64
	Calls        int64
	Unreported   int64 // calls of which the provider reported no usage
	Unpriced     int64
	Usage        Usage
	Cost         Money
	ContextUsed  *int64 // tokens in the context after its last entry, nil: not known
	Provider     string // of its last call
	Model        string
	Title        string // the first words that a person said in it, masked
	Sources      []SourceOf
}

// SourceOf is a source that holds entries of a session.
type SourceOf struct {
	Path string
	Kind SourceKind
	Gone Millis // when it was found to be gone, 0 if it is there
}

// UsageSlice is the usage of some calls that have session, model, a quarter
// of an hour, reason and kind of price in common.
type UsageSlice struct {
	Agent      string
	Session    string
	Provider   string
	Model      string
	At         Millis // of the first of them; 0: not known
	Last       Millis // of the last of them
	Background bool   // nobody asked for them
	Price      PriceSource
	Calls      int64
	Unpriced   int64
	Unreported int64
	Damaged    int64 // calls whose record is damaged: their cost is unknown for good
	Usage      Usage
	Cost       Money
}
