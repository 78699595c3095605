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
	PromptSubagent         // the task of a subagent, its result, or a message of another session
	PromptSystem           // an event that OpenClaw reports
)

// Background says that nobody asked for what follows the prompt.
func (p Prompt) Background() bool {
	return p != PromptPerson && p != PromptStartup
}

// promptStart is how a prompt of OpenClaw's own begins, in lower case.
type promptStart struct {
	start  string
	prompt Prompt
	// fits tells the prompt from a person's sentence that begins alike, by what
	// stands behind the start; nil where the start alone tells.
	fits func(rest string) bool
}

// promptStarts were read in OpenClaw 2026.2.24, 2026.6.11 and 2026.9.6, and in
// transcripts that these versions wrote. The first that fits counts.
var promptStarts = []promptStart{
	{"read heartbeat.md", PromptHeartbeat, wakesUp},
	{"follow the heartbeat monitor scratch context", PromptHeartbeat, nil},
	{"heartbeat", PromptHeartbeat, isWakeUpWord},
	{"[heartbeat", PromptHeartbeat, isWakeUpWord},
	{"[openclaw heartbeat", PromptHeartbeat, isWakeUpWord},
	{"[cron:", PromptCron, namesJob},
	{"[openclaw cron wake]", PromptCron, nil},
	{"a scheduled reminder has been triggered. the reminder content is", PromptCron, nil},
	{"a scheduled cron event was triggered, but no event content", PromptCron, nil},
	{"pre-compaction memory flush", PromptFlush, asksToStore},
	{"a new session was started via /new or /reset", PromptStartup, asksToGreet},
	{"[openclaw session new]", PromptStartup, nil},
	{"[openclaw session reset]", PromptStartup, nil},
	{"[subagent context]", PromptSubagent, nil},
	{"[subagent task]", PromptSubagent, nil},
	{"[inter-session message]", PromptSubagent, nil},
	{"[openclaw runtime event]", PromptSubagent, nil},
	{"a subagent task \"", PromptSubagent, saysJust},
	{"a completed cron job is ready for ", PromptCron, nil},
	{"a completed ", PromptSubagent, saysReady},
	{"[system message]", PromptSubagent, saysJust},
	{"continue the openclaw runtime event", PromptSystem, endsHere},
	{"openclaw runtime event.", PromptSystem, endsLine},
	{"openclaw runtime context (internal):", PromptSystem, nil},
	{"openclaw runtime context for ", PromptSystem, isRuntimeContext},
	{"[openclaw exec completion]", PromptSystem, nil},
	{"[openclaw session event]", PromptSystem, nil},
	{"[openclaw room event]", PromptSystem, nil},
	{"[internal task completion event]", PromptSystem, nil},
	{"[post-compaction context refresh]", PromptSystem, nil},
	{"<<<begin_openclaw_internal_context>>>", PromptSystem, nil},
	{"[system message]", PromptSystem, nil},
	{"an async command", PromptSystem, reportsCommand},
	{"a background task \"", PromptSystem, saysJust},
	{"a background task finished. process the completion update", PromptSystem, nil},
	{"a background task completed. use this result", PromptSystem, nil},
	{"a background task completed. keep internal details", PromptSystem, nil},
}

// promptHead is how much of a text is looked at: OpenClaw's prompts say what
// they are in their first sentences.
const promptHead = 800

// PromptOf tells who is behind the text of a user message. The beginning of
// the text is enough. In doubt it is a person: taking a person's words for
// OpenClaw's would lose them.
func PromptOf(text string) Prompt {
	s, events := unwrap(text)
	if s == "" && events {
		return PromptSystem
	}
	if len(s) > promptHead {
		s = s[:promptHead]
	}
	s = strings.ToLower(s)
	for i := range promptStarts {
		p := &promptStarts[i]
		if strings.HasPrefix(s, p.start) && (p.fits == nil || p.fits(s[len(p.start):])) {
			return p.prompt
		}
	}
	if isOwnWakeUp(s) {
		return PromptHeartbeat
	}
	return PromptPerson
}

// The conditions below get what stands behind a start, in lower case.

func endsHere(rest string) bool { return strings.Trim(rest, " \t\r\n.…!]\"") == "" }

func endsLine(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line) == ""
}

