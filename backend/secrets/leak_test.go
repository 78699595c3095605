package secrets

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The words by which a text is chosen are those of the rules that are used. A
// new version of gitleaks brings others: the test shows the list.
func TestLeakWordsAreThoseOfTheRules(t *testing.T) {
	rules, err := loadLeaks()
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(maps.Keys(rules.byWord))
	if !slices.Equal(leakWords, want) {
		t.Errorf("leakWords should be\n%q", want)
	}
	for _, w := range want {
		if len(w) < 3 || strings.ToLower(w) != w {
			t.Errorf("%q is too short or not in lower case", w)
		}
	}
}

// What no rule of the first layer knows.
func TestLeaks(t *testing.T) {
	hex32 := fake("9f8e7d6c", "5b4a3f2e", "1d0c9b8a", "7f6e5d4c")
	upper := fake("GP7QKXJ4", "TB9WHCD2", "RM5V6N8Y", "ZL")
	b64 := fake("LS0tLS1C", "RUdJTiBD", "RVJUSUZJ", "Q0FURQ==")
	for _, s := range []spoken{
		say(markAPIKey, "algolia_key = {}", hex32),
		say(markAPIKey, "cloudflare: {}", hex32+"0a1b2"),
		say(markToken, "our netlify = {} for the site", hex32+"_4f5e6d7c"),
		say(markToken, "travis=\"{}\"", hex32[:22]),
		say(markAPIKey, "octopus {} is new", "API-"+upper),
		say(markAPIKey, "heroku_production => {}", fake("9f8e7d6c", "-5b4a-3f2e-1d0c-", "9b8a7f6e5d4c")),
		say(markToken, "{} is for the cluster", "sha256~"+hex32+"_x9Kq3LmZp8"),
		say(markToken, "https://acme.webhook.office.com/webhookb2/x 和 {}", fake("sm_", "pat_", upper[:16])),
		say(markPassword, `<add key="ClearTextPassword" value="{}" />`, fake("tide-", "9912-", "wave")),
		say(markToken, "kind: Secret\nmetadata:\n  name: tls\ndata:\n  {}\n", "tls.crt: "+b64),
	} {
		s.check(t)
	}
}

func TestLeaksLeaveOrdinaryText(t *testing.T) {
	sha1 := fake("9fceb02d0ae598e95dc9", "70b74767f19372d61af8")
	for _, text := range []string{
		"discord: 109876543210987654", "telegram: 5823910467, discord channel: 1098765432109876543", "sourcegraph has commit " + sha1,
		"linear: ENG-1432-b", "model = claude-sonnet-4-5-20250929", "api: claude-sonnet-4-5-20250929", "API: gpt-4o-2024-08-06", "access: agent:main:telegram:direct:12345678",
		"sessionKey=7ecc52ca-06be-4235-9a18-114dd3219a5f", "idempotencyKey: 8f3c29d44a7e61b0", "key: " + sha1, "accessed_by = wk82-pavlov-jim",
		"adobe order 20250312094511a", "commit " + sha1, "sentry release 2026.3.1-beta4", "okta session 00-" + sha1[:16], "jira PROJ-204820000",
		"curl https://example.com/a1b2c3d4e5f6/x", "auth: 2026-03-02T09:00:01Z", "kind: Pod\nmetadata:\n  name: web-7f6e5d4c9b\n", "looker = " + sha1[:8],
	} {
		untouched(t, text)
	}
}

// A text in which the second layer has nothing to look at does not load it.
func TestNextRun(t *testing.T) {
	for _, c := range []struct {
		text     string
		from, to int
	}{
		{"", -1, -1}, {"no digits here, however long_the_word_is", -1, -1}, {"call 0123456789 now", -1, -1}, {"at 12:30, room b12", -1, -1},
		{"gpt-4o-mini", 0, 11}, {"周三 a1b2c3d4e5f6，好", 7, 19}, {"1 2 3 " + strings.Repeat("x", 20) + "9", 6, 27}, {"x9", -1, -1},
		{strings.Repeat("a", 600) + "1", 0, 601}, {strings.Repeat("a", 2000) + "1", -1, -1}, {strings.Repeat("a1", 600) + " abcdefghi1", 1201, 1211},
	} {
		if from, to := nextRun(c.text, 0); from != c.from || to != c.to {
			t.Errorf("nextRun(%.40q) = %d, %d, want %d, %d", c.text, from, to, c.from, c.to)
		}
	}
}

