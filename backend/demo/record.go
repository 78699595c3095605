package demo

import (
	"bytes"
	"encoding/json"
	"time"

	"tidemark/backend/memory"
)

// Eras of OpenClaw: files, files with sidecars, databases.
const (
	eraFiles    = 'A' // 2026.2
	eraSidecars = 'B' // 2026.6
	eraDatabase = 'C' // 2026.9
)

// record is one entry of a transcript as OpenClaw writes it.
type record struct {
	id, parent, kind string
	key              string // idempotency key of a person's message
	at               time.Time
	user             bool
	body             []byte // JSON without a line feed
}

// The shapes below have their fields in OpenClaw's order. Those that only one
// kind of entry has are left out of the others.

type headerShape struct {
	Type      string `json:"type"`
	Version   int    `json:"version"`
	ID        string `json:"id"`
	Timestamp string `json:"timestamp"`
	Cwd       string `json:"cwd"`
}

type entryShape struct {
	Type      string  `json:"type"`
	ID        string  `json:"id"`
	ParentID  *string `json:"parentId"`
	Timestamp string  `json:"timestamp"`

	Message       any    `json:"message,omitempty"`
	Provider      string `json:"provider,omitempty"`
	ModelID       string `json:"modelId,omitempty"`
	ThinkingLevel string `json:"thinkingLevel,omitempty"`
	CustomType    string `json:"customType,omitempty"`
	Data          any    `json:"data,omitempty"`
	Reason        string `json:"reason,omitempty"`
	TargetID      string `json:"targetId,omitempty"`
	AppendParent  string `json:"appendParentId,omitempty"`
	*summaryShape
}

type summaryShape struct {
	Summary      string         `json:"summary"`
	FirstKept    string         `json:"firstKeptEntryId"`
	TokensBefore int64          `json:"tokensBefore"`
	TokensAfter  int64          `json:"tokensAfter,omitempty"`
	Details      map[string]any `json:"details"`
	FromHook     bool           `json:"fromHook"`
}

type userShape struct {
	Role      string         `json:"role"`
	Content   any            `json:"content"`
	Timestamp int64          `json:"timestamp"`
	Key       string         `json:"idempotencyKey,omitempty"`
	OpenClaw  map[string]any `json:"__openclaw,omitempty"`
}

type answerShape struct {
	Role       string     `json:"role"`
	Content    []part     `json:"content"`
	API        string     `json:"api"`
	Provider   string     `json:"provider"`
	Model      string     `json:"model"`
	Usage      usageShape `json:"usage"`
	StopReason string     `json:"stopReason"`
	Error      string     `json:"errorMessage,omitempty"`
	Timestamp  int64      `json:"timestamp"`
	ResponseID string     `json:"responseId,omitempty"`
}

type resultShape struct {
	Role       string         `json:"role"`
	ToolCallID string         `json:"toolCallId"`
	ToolName   string         `json:"toolName"`
	Content    []part         `json:"content"`
	Details    map[string]any `json:"details,omitempty"`
	IsError    bool           `json:"isError"`
	Timestamp  int64          `json:"timestamp"`
}

// part is a piece of a message's content.
type part struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Data      string          `json:"data,omitempty"`
	MimeType  string          `json:"mimeType,omitempty"`
}

type usageShape struct {
	Input       int64     `json:"input"`
	Output      int64     `json:"output"`
	CacheRead   int64     `json:"cacheRead"`
	CacheWrite  int64     `json:"cacheWrite"`
	TotalTokens int64     `json:"totalTokens"`
	Cost        costShape `json:"cost"`
}

type costShape struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite"`
	Total      float64 `json:"total"`
}

// model is a model and what OpenClaw knew of its price (dollars for a million
// tokens) when it was called.
type model struct {
	provider, id, api string
	window            int64
	rates             memory.Rates
	caches, local     bool
}

// cost prices a call as OpenClaw does when it writes one: each part by itself,
// in floating point. A product is rounded before it is added, on every
// processor.
func (m *model) cost(u usageShape) costShape {
	const million = 1_000_000
	c := costShape{Input: float64(float64(u.Input)*m.rates.Input) / million, Output: float64(float64(u.Output)*m.rates.Output) / million,
		CacheRead: float64(float64(u.CacheRead)*m.rates.CacheRead) / million, CacheWrite: float64(float64(u.CacheWrite)*m.rates.CacheWrite) / million}
	c.Total = c.Input + c.Output + c.CacheRead + c.CacheWrite
	return c
}

func text(s string) []part { return []part{{Type: "text", Text: s}} }

// stamp writes a moment as OpenClaw does.
func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// encode writes JSON without escaping what HTML would need.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil { // strings, numbers and maps of them
		panic(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
