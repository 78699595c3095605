package openclaw

import (
	"slices"
	"strings"
	"testing"
)

func TestParseKey(t *testing.T) {
	tests := []struct {
		key              string
		agent, kind      string
		rest, job, group string // group "": the key itself
		background       bool
	}{
		{"agent:main:main", "main", KeyMain, "main", "", "", false},
		{"main", "", KeyMain, "main", "", "", false},
		{"agent:main:global", "main", KeyMain, "global", "", "", false},
		{"global", "", KeyMain, "global", "", "", false},
		{"agent:main:main:thread:42", "main", KeyMain, "main:thread:42", "", "", false},
		{"AGENT:Pony:MAIN", "pony", KeyMain, "MAIN", "", "agent:pony:MAIN", false},

		{"agent:main:direct:+15551234567", "main", KeyDirect, "direct:+15551234567", "", "", false},
		{"agent:main:telegram:direct:123", "main", KeyDirect, "telegram:direct:123", "", "", false},
		{"agent:main:telegram:dm:123", "main", KeyDirect, "telegram:dm:123", "", "", false},
		{"agent:main:telegram:default:direct:123", "main", KeyDirect, "telegram:default:direct:123", "", "", false},
		{"agent:main:whatsapp:group:120363@g.us", "main", KeyGroup, "whatsapp:group:120363@g.us", "", "", false},
		{"group:120363@g.us", "", KeyGroup, "group:120363@g.us", "", "", false},
		{"agent:main:signal:group:AbC=", "main", KeyGroup, "signal:group:AbC=", "", "", false},
		{"agent:main:discord:channel:99:thread:7", "main", KeyChannel, "discord:channel:99:thread:7", "", "", false},
		{"agent:main:matrix:channel:!Room:server.org", "main", KeyChannel, "matrix:channel:!Room:server.org", "", "", false},
		{"agent:main:slack:room:C1", "main", KeyChannel, "slack:room:C1", "", "", false},

		{"agent:main:cron:job1:run:5ef6", "main", KeyCronRun, "cron:job1:run:5ef6", "job1", "agent:main:cron:job1", true},
		{"agent:main:cron:job1:run:5ef6:thread:1", "main", KeyCronRun, "cron:job1:run:5ef6:thread:1", "job1", "agent:main:cron:job1", true},
		{"agent:main:cron:job1", "main", KeyCron, "cron:job1", "job1", "", true},
		{"cron:job1", "", KeyCron, "cron:job1", "job1", "", true},
		{"cron:job1:run:5", "", KeyCronRun, "cron:job1:run:5", "job1", "cron:job1", true},
		{"agent:main:cron:job1:failure", "main", KeyCron, "cron:job1:failure", "job1", "", true},
		{"agent:main:cron:job1:run", "main", KeyCron, "cron:job1:run", "job1", "", true},
		{"agent:main:cron:Job:RUN:x", "main", KeyCronRun, "cron:Job:RUN:x", "Job", "agent:main:cron:Job", true},

		{"agent:pony:subagent:7e1c", "pony", KeySubagent, "subagent:7e1c", "", "", true},
		{"subagent:7e1c", "", KeySubagent, "subagent:7e1c", "", "", true},
		{"agent:main:telegram:direct:1:subagent:2", "main", KeySubagent, "telegram:direct:1:subagent:2", "", "", true},
		{"agent:robin:main:heartbeat", "robin", KeyHeartbeat, "main:heartbeat", "", "", true},
		{"agent:main:heartbeat", "main", KeyHeartbeat, "heartbeat", "", "", true},
		{"agent:main:heartbeat-recovered-17", "main", KeyHeartbeat, "heartbeat-recovered-17", "", "", true},
		{"hook:7e1c", "", KeyHook, "hook:7e1c", "", "", true},
		{"agent:main:hook:automation", "main", KeyHook, "hook:automation", "", "", true},

		{"agent:main:acp:7e1c", "main", KeyOther, "acp:7e1c", "", "", false},
		{"agent:main:dashboard:x", "main", KeyOther, "dashboard:x", "", "", false},
		{"agent:main:big-refactor", "main", KeyOther, "big-refactor", "", "", false},
		{"agent:main:slack:slash:U1", "main", KeyOther, "slack:slash:U1", "", "", false},
		{"agent:main:telegram:group", "main", KeyOther, "telegram:group", "", "", false},
		{"+15551234567", "", KeyOther, "+15551234567", "", "", false},
		{"unknown", "", KeyOther, "unknown", "", "", false},
		{"cron", "", KeyOther, "cron", "", "", false},
		{"hook", "", KeyOther, "hook", "", "", false},
		{"", "", KeyOther, "", "", "", false},
		{"agent:main", "", KeyOther, "agent:main", "", "", false},
		{"agent::x", "", KeyOther, "agent::x", "", "", false},
		{"agent:main:", "", KeyOther, "agent:main:", "", "", false},
		{":::", "", KeyOther, ":::", "", "", false},
		{"agent:main:agent:pony:main", "main", KeyMain, "main", "", "agent:main:main", false},
		{" agent:main:main ", "main", KeyMain, "main", "", "agent:main:main", false},
	}
	for _, tt := range tests {
		t.Run(tt.key, func(t *testing.T) {
			k := ParseKey(tt.key)
			if k.Agent != tt.agent || k.Kind != tt.kind || k.Rest != tt.rest {
				t.Errorf("got %+v", k)
			}
			if k.Background() != tt.background || k.Job() != tt.job {
				t.Errorf("background %v, job %q", k.Background(), k.Job())
			}
			group := tt.group
			if group == "" {
				group = tt.key
			}
			if k.Group() != group {
				t.Errorf("group %q, want %q", k.Group(), group)
			}
		})
	}
}

// Case E 68: a job and all its runs are one group.
func TestKeyGroup(t *testing.T) {
	groups := map[string]int{}
	for _, key := range []string{"agent:main:cron:j", "agent:main:cron:j:run:1", "agent:main:cron:j:run:2", "agent:b:cron:j:run:1", "agent:main:cron:k:run:1"} {
		groups[ParseKey(key).Group()]++
	}
	if len(groups) != 3 || groups["agent:main:cron:j"] != 3 {
		t.Errorf("groups %v", groups)
	}
}

func FuzzParseKey(f *testing.F) {
	for _, s := range []string{"", "agent:main:main", "agent:a:agent:b:cron:j:run:1", "cron::run:", "::::", "agent:\xff:\xff", "hook:", strings.Repeat("agent:a:", 50)} {
		f.Add(s)
	}
	kinds := []string{KeyMain, KeyDirect, KeyGroup, KeyChannel, KeyCron, KeyCronRun, KeySubagent, KeyHeartbeat, KeyHook, KeyOther}
	f.Fuzz(func(t *testing.T, key string) {
		k := ParseKey(key)
		if !slices.Contains(kinds, k.Kind) || !strings.HasSuffix(strings.TrimSpace(key), k.Rest) {
			t.Errorf("ParseKey(%q) = %+v", key, k)
		}
		k.Job()
		if again := ParseKey(k.Group()); again.Agent != k.Agent && k.Rest != "" {
			t.Errorf("%q is in group %q of agent %q", key, k.Group(), again.Agent)
		}
	})
}
