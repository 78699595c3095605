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
	ID         string   `json:"id"`
	Kind       string   `json:"kind"`
	Type       string   `json:"type"`
	Role       string   `json:"role"`
	At         *string  `json:"at"`
	Text       string   `json:"text"`
	HTML       string   `json:"html"` // Text as sanitised HTML; "" where it is to be shown as it is
	Tool       string   `json:"tool"`
	IsError    bool     `json:"isError"`
	StopReason string   `json:"stopReason"`
	Images     int      `json:"images"`
	ImageBytes int64    `json:"imageBytes"`
	TextTokens int64    `json:"textTokens"` // estimate
	OnPath     bool     `json:"onPath"`     // on the visible branch
	InContext  bool     `json:"inContext"`  // the agent still sees it
	Background bool     `json:"background"`
	Path       string   `json:"path"`
	Line       int      `json:"line"`
	Tokens     *Tokens  `json:"tokens"`
	USD        *float64 `json:"usd"`   // null: not known
	Price      string   `json:"price"` // recorded, own, table, local, none, unknown; "" where no model was called
	Model      string   `json:"model"`
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
	// Busy says that sources are being read; what is shown is what was read
	// before, and never less.
	Busy      bool    `json:"busy"`
	Agent     string  `json:"agent"`
	Done      int64   `json:"done"`  // bytes
	Total     int64   `json:"total"` // bytes
	UpdatedAt *string `json:"updatedAt"`
	Error     string  `json:"error"` // why the last look failed, "" if it did not
}

// Link opens the pages in a browser, once.
type Link struct {
	URL string `json:"url"`
}
