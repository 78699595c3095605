package api

// StatementRow is a statement as `tidemark statements list --json` prints it.
// Text is masked and untrusted.
type StatementRow struct {
	ID        string  `json:"id"`
	Tag       string  `json:"tag"` // W, B, O
	Text      string  `json:"text"`
	Agent     string  `json:"agent"`   // that was told first
	Scope     string  `json:"scope"`   // agent, all, contact
	Speaker   string  `json:"speaker"` // owner, contact, unknown
	At        *string `json:"at"`
	Until     *string `json:"until"` // null: until further notice
	SessionID string  `json:"sessionId"`
	EntryID   string  `json:"entryId"`
	Rule      string  `json:"rule"`
	State     string  `json:"state"`   // live, superseded, expired, forgotten
	Repeats   int     `json:"repeats"` // how often it had to be said again
}

// Statement is a statement on screen.
type Statement struct {
	StatementRow
	Pinned      bool    `json:"pinned"`
	Edited      bool    `json:"edited"` // a person changed its words
	ByHand      bool    `json:"byHand"` // a person wrote it into the ledger
	SpeakerName string  `json:"speakerName"`
	Channel     string  `json:"channel"`
	Chat        string  `json:"chat"`
	By          string  `json:"by"`     // id of the statement that replaced it, ""
	LastAt      *string `json:"lastAt"` // when it was said last
	Lang        string  `json:"lang"`   // BCP 47 of the words where it can be told, ""
}

// StatementList is what is known, the newest first, and what of it is shown.
type StatementList struct {
	Statements []Statement     `json:"statements"`
	Total      int             `json:"total"`  // before the filters
	Counts     StatementCounts `json:"counts"` // of what the filters leave
	// Waiting are statements that could not be written to the ledger yet and
	// are held meanwhile; LedgerError says why, "" where there are none.
	Waiting     int    `json:"waiting"`
	LedgerError string `json:"ledgerError"`
}

// StatementCounts are numbers of statements.
type StatementCounts struct {
	Wants      int `json:"wants"`
	Boundaries int `json:"boundaries"`
	Details    int `json:"details"`
	Live       int `json:"live"`
	Superseded int `json:"superseded"`
	Expired    int `json:"expired"`
	Pinned     int `json:"pinned"`
	Repeated   int `json:"repeated"` // said more than once
}

// StatementDetail is one statement with all that is known of it.
type StatementDetail struct {
	Statement Statement `json:"statement"`
	// Said are the times it was said, the first one first.
	Said []StatementOccasion `json:"said"`
	// History is what happened to it, oldest first.
	History []StatementEvent `json:"history"`
	// Replaces are the statements that it replaced; ReplacedBy the one that
	// replaced it, null where there is none.
	Replaces   []Statement `json:"replaces"`
	ReplacedBy *Statement  `json:"replacedBy"`
	LedgerPath string      `json:"ledgerPath"` // file that holds it
	// Undo is the id of the last decision about it that can be taken back, "".
	Undo string `json:"undo"`
}

// StatementOccasion is one time that a statement was said, with the words
// around it.
type StatementOccasion struct {
	Agent     string  `json:"agent"`
	SessionID string  `json:"sessionId"`
	EntryID   string  `json:"entryId"`
	At        *string `json:"at"`
	Text      string  `json:"text"`
	// Message is what was said as a whole, long ones cut, with the statement at
	// Start to End, in Unicode code points; "" where nothing is left of it.
	Message     string `json:"message"`
	Start       int    `json:"start"`
	End         int    `json:"end"`
	SpeakerName string `json:"speakerName"`
	Channel     string `json:"channel"`
	Chat        string `json:"chat"`
	Shown       bool   `json:"shown"` // the conversation that holds it can be opened
}

// StatementEvent is a line of the ledger about a statement.
type StatementEvent struct {
	ID     string  `json:"id"`
	At     *string `json:"at"`
	Kind   string  `json:"kind"` // statement, repeat, pin, unpin, correct, scope, supersede, forget, undo
	Text   string  `json:"text"`
	Scope  string  `json:"scope"`
	By     string  `json:"by"`
	Undone bool    `json:"undone"`
}

// StatementChange is what a person decides about a statement. Do is pin, unpin,
// correct (Text, and Tag where it changes), scope (Scope), supersede (By),
// forget, or undo (the last decision that can be taken back).
type StatementChange struct {
	ID    string `json:"id"`
	Do    string `json:"do"`
	Text  string `json:"text"`
	Tag   string `json:"tag"`
	Scope string `json:"scope"`
	By    string `json:"by"`
}

// StatementSpan is a statement within the text of an entry, at Start to End in
// Unicode code points.
type StatementSpan struct {
	ID    string `json:"id"`
	Tag   string `json:"tag"`
	State string `json:"state"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// TideStatement is a statement on a tide. Times are milliseconds since 1970.
type TideStatement struct {
	ID    string `json:"id"`
	At    int64  `json:"at"`
	Tag   string `json:"tag"`
	State string `json:"state"`
	Text  string `json:"text"`
	Entry string `json:"entry"`
	Call  int    `json:"call"` // position of the first call behind it, as in TideFall
}
