package memory

// Entry is one entry of a session as Tidemark keeps it: judged, priced and
// masked. Entries of the same session and ID are one.
type Entry struct {
	Session string // id of the session it belongs to
	ID      string
	Kind    Kind
	Type    string // as written, for kinds that are not known
	Role    Role
	At      Millis
	Place   Place

	// The tree, as in Event.
	Parent       string
	HasParent    bool
	Side         bool
	Target       string
	AppendParent string

	// Text is masked and bounded; for a tool result it is a preview.
	Text       string
	TextTokens int64 // estimate of the whole text, before it was bounded
	Tool       string
	ToolCallID string
	IsError    bool
	StopReason string
	Images     int
	ImageBytes int64
	Owner      Tri
	// Mirror names a message that is stored in two rows: they count once.
	Mirror string
	// Title is the first line of what a person said, masked and short.
	Title string

	Call       *Call       // an assistant message that called a model
	Compaction *Compaction // KindCompaction; FirstKept of KindReset
	Header     *Header     // KindSession
}

// Call is one call of a model and what it cost.
type Call struct {
	Provider string
	Model    string
	Usage    Usage
	Cost     Money
	Price    PriceSource
	// Background says that nobody asked for it: a heartbeat, a scheduled job,
	// a memory flush, a subagent.
	Background bool
	Failed     bool
	Reported   bool // the provider reported any usage
	// Once is equal for copies of the same call in different sessions (a
	// transcript that was rotated or forked): its usage counts once.
	Once uint64
}

// SessionMeta is what OpenClaw notes of a session beside its transcript.
// Pointers are nil where nothing was noted: not noted is not zero.
type SessionMeta struct {
	SessionID string
	Key       string
	Base      string // name of its transcript file, "" in a database
	Previous  string // session it followed
	Leaf      string // visible end of its tree
	Current   bool   // it is the session that its key points at

	UpdatedAt Millis
	StartedAt Millis

	ContextTokens    *int64 // size of the context window, in tokens
	TotalTokens      *int64
	TotalTokensFresh bool
	CompactionCount  *int64
	FlushAt          Millis
	FlushCompaction  *int64

	Provider    string
	Model       string
	Channel     string
	ChatType    string
	Label       string
	DisplayName string
	SpawnedBy   string // key of the session that started it
	ParentKey   string
	Background  bool // its key names a scheduled job, a subagent, a heartbeat or a hook
}

// Agent is one agent of an installation.
type Agent struct {
	ID         string
	Name       string
	Workspace  string   // as resolved on this machine, "" where not known
	SharedWith []string // other agents that use the same workspace
	Configured bool
}