func TestNextDigit(t *testing.T) {
	for c := range 256 {
		for pad := range 20 {
			text := strings.Repeat("\xff", pad) + string([]byte{byte(c)}) + strings.Repeat("/", 20-pad)
			want := -1
			if is(byte(c), isDigit) {
				want = pad
			}
			if got := nextDigit(text, 0); got != want {
				t.Fatalf("nextDigit(%q) = %d, want %d", text, got, want)
			}
		}
	}
}

// However long a text is, what the rules see of it is bounded, and all the same
// masking it again changes nothing.
func TestLeaksInLongText(t *testing.T) {
	secret := fake("9f8e7d6c", "5b4a3f2e", "1d0c9b8a", "7f6e5d4c")
	line := "algolia = " + secret + " and then some more of it\n"
	text := strings.Repeat(line, 3*longestLeak/len(line))
	got, n := MaskCount(text)
	if low, high := longestLeak/len(line)-1, longestLeak/len(line)*2; n < low || n > high {
		t.Errorf("%d marks, want from %d to %d", n, low, high)
	}
	if again, more := MaskCount(got); more != 0 || again != got {
		t.Errorf("masking again makes %d more marks", more)
	}
	if !strings.Contains(got[longestLeak*2:], secret) {
		t.Error("the end of the text was looked at")
	}
}

// A secret of many entries loses them one by one, and all of them.
func TestLeaksInManyRounds(t *testing.T) {
	entry := fake("LS0tLS1C", "RUdJTiBD", "RVJUSUZJ", "Q0FURQ==")
	text := "kind: Secret\ndata:\n" + strings.Repeat("  tls.crt: "+entry+"\n", 5)
	got := Mask(text)
	if strings.Contains(got, entry) {
		t.Errorf("an entry is left in %q", got)
	}
	if again := Mask(got); again != got {
		t.Errorf("masking %q again gives %q", got, again)
	}
}

// A panic inside of a rule leaves what the first layer did.
func TestLeaksDoNotPanic(t *testing.T) {
	before := loadedLeaks
	defer func() { loadedLeaks = before }()
	loadedLeaks = func() *leakRules { panic("no rules") }
	if got := Mask("pwd=" + simple + " algolia = " + chars(isLower|isDigit, 32)); !strings.HasPrefix(got, "pwd=[masked: password] algolia") {
		t.Errorf("got %q", got)
	}
	loadedLeaks = func() *leakRules { return nil }
	untouched(t, "algolia = "+chars(isLower|isDigit, 32))
}

func TestLeaksConcurrently(t *testing.T) {
	want := Mask("algolia = " + chars(isLower|isDigit, 32))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if got := Mask("algolia = " + chars(isLower|isDigit, 32)); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
	group.Wait()
}

func BenchmarkLeaks(b *testing.B) {
	secret := chars(isLower|isDigit, 32)
	for name, text := range map[string]string{
		"no run":   "the discord bot answers in the linear channel, and jira has the rest of it",
		"no word":  "see commit 9fceb02d0ae598e95dc970b74767f19372d61af8 of tuesday",
		"word":     "the linear ticket of commit 9fceb02d0ae598e95dc970b74767f19372d61af8 is done",
		"secret":   "the algolia key is algolia = " + secret + " for now",
		"ten of 1": strings.Repeat("the discord bot a1b2c3d4e5f6 in the linear channel, and jira has the rest of it. ", 10),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			Mask(text)
			for b.Loop() {
				Mask(text)
			}
		})
	}
}

func BenchmarkLoadLeaks(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := loadLeaks(); err != nil {
			b.Fatal(err)
		}
	}
}
