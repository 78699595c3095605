package transcript

import (
	"regexp"
	"strings"

	"tidemark/backend/memory"
)

// Prompt says who is behind a message of role user: a person, or OpenClaw
// itself, which speaks to the model in that role too.
type Prompt uint8

// The kinds of prompts. The index stores them: append only, never renumber.
const (
	PromptPerson    Prompt = iota
	PromptHeartbeat        // the periodic wake-up
	PromptCron             // a scheduled job
	PromptFlush            // the memory flush before a compaction
	PromptStartup          // the greeting after /new or /reset
	PromptSubagent         // the task of a subagent, or its result
	PromptSystem           // an event that OpenClaw reports
)

// Background says that nobody asked for what follows the prompt.
func (p Prompt) Background() bool {
	return p != PromptPerson && p != PromptStartup
}

// envelope is what stands before a text: injected blocks
// "<relevant-memories>…</relevant-memories>" and the gateway's time
// "[Tue 2026-12-01 03:54 GMT+8] ".
var envelopeTime = regexp.MustCompile(`^\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2})?(?: [^\]\n]{1,40})?\]\s*`)

// Unwrap takes blocks that a plugin injected and the time that the gateway
// put in front off the beginning of a text.
func Unwrap(text string) string {
	for {
		s := strings.TrimLeft(text, " \t\r\n")
		switch {
		case strings.HasPrefix(s, "<"):
			rest, ok := dropBlock(s)
			if !ok {
				return s
			}
			s = rest
		case strings.HasPrefix(s, "["):
			s = envelopeTime.ReplaceAllString(s, "")
		}
		if s == text {
			return text
		}
		text = s
	}
}

// dropBlock drops a leading <name …>…</name>. Only names with a hyphen or
// underscore are taken for injected blocks: nobody pastes <p> as one.
func dropBlock(s string) (rest string, ok bool) {
	end := strings.IndexAny(s, "> \n")
	if end < 2 || end > 64 || !strings.ContainsAny(s[1:end], "-_") {
		return s, false
	}
	name := s[1:end]
	closing := "</" + name + ">"
	at := strings.Index(s, closing)
	if at < 0 {
		return s, false
	}
	return strings.TrimLeft(s[at+len(closing):], " \t\r\n"), true
}

// promptStarts are the beginnings of OpenClaw's own prompts, lower case.
var promptStarts = []struct {
	start  string
	prompt Prompt
}{
	{"read heartbeat.md", PromptHeartbeat},
	{"heartbeat", PromptHeartbeat},
	{"[heartbeat", PromptHeartbeat},
	{"[cron:", PromptCron},
	{"pre-compaction memory flush", PromptFlush},
	{"pre-compaction memory", PromptFlush},
	{"a new session was started via /new or /reset", PromptStartup},
	{"[subagent", PromptSubagent},
	{"<<<begin_openclaw_internal_context>>>", PromptSystem},
	{"system: [", PromptSystem},
	{"[system message]", PromptSystem},
	{"an async command you ran earlier has completed", PromptSystem},
	{"a scheduled reminder has been triggered", PromptCron},
	{"a subagent task", PromptSubagent},
	{"a background task", PromptSystem},
}

// PromptOf tells who is behind the text of a user message. The beginning of
// the text is enough.
func PromptOf(text string) Prompt {
	s := Unwrap(text)
	if len(s) > 120 {
		s = s[:120]
	}
	s = strings.ToLower(s)
	for _, p := range promptStarts {
		if strings.HasPrefix(s, p.start) && (p.start != "heartbeat" || bareHeartbeat(s)) {
			return p.prompt
		}
	}
	if strings.Contains(s, "heartbeat.md") && strings.Contains(s, "heartbeat_ok") {
		return PromptHeartbeat
	}
	return PromptPerson
}

// bareHeartbeat tells the wake-up word from a person's sentence about it.
func bareHeartbeat(s string) bool {
	rest := strings.TrimPrefix(s, "heartbeat")
	return strings.TrimSpace(rest) == "" || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, " poll") || strings.HasPrefix(rest, " check")
}

// Mirror says that a message repeats in the transcript what was sent
// elsewhere, or was written by the gateway: no model was called for it.
func Mirror(m *memory.Message) bool {
	if m.Role != memory.RoleAssistant {
		return false
	}
	return m.Provider == "openclaw" || m.Model == "delivery-mirror" || m.Model == "gateway-injected"
}
