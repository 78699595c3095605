package api

// The types of this file are what the API sends. They are the source of the
// front end's types; `make types` writes those anew. Times are RFC 3339 in UTC
// and null where not known, tokens are integers, money is US dollars. A number
// that is not known is null, never 0.

// Tokens are counts by kind. Input excludes cached tokens: the prompt that was
// sent is input, cacheRead and cacheWrite together.
type Tokens struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead"`
	CacheWrite int64 `json:"cacheWrite"`
}

// Scan is what an installation holds, and what of it could not be read.
type Scan struct {
	Agents       []ScanAgent `json:"agents"`
	Sessions     int64       `json:"sessions"`
	Messages     int64       `json:"messages"`
	UserMessages int64       `json:"userMessages"`
	Compactions  int64       `json:"compactions"`
	Tokens       Tokens      `json:"tokens"`
	Cost         ScanCost    `json:"cost"`
	Problems     []Problem   `json:"problems"`
	ElapsedMs    int64       `json:"elapsedMs"`
}

// ScanAgent is one agent of a scan. Eras are the ways in which its history is
// stored: "jsonl", "sqlite".
type ScanAgent struct {
	ID        string   `json:"id"`
	Workspace string   `json:"workspace"`
	Eras      []string `json:"eras"`
	Sessions  int64    `json:"sessions"`
}

// ScanCost is what priced calls cost, and how many calls have no known price.
type ScanCost struct {
	USD           float64 `json:"usd"`
	UnpricedCalls int64   `json:"unpricedCalls"`
}

