package memory

// Tag says what kind of thing a person stated.
type Tag uint8

// The tags. The zero value is none.
const (
	TagWant     Tag = 1 + iota // W: taste, style, standing instruction or permission
	TagBoundary                // B: standing prohibition, limit, condition, quiet hours, privacy
	TagDetail                  // O: an objective fact about the person, their business, people, tools, health, dates
)

var tagLetters = [...]string{"", "W", "B", "O"}

// String gives the tag's letter, "" for none.
func (t Tag) String() string {
	if int(t) < len(tagLetters) {
		return tagLetters[t]
	}
	return ""
}

// TagOf gives the tag of a letter. ok is false where there is none.
func TagOf(letter string) (t Tag, ok bool) {
	for i, l := range tagLetters {
		if i > 0 && l == letter {
			return Tag(i), true
		}
	}
	return 0, false
}

// Item is one statement as it is found in a message. Start and End are offsets
// of its span in the message, in Unicode code points, End exclusive.
type Item struct {
	Tag   Tag
	Text  string // what stands in the span
	Start int
	End   int
	Rule  string // name of the rule that found it
	Until Millis // when it stops to hold, 0: it holds until further notice
}

// SpeakerKind says who spoke to an agent, as far as that can be told.
type SpeakerKind uint8

// The kinds of speakers.
const (
	SpeakerUnknown SpeakerKind = iota // shown, never handed out by itself
	SpeakerOwner                      // whose agent it is
	SpeakerContact                    // somebody who writes to the agent: customers, colleagues
)

var speakerNames = [...]string{SpeakerUnknown: "unknown", SpeakerOwner: "owner", SpeakerContact: "contact"}

// String gives the name of the kind as the API and the ledger write it.
func (k SpeakerKind) String() string {
	if int(k) < len(speakerNames) {
		return speakerNames[k]
	}
	return speakerNames[SpeakerUnknown]
}

// SpeakerKindOf is the inverse of String, SpeakerUnknown for any other text.
func SpeakerKindOf(name string) SpeakerKind {
	for k, n := range speakerNames {
		if n == name {
			return SpeakerKind(k)
		}
	}
	return SpeakerUnknown
}

// Speaker is who said something and where. Empty fields are not known.
type Speaker struct {
	Kind    SpeakerKind
	Name    string // as the channel writes it
	Channel string // telegram, wechat, …
	Chat    string // of a group
}

// Scope says for whom a statement holds.
type Scope uint8

// The scopes.
const (
	ScopeAgent   Scope = iota // the agent that was told
	ScopeAll                  // all agents of the owner
	ScopeContact              // the contact who said it, with the agent that was told
)

var scopeNames = [...]string{ScopeAgent: "agent", ScopeAll: "all", ScopeContact: "contact"}

// String gives the name of the scope as the API and the ledger write it.
func (s Scope) String() string {
	if int(s) < len(scopeNames) {
		return scopeNames[s]
	}
	return scopeNames[ScopeAgent]
}

// ScopeOf is the inverse of String.
func ScopeOf(name string) (s Scope, ok bool) {
	for i, n := range scopeNames {
		if n == name {
			return Scope(i), true
		}
	}
	return 0, false
}

// Said is what a person said in one message: a record of the ledger. Text is
// masked.
type Said struct {
	Key     string // tells the message, see KeptLine.Key
	Session string
	Entry   string
	At      Millis
	Speaker Speaker
	Text    string
}

// KeptKind says what a line of the ledger's kept files records.
type KeptKind uint8

// The kinds of lines. Those from KeptPin on are decisions of the person, or, for
// KeptSupersede, of Tidemark.
const (
	KeptStatement KeptKind = iota // a statement
	KeptRepeat                    // Of was said again, in the words of Text
	KeptPin                       // Of is pinned
	KeptUnpin
	KeptCorrect   // Of reads Text now, with Tag where one is given
	KeptScope     // Of has Scope now
	KeptSupersede // Of is replaced by By
	KeptForget    // Of was forgotten: its text is nowhere any more
	KeptUndo      // the decision with the ID Of does not hold
)

var keptNames = [...]string{KeptStatement: "statement", KeptRepeat: "repeat", KeptPin: "pin", KeptUnpin: "unpin", KeptCorrect: "correct",
	KeptScope: "scope", KeptSupersede: "supersede", KeptForget: "forget", KeptUndo: "undo"}

// String gives the name of the kind as the ledger writes it.
func (k KeptKind) String() string {
	if int(k) < len(keptNames) {
		return keptNames[k]
	}
	return keptNames[KeptStatement]
}

// KeptKindOf is the inverse of String.
func KeptKindOf(name string) (k KeptKind, ok bool) {
	for i, n := range keptNames {
		if n == name {
			return KeptKind(i), true
		}
	}
	return 0, false
}

// KeptLine is one line of the ledger's kept files. Which fields are filled
// depends on Kind; ID and At always are.
type KeptLine struct {
	Kind KeptKind
	// ID tells the line. That of a statement or repeat follows from the message
	// and the span alone, so that the same words found twice have one.
	ID string
	At Millis // of a statement or repeat: when it was said; of a decision: when it was taken

	Tag     Tag
	Text    string // masked, may hold line breaks
	Until   Millis // 0: until further notice
	Scope   Scope
	Speaker Speaker
	Agent   string // whose ledger it stands in; not written
	Session string
	Entry   string
	// Key tells the message whatever session a copy of it lies in.
	Key        string
	Start, End int // of the span in the message, in code points
	Rule       string

	Of string // id of the statement that a repeat or decision is about; of the decision that is undone
	By string // KeptSupersede: id of the successor

	// Of a forgotten statement: what tells its words without holding them.
	Forgotten []ForgottenText
	// Edited says that the line's words are not those that Tidemark wrote: a
	// person changed them in the file. Not written.
	Edited bool
	// ByHand says that a person wrote the line. Not written.
	ByHand bool
}

// ForgottenText tells a text that must not be kept again without holding it.
type ForgottenText struct {
	Runes int    // its length in code points, normalised
	Print uint64 // keyed rolling fingerprint, finds where it may stand
	Sum   string // keyed hash, decides
}

// StatementState says whether a statement holds.
type StatementState uint8

// The states of statements.
const (
	StatementLive       StatementState = iota
	StatementSuperseded                // a later one says otherwise
	StatementExpired                   // its time is over
	StatementForgotten                 // only its tombstone is left
)

var stateNames = [...]string{StatementLive: "live", StatementSuperseded: "superseded", StatementExpired: "expired", StatementForgotten: "forgotten"}

// String gives the name of the state as the API writes it.
func (s StatementState) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return stateNames[StatementLive]
}

// Occasion is one time that a statement was said.
type Occasion struct {
	ID      string // of the line that records it
	Agent   string
	Session string
	Entry   string
	At      Millis
	Start   int // of the span in the message, in code points
	End     int
	Text    string
	Speaker Speaker
}

// Statement is something that a person stated, as all lines of the ledger
// together have it.
type Statement struct {
	ID       string
	Tag      Tag
	Text     string
	Scope    Scope
	Agent    string // that was told first
	Speaker  Speaker
	At       Millis // when it was said first
	Until    Millis // 0: until further notice
	Session  string
	Entry    string
	Start    int
	End      int
	Rule     string
	State    StatementState
	Pinned   bool
	Edited   bool       // a person changed its words
	ByHand   bool       // a person wrote it into the ledger
	Repeats  []Occasion // the later times it was said, oldest first
	By       string     // id of the statement that replaced it
	Replaces []string   // ids of those that it replaced
	// History are the lines about it, oldest first.
	History []KeptLine
}
