package memory

import "time"

// Kind is what an entry of a transcript is. OpenClaw names it in the field
// "type"; a name this version does not know is KindUnknown, which is kept and
// counted like any other.
type Kind uint8

// The kinds of entries, in the order in which the index stores them: append
// only, never renumber.
const (
	KindUnknown       Kind = iota
	KindSession            // the header line of a transcript
	KindMessage            // what a person, a model or a tool said
	KindCompaction         // a summary that replaced what came before it
	KindReset              // a history boundary inside one session (newest era)
	KindLeaf               // moves the visible end of the tree
	KindBranchSummary      // summary of a branch that was left
	KindCustom             // a marker that is not part of the context
	KindCustomMessage      // a message of a plugin that is part of the context
	KindModelChange        // from here on another model
	KindThinkingLevel      // from here on another thinking level
	KindLabel              // a label on an entry
	KindSessionInfo        // the name of the session
)

var kindNames = [...]string{
	KindUnknown: "unknown", KindSession: "session", KindMessage: "message", KindCompaction: "compaction",
	KindReset: "reset", KindLeaf: "leaf", KindBranchSummary: "branch_summary", KindCustom: "custom",
	KindCustomMessage: "custom_message", KindModelChange: "model_change", KindThinkingLevel: "thinking_level_change",
	KindLabel: "label", KindSessionInfo: "session_info",
}

// String gives OpenClaw's name of the kind, "unknown" for KindUnknown.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[KindUnknown]
}

// KindOf gives the kind that OpenClaw writes as name.
func KindOf(name string) Kind {
	for k, n := range kindNames {
		if n == name && k != int(KindUnknown) {
			return Kind(k)
		}
	}
	return KindUnknown
}

// Role is who speaks in a message.
type Role uint8

// The roles that OpenClaw persists, in the order in which the index stores
// them: append only, never renumber.
const (
	RoleOther Role = iota // a role this version does not know
	RoleUser
	RoleAssistant
	RoleToolResult
	RoleCustom
	RoleBash
)

var roleNames = [...]string{
	RoleOther: "other", RoleUser: "user", RoleAssistant: "assistant",
	RoleToolResult: "toolResult", RoleCustom: "custom", RoleBash: "bashExecution",
}

// String gives OpenClaw's name of the role, "other" for RoleOther.
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return roleNames[RoleOther]
}

// RoleOf gives the role that OpenClaw writes as name.
func RoleOf(name string) Role {
	for r, n := range roleNames {
		if n == name && r != int(RoleOther) {
			return Role(r)
		}
	}
	return RoleOther
}

// Millis is a moment in milliseconds since 1970-01-01T00:00:00Z. Zero means
// that the moment is not known; it never means 1970.
type Millis int64

// Time gives the moment in UTC, the zero time.Time where it is not known.
func (m Millis) Time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(m)).UTC()
}

// MillisOf is the inverse of Millis.Time.
func MillisOf(t time.Time) Millis {
	if t.IsZero() {
		return 0
	}
	return Millis(t.UnixMilli())
}

// Event is one entry of a transcript, whatever storage era it was read from.
// Only the part that belongs to Kind is filled. Texts are as OpenClaw wrote
// them, not yet masked.
type Event struct {
	Kind   Kind
	Type   string // the type as written, for kinds that are not known
	ID     string // "" in the oldest transcripts, which have no ids
	Parent string // id of the entry before it in the tree, "" at the root
	// HasParent says that the entry named a parent, be it the root (null). One
	// that names none continues from the visible end of the tree.
	HasParent bool
	// Side says that the entry, or what follows a leaf, does not move the
	// visible end of the tree (appendMode "side").
	Side bool
	At   Millis

	Header     Header     // KindSession
	Message    Message    // KindMessage, KindCustomMessage
	Compaction Compaction // KindCompaction, and FirstKept of KindReset

	// Target is the entry that a leaf or label entry points at, and
	// the custom type of KindCustom and KindCustomMessage.
	Target string
	// Text is the reason of a reset, the name of a session_info, the label, the
	// summary of a branch_summary, provider/model of a model_change, or the
	// level of a thinking_level_change.
	Text string
	// AppendParent is where entries after a leaf are attached; "" means Target.
	AppendParent string
}

// Header is the first line of a transcript.
type Header struct {
	ID      string // the session id; wins over the name of the file
	Version int    // 1 linear without ids, 2 and 3 tree, 4 newest era; 0 missing, read as 1
	Cwd     string
	Parent  string // path or id of the session that this one continues, "" if none
}

// Message is the payload of KindMessage.
type Message struct {
	Role       Role
	RoleName   string // as written, for roles that are not known
	Provider   string
	Model      string
	Usage      Usage
	StopReason string // stop, length, toolUse, error, aborted
	Error      string // errorMessage of a failed call
	At         Millis // the message's own timestamp; the entry's is Event.At

	// Text is the text of all text parts, joined by line feeds, where the
	// decoder was asked for text; else the beginning of what a user said.
	Text string

	ToolCallID string
	ToolName   string
	IsError    bool
	ToolCalls  []ToolCall
	Images     int   // number of image parts
	ImageBytes int64 // their size as written (base64)

	SenderIsOwner  Tri
	IdempotencyKey string
	MirrorIdentity string // two rows with the same one are one message
	ResponseID     string // the provider's id of the call
}

// ToolCall is a call that an assistant message makes. Arguments are raw JSON,
// filled only where the decoder was asked for text.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
}

// Tri is a truth value that may be unknown.
type Tri uint8

// The three truth values.
const (
	Unknown Tri = iota
	Yes
	No
)

// Compaction is the payload of KindCompaction.
type Compaction struct {
	Summary   string
	FirstKept string // first entry that stayed in the context; the compaction's own id: none stayed
	// FirstKeptIndex replaces FirstKept in transcripts of version 1: the index
	// among the lines, the header being 0. -1 where absent.
	FirstKeptIndex int
	TokensBefore   int64 // 0: not recorded
	TokensAfter    int64 // 0: not recorded
	FromHook       bool
}