// asks says that a text holds a question, as no prompt of OpenClaw's does in
// its own words.
func asks(s string) bool { return strings.ContainsAny(s, "?？") }

func wakesUp(rest string) bool {
	if endsHere(rest) {
		return true
	}
	for _, exists := range []string{" if it exists", " if exists"} {
		if more, ok := strings.CutPrefix(rest, exists); ok {
			return endsHere(more) || strings.HasPrefix(more, " (workspace context)") ||
				strings.HasPrefix(more, ". follow it strictly") || strings.HasPrefix(more, ". consider outstanding tasks")
		}
	}
	return false
}

// isWakeUpWord tells the bare wake-up word from a sentence about it.
func isWakeUpWord(rest string) bool {
	for _, word := range []string{" poll", " wake", " check"} {
		if more, ok := strings.CutPrefix(rest, word); ok {
			rest = more
			break
		}
	}
	rest, _, _ = strings.Cut(rest, "\n") // a time may stand below
	return endsHere(strings.TrimRight(rest, ":"))
}

// silentWakeUp is the answer that a wake-up asks for where nothing is to do.
const silentWakeUp = "heartbeat_ok"

// timeBelow is the line that OpenClaw writes below its own prompts.
var timeBelow = regexp.MustCompile(`\ncurrent time: [^\n]+ \([^()\n]+\)`)

// condition is a word that tells an order for later from a remark.
var condition = regexp.MustCompile(`\b(?:if|when|unless|otherwise)\b`)

// isOwnWakeUp recognises a wake-up whose words a person configured: it ends by
// asking for the silent answer on some condition, and has the time below it or
// names the file.
func isOwnWakeUp(s string) bool {
	at := timeBelow.FindStringIndex(s)
	body := s
	if at != nil {
		body = s[:at[0]]
	}
	order := strings.TrimRight(body, " \t\r\n.…!`*")
	if !strings.HasSuffix(order, silentWakeUp) || asks(body) || strings.ContainsAny(body, "\"“”") {
		return false
	}
	order = strings.TrimRight(strings.TrimSuffix(order, silentWakeUp), " `*:")
	for _, verb := range []string{"reply", "reply with", "respond", "respond with", "answer", "answer with", "say", "reply only", "reply exactly"} {
		if strings.HasSuffix(order, verb) {
			return condition.MatchString(order) && (at != nil || strings.Contains(body, "heartbeat.md"))
		}
	}
	return false
}

// namesJob says that a job's id and perhaps its name follow, on one line.
// "[cron: …" and a schedule like "[cron:0 9 * * *]" are a person's.
func namesJob(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	inside, _, closed := strings.Cut(line, "]")
	id, _, _ := strings.Cut(inside, " ")
	return closed && (len(id) > 3 || strings.Trim(id, "0123456789*/,-") != "")
}

func asksToStore(rest string) bool {
	rest = strings.TrimPrefix(rest, " turn")
	return endsHere(rest) || strings.HasPrefix(rest, ".") && !asks(rest) &&
		(strings.Contains(rest, "durable memories") || strings.Contains(rest, "no_reply"))
}

func asksToGreet(rest string) bool {
	return endsHere(rest) || !asks(rest) && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, " while bootstrap"))
}

func saysJust(rest string) bool { return strings.Contains(rest, "\" just ") }

func isRuntimeContext(rest string) bool {
	return strings.HasPrefix(rest, "the immediately preceding user message") || strings.HasPrefix(rest, "the active user request") ||
		strings.HasPrefix(rest, "this turn:")
}

func saysReady(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Contains(line, " is ready for user delivery") || strings.Contains(line, " is ready for parent review")
}

func reportsCommand(rest string) bool {
	for _, start := range []string{
		" you ran earlier has completed. the ",
		" you ran earlier completed without captured",
		" completion event was triggered, but ",
		" the user already approved has completed.",
		" did not run.\n",
	} {
		if strings.HasPrefix(rest, start) {
			return true
		}
	}
	return false
}

// Mirror says that a message repeats in the transcript what was sent
// elsewhere, or was written by the gateway: no model was called for it.
func Mirror(m *memory.Message) bool {
	if m.Role != memory.RoleAssistant {
		return false
	}
	return m.Provider == "openclaw" || m.Model == "delivery-mirror" || m.Model == "gateway-injected"
}
