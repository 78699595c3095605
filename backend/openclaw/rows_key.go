package openclaw

import "strings"

// The kinds of session keys.
const (
	KeyMain      = "main"      // the conversation with the person
	KeyDirect    = "direct"    // with one person on one channel
	KeyGroup     = "group"     // a group chat
	KeyChannel   = "channel"   // a channel or room
	KeyCron      = "cron"      // a scheduled job
	KeyCronRun   = "cron-run"  // one run of a scheduled job
	KeySubagent  = "subagent"  // started by another session
	KeyHeartbeat = "heartbeat" // regular wake-ups
	KeyHook      = "hook"      // started from outside
	KeyOther     = "other"
)

// Key is a session key taken apart.
type Key struct {
	// Agent is the normalised id of the agent, "" in keys that name none.
	Agent string
	// Kind is one of the constants above.
	Kind string
	// Rest is the key without "agent:<id>:", as written.
	Rest string
}

// ParseKey takes a session key apart. Every text is a key: one of no known
// shape is KeyOther. Case does not matter, and Rest keeps it.
func ParseKey(key string) Key {
	k := Key{Rest: strings.TrimSpace(key)}
	for {
		parts := strings.SplitN(k.Rest, ":", 3)
		// Keys were wrapped twice by some versions; the outer agent owns them.
		if len(parts) < 3 || !strings.EqualFold(parts[0], "agent") || parts[1] == "" || parts[2] == "" {
			break
		}
		if k.Agent == "" {
			k.Agent = NormalizeAgentID(parts[1])
		}
		k.Rest = parts[2]
	}
	k.Kind = kindOfKey(strings.ToLower(k.Rest))
	return k
}

func kindOfKey(rest string) string {
	if base, _, ok := strings.Cut(rest, ":thread:"); ok {
		rest = base
	}
	parts := strings.Split(rest, ":")
	last := parts[len(parts)-1]
	switch {
	case parts[0] == "subagent" || strings.Contains(rest, ":subagent:"):
		return KeySubagent
	case parts[0] == "cron" && len(parts) >= 4 && parts[2] == "run":
		return KeyCronRun
	case parts[0] == "cron" && len(parts) > 1:
		return KeyCron
	case parts[0] == "hook" && len(parts) > 1:
		return KeyHook
	case last == "heartbeat" || strings.HasPrefix(parts[0], "heartbeat"):
		return KeyHeartbeat
	case rest == "main" || rest == "global":
		return KeyMain
	}
	// [<channel>:[<account>:]]<kind of peer>:<peer>
	for i := 0; i < len(parts)-1 && i < 3; i++ {
		switch parts[i] {
		case "group":
			return KeyGroup
		case "channel", "room":
			return KeyChannel
		case "direct", "dm":
			return KeyDirect
		}
	}
	return KeyOther
}

// Background says that nobody asked for what happens in the session just then:
// it was scheduled, started by a program, or by another session.
func (k Key) Background() bool {
	switch k.Kind {
	case KeyCron, KeyCronRun, KeySubagent, KeyHeartbeat, KeyHook:
		return true
	}
	return false
}

// Job is the scheduled job of a KeyCron or KeyCronRun, so that its runs can be
// shown together; "" for others.
func (k Key) Job() string {
	if k.Kind != KeyCron && k.Kind != KeyCronRun {
		return ""
	}
	return strings.Split(k.Rest, ":")[1]
}

// Group is the key that stands for the session in a list: of a run of a
// scheduled job the key of the job, of any other key the key itself.
func (k Key) Group() string {
	rest := k.Rest
	if k.Kind == KeyCronRun {
		rest = "cron:" + k.Job()
	}
	if k.Agent == "" {
		return rest
	}
	return "agent:" + k.Agent + ":" + rest
}