// Problem is something that could not be read or that needs attention.
type Problem struct {
	Code    string `json:"code"`
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Count   int    `json:"count"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// SessionRow is a session as `tidemark sessions --json` prints it.
type SessionRow struct {
	Agent         string   `json:"agent"`
	SessionID     string   `json:"sessionId"`
	SessionKey    string   `json:"sessionKey"`
	StartedAt     *string  `json:"startedAt"`
	UpdatedAt     *string  `json:"updatedAt"`
	Messages      int64    `json:"messages"`
	ContextUsed   *int64   `json:"contextUsed"`
	ContextWindow *int64   `json:"contextWindow"`
	Compactions   int64    `json:"compactions"`
	Archived      bool     `json:"archived"`
	Gone          bool     `json:"gone"`
	Parent        *string  `json:"parent"`
	Sources       []string `json:"sources"`
}

// Session is a row of the list of sessions on screen.
type Session struct {
	SessionRow
	Title         string   `json:"title"`
	Model         string   `json:"model"`
	Channel       string   `json:"channel"`
	WindowSource  string   `json:"windowSource"` // session, config, num_ctx, table; "" where the window is not known
	UserMessages  int64    `json:"userMessages"`
	Calls         int64    `json:"calls"`
	Tokens        Tokens   `json:"tokens"`
	USD           float64  `json:"usd"`
	UnpricedCalls int64    `json:"unpricedCalls"`
	Background    bool     `json:"background"`
	Eras          []string `json:"eras"`
}

// SessionDetail is one session with its conversation.
type SessionDetail struct {
	Session Session `json:"session"`
	Entries []Entry `json:"entries"`
	// Total is the number of entries there are; From the position of the first
	// one in Entries.
	Total int `json:"total"`
	From  int `json:"from"`
}

// Entry is one entry of a conversation. Text is masked and untrusted.
type Entry struct {
	ID         string  `json:"id"`
	Kind       string  `json:"kind"`
	Type       string  `json:"type"`
	Role       string  `json:"role"`
	At         *string `json:"at"`
	Text       string  `json:"text"`
	HTML       string  `json:"html"` // Text as sanitised HTML; "" where it is to be shown as it is
	Tool       string  `json:"tool"`
	IsError    bool    `json:"isError"`
	StopReason string  `json:"stopReason"`
	Images     int     `json:"images"`
	ImageBytes int64   `json:"imageBytes"`
	TextTokens int64   `json:"textTokens"` // estimate
	OnPath     bool    `json:"onPath"`     // on the visible branch
	InContext  bool    `json:"inContext"`  // the agent still sees it
	Background bool    `json:"background"`
	// Of what a person said: who that was and where, as far as the text tells,
	// and what OpenClaw put before the words. "" where there is nothing.
	Speaker string   `json:"speaker"`
	Channel string   `json:"channel"`
	Chat    string   `json:"chat"`
	Before  string   `json:"before"`
	Path    string   `json:"path"`
	Line    int      `json:"line"`
	Tokens  *Tokens  `json:"tokens"`
	USD     *float64 `json:"usd"`   // null: not known
	Price   string   `json:"price"` // recorded, own, table, local, none, unknown; "" where no model was called
	Model   string   `json:"model"`
	// Statements are what was kept of it, in order; empty where there is none.
	Statements []StatementSpan `json:"statements"`
}

// CostRow is the sum of the calls that have a key in common.
type CostRow struct {
	Key           string  `json:"key"`
	Calls         int64   `json:"calls"`
	Tokens        Tokens  `json:"tokens"`
	USD           float64 `json:"usd"`
	UnpricedCalls int64   `json:"unpricedCalls"`
	BackgroundUSD float64 `json:"backgroundUsd"`
}

// CostTotal is the sum of all rows.
type CostTotal struct {
	Calls         int64   `json:"calls"`
	Tokens        Tokens  `json:"tokens"`
	USD           float64 `json:"usd"`
	UnpricedCalls int64   `json:"unpricedCalls"`
	BackgroundUSD float64 `json:"backgroundUsd"`
}

// Costs is what `tidemark costs --json` prints.
type Costs struct {
	Rows  []CostRow `json:"rows"`
	Total CostTotal `json:"total"`
}

// CostView is Costs with what the page says beside it.
type CostView struct {
	Costs
	By              string  `json:"by"`
	Zone            string  `json:"zone"`
	EstimatedUSD    float64 `json:"estimatedUsd"`    // part of the total priced by the embedded table
	UnreportedCalls int64   `json:"unreportedCalls"` // calls of which no usage was reported
	PriceTable      string  `json:"priceTable"`      // name and date of the embedded table
}

// CompactionRow is a compaction as `tidemark compactions --json` prints it.
// Summary is masked and untrusted. Token counts are null where OpenClaw
// recorded none.
type CompactionRow struct {
	Agent           string  `json:"agent"`
	SessionID       string  `json:"sessionId"`
	EntryID         string  `json:"entryId"`
	At              *string `json:"at"`
	TokensBefore    *int64  `json:"tokensBefore"`
	TokensAfter     *int64  `json:"tokensAfter"`
	Summary         string  `json:"summary"`
	Superseded      bool    `json:"superseded"`
	DroppedMessages int     `json:"droppedMessages"`
}

// Compaction is one compaction on screen.
type Compaction struct {
	CompactionRow
	HTML string `json:"html"` // Summary as sanitised HTML; "" where it is to be shown as it is
}

// Installation is one state directory of OpenClaw.
type Installation struct {
	ID       string `json:"id"`
	StateDir string `json:"stateDir"`
	Profile  string `json:"profile"`
	Legacy   bool   `json:"legacy"`
	Default  bool   `json:"default"`
}

// Agent is one agent on screen.
type Agent struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Workspace     string   `json:"workspace"`
	SharedWith    []string `json:"sharedWith"`
	Configured    bool     `json:"configured"`
	Eras          []string `json:"eras"`
	Sessions      int64    `json:"sessions"`
	Messages      int64    `json:"messages"`
	Compactions   int64    `json:"compactions"`
	USD           float64  `json:"usd"`
	UnpricedCalls int64    `json:"unpricedCalls"`
	UpdatedAt     *string  `json:"updatedAt"`
}

// Status says what the owner process is doing.
type Status struct {
	Version  string `json:"version"`
	StateDir string `json:"stateDir"`
	DataDir  string `json:"dataDir"`
	Zone     string `json:"zone"`
	Demo     bool   `json:"demo"` // an invented installation is shown
	// Busy says that sources are being read; what is shown is what was read
	// before, and never less.
	Busy bool `json:"busy"`
	// Job is what takes long enough to be shown: "reading" (the first look, or
	// one that found much), "rebuild", "" for none.
	Job         string  `json:"job"`
	Paused      bool    `json:"paused"` // by the person; Job says what
	Agent       string  `json:"agent"`
	Sources     int     `json:"sources"`
	SourcesDone int     `json:"sourcesDone"`
	Done        int64   `json:"done"`        // bytes
	Total       int64   `json:"total"`       // bytes
	Rate        int64   `json:"rate"`        // bytes a second, 0 where not known yet
	SecondsLeft *int64  `json:"secondsLeft"` // null where not known yet
	UpdatedAt   *string `json:"updatedAt"`
	ChangedAt   *string `json:"changedAt"` // when OpenClaw last wrote something that was read
	Watching    string  `json:"watching"`  // "events", or "polling" where the system gives no events
	Error       string  `json:"error"`     // why the last look failed, "" if it did not
	// LedgerError says why what people state cannot be written to the ledger, ""
	// where it can; LedgerWaiting statements are held meanwhile.
	LedgerError   string `json:"ledgerError"`
	LedgerWaiting int    `json:"ledgerWaiting"`
}

// Changed says that something was read, and of whom.
type Changed struct {
	Installation string       `json:"installation"`
	Revision     int64        `json:"revision"` // grows by one with each of them
	Sessions     []SessionRef `json:"sessions"` // what anything was read of
	All          bool         `json:"all"`      // anything may have changed
}

// SessionRef names a session.
type SessionRef struct {
	Agent     string `json:"agent"`
	SessionID string `json:"sessionId"`
}

// Event is what the owner process says by itself: in a stream of server-sent
// events (GET /api/events), or as an event of the window. Name is "status" or
// "changed" and says which of the others is set.
type Event struct {
	Name    string   `json:"name"`
	Status  *Status  `json:"status,omitempty"`
	Changed *Changed `json:"changed,omitempty"`
}

// Tide is the course of a session's context: one point per call, in the order
// of time, in columns of the same length. A call of which no usage was reported
// has -1 in the columns of tokens. Times are milliseconds since 1970.
type Tide struct {
	At         []int64    `json:"at"`
	Input      []int64    `json:"input"`
	CacheRead  []int64    `json:"cacheRead"`
	CacheWrite []int64    `json:"cacheWrite"`
	Output     []int64    `json:"output"`
	USD        []*float64 `json:"usd"` // null: not known
	Background []bool     `json:"background"`
	Entry      []string   `json:"entry"`
	Falls      []TideFall `json:"falls"`
	Window     *int64     `json:"window"`
	// WindowSource is session, config, num_ctx, table; "" where it is not known.
	WindowSource string `json:"windowSource"`
	// Threshold is the level at which this OpenClaw compacts; null where that
	// cannot be told.
	Threshold *int64 `json:"threshold"`
	// Used is what is in the context now; null where not known.
	Used *int64 `json:"used"`
	// Statements are what was kept of what people said in it, by time.
	Statements []TideStatement `json:"statements"`
}

// TideFall is a place where the context was cut.
type TideFall struct {
	At         int64  `json:"at"`
	Kind       string `json:"kind"` // compaction, reset
	Entry      string `json:"entry"`
	Before     *int64 `json:"before"` // tokens; null where not recorded
	After      *int64 `json:"after"`
	Superseded bool   `json:"superseded"` // another one took its place
	Reason     string `json:"reason"`     // of a reset, as OpenClaw names it; "" where not known
	// Call is the position of the first call behind it, the number of calls
	// where there is none.
	Call int `json:"call"`
}

// Today is what happened in a span of time, by agent.
type Today struct {
	Zone   string       `json:"zone"`
	Agents []TodayAgent `json:"agents"`
	Spend  CostTotal    `json:"spend"` // in the span
	Month  CostTotal    `json:"month"` // in this month, of the person's zone
	// MonthPace is what the month costs if it goes on like this; null in its
	// first two days.
	MonthPace   *float64 `json:"monthPace"`
	DailyBudget float64  `json:"dailyBudget"` // US dollars, 0: none was set
	Needs       []Need   `json:"needs"`
}

// TodayAgent is one agent in a span of time.
type TodayAgent struct {
	ID            string  `json:"id"`
	Name          string  `json:"name"`
	Model         string  `json:"model"`
	Local         bool    `json:"local"`  // the model runs on this machine
	LastAt        *string `json:"lastAt"` // of the last message, whenever it was
	LastRole      string  `json:"lastRole"`
	LastText      string  `json:"lastText"` // its first line; masked and untrusted
	LastSession   string  `json:"lastSession"`
	ContextUsed   *int64  `json:"contextUsed"` // of the session that was last used
	ContextWindow *int64  `json:"contextWindow"`
	Threshold     *int64  `json:"threshold"`
	Sessions      int64   `json:"sessions"` // used in the span
	Messages      int64   `json:"messages"`
	Calls         int64   `json:"calls"`
	Compactions   int64   `json:"compactions"`
	Resets        int64   `json:"resets"`
	USD           float64 `json:"usd"`
	BackgroundUSD float64 `json:"backgroundUsd"`
	UnpricedCalls int64   `json:"unpricedCalls"`
	Tide          Tide    `json:"tide"` // of LastSession in the span, at most some hundred points
}

// Need is something that a person should look at.
type Need struct {
	Kind      string  `json:"kind"` // full (a context nears its threshold), compaction (without a summary), problem
	Agent     string  `json:"agent"`
	SessionID string  `json:"sessionId"`
	EntryID   string  `json:"entryId"`
	Code      string  `json:"code"` // of a problem
	Count     int64   `json:"count"`
	Used      *int64  `json:"used"`
	Limit     *int64  `json:"limit"`
	At        *string `json:"at"`
}

// CompactionDetail is one compaction with all that is known of it.
type CompactionDetail struct {
	Compaction
	Title string `json:"title"` // of its session
	// Why is threshold, overflow, manual, or unknown; WhyFrom says how that is
	// known: recorded, told from the numbers, or nothing.
	Why        string  `json:"why"`
	WhyFrom    string  `json:"whyFrom"` // recorded, inferred, ""
	Window     *int64  `json:"window"`
	Threshold  *int64  `json:"threshold"`
	LastCallAt *string `json:"lastCallAt"` // of the last call before it
	Left       []Entry `json:"left"`       // what left the context, in order; long texts cut
	LeftTotal  int     `json:"leftTotal"`
	LeftTokens int64   `json:"leftTokens"` // estimate
	KeptTotal  int     `json:"keptTotal"`  // messages that stayed
	NoSummary  bool    `json:"noSummary"`
	// Flush says whether OpenClaw's memory flush ran before it: ran, not, unknown.
	Flush    string `json:"flush"`
	FromHook bool   `json:"fromHook"` // written by an extension of OpenClaw
	Previous string `json:"previous"` // entry of the compaction before in this session
	Next     string `json:"next"`
}

// Settings are the person's choices, and what they lead to.
type Settings struct {
	Language    string  `json:"language"`    // en, zh; "": that of the system
	Theme       string  `json:"theme"`       // light, dark; "": that of the system
	Density     string  `json:"density"`     // roomy; "": compact
	Timezone    string  `json:"timezone"`    // IANA name; "": as OpenClaw or the system has it
	DailyBudget float64 `json:"dailyBudget"` // US dollars, 0: none
	Closing     string  `json:"closing"`     // background, quit; "": ask
	StateDir    string  `json:"stateDir"`    // "": as OpenClaw finds it
	// Zone is the zone that days are counted in now.
	Zone    string   `json:"zone"`
	Notices []string `json:"notices"` // what of the file could not be used
}

// Found is the place of an entry in its session.
type Found struct {
	Position int `json:"position"` // -1: not there
	Total    int `json:"total"`
}

// Link opens the pages in a browser, once.
type Link struct {
	URL string `json:"url"`
}
