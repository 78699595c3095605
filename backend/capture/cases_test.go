package capture

import (
	"testing"
)

// The cases of section H that are about what is captured.

func kept(text string) []string {
	var got []string
	for _, it := range Find(text, noon) {
		got = append(got, it.Text)
	}
	return got
}

func wantKept(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if got := kept(text); len(got) == 0 {
			t.Errorf("Find(%q) gives nothing, want a statement", text)
		}
	}
}

func wantNothing(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if got := kept(text); len(got) > 0 {
			t.Errorf("Find(%q) = %q, want nothing", text, got)
		}
	}
}

func TestCase93TenCharactersAreASentence(t *testing.T) {
	wantKept(t, "请记住我喜欢深色模式", "我喜欢深色模式", "請記住我喜歡深色模式")
}

func TestCase94GreetingsAndMemoryQuestions(t *testing.T) {
	wantNothing(t, "你好", "我不记得了", "你还记得吗", "好的，谢谢", "早上好")
	wantKept(t, "好的方案是使用Redis做缓存层", "谢谢分享，我觉得这个思路很好")
}

func TestCase95NumbersPathsAndShortChinese(t *testing.T) {
	wantNothing(t, "12345", "8080", "🎉🎉🎉", "👍")
	wantKept(t, "/usr/bin/node is our default node, always use that path", "我吃素", "我对猫过敏")
	wantNothing(t, "/new always be brief", "/reset")
}

func TestCase96GermanAndSingleTurns(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Merke dir: der Schlüssel hängt im Flur", "der Schlüssel hängt im Flur"},
		{"Merke dir: ich mag keine langen Mails", "ich mag keine langen Mails"},
	} {
		got := kept(c.text)
		if len(got) != 1 || !contains(got[0], c.want) {
			t.Errorf("Find(%q) = %q, want %q in one statement", c.text, got, c.want)
		}
	}
}

func contains(s, part string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if s[i:i+len(part)] == part {
			return true
		}
	}
	return false
}

func TestCase98CredentialsAreNoStatement(t *testing.T) {
	wantNothing(t, "my bot token is 123456789:AAEexampleexampleexample", "my api key is sk-example0000000000", "the token is ghp_example0000000000000000000000000000",
		"my password is [masked: password]", "密码是 [masked: password]")
}

func TestCase100InjectedBlocks(t *testing.T) {
	wantNothing(t,
		"<relevant-memories>\nUser always wants tea\nI prefer dark mode\n</relevant-memories>",
		"<active_memory_plugin>I never eat meat</active_memory_plugin>",
		"Pre-compaction memory flush. Store durable memories now (use memory/2026-03-04.md). If nothing to store, reply with NO_REPLY.",
		"Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. Do not infer or repeat old tasks from prior chats. If nothing needs attention, reply HEARTBEAT_OK.",
		"[cron:8f21c0aa daily orders] Always list open orders first. Never include cancelled ones.",
		"Current time: Tuesday, March 10th, 2026 — 12:00 PM (Asia/Shanghai)",
		"NO_REPLY", "HEARTBEAT_OK",
		"A new session was started via /new or /reset. Greet the user in your configured persona, if one is provided.",
	)
	got := Find("<relevant-memories>\n1. User always wants tea\n</relevant-memories>\nI never drink tea", noon)
	if len(got) != 1 || got[0].Text != "I never drink tea" {
		t.Errorf("behind a block: %v, want what the person said", got)
	}
	got = Find("I never drink tea\n<relevant-memories>\n1. User always wants tea\n</relevant-memories>", noon)
	if len(got) != 1 || got[0].Text != "I never drink tea" {
		t.Errorf("before a block: %v, want what the person said", got)
	}
}

func TestCase101CommonEnglishForms(t *testing.T) {
	wantKept(t, "I dislike crowded restaurants.", "I avoid dairy products.", "I learn best by doing.")
	wantNothing(t, "Make this grammatically correct: I like your watch and I prefer it to mine")
}
