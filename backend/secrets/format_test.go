package secrets

import (
	"encoding/base64"
	"strings"
	"testing"
)

// sampleOf makes the shortest token of a format.
func sampleOf(f format) string { return f.prefix + chars(f.set, f.min) }

func TestEveryFormatIsMasked(t *testing.T) {
	for _, f := range formats {
		token := sampleOf(f)
		for _, s := range []spoken{
			say(f.mark, "{}", token),
			say(f.mark, "use {} here", token),
			say(f.mark, "用{}吧", token),
			say(f.mark, "x={}", token),
			say(f.mark, "(\"{}\")", token),
			say(f.mark, "<{}>", token),
			say(f.mark, "`{}`.", token),
			say(f.mark, `line\n{}\n`, token),
			say(f.mark, "- {}\n- {}", token, token),
		} {
			if got, _ := MaskCount(s.plain()); got != s.masked() {
				t.Errorf("format %q: Mask(%q) = %q, want %q", f.prefix, s.plain(), got, s.masked())
			}
		}
	}
}

// A prefix inside of a word, or with too little after it, is no token.
func TestFormatsNeedTheirShape(t *testing.T) {
	for _, f := range formats {
		token := sampleOf(f)
		untouched(t, f.prefix)
		untouched(t, "the prefix "+f.prefix+" alone")
		if got := Mask("x" + token); strings.Contains(got, markHead) {
			t.Errorf("format %q: x%s is masked as %q", f.prefix, token, got)
		}
		if f.min > 8 {
			if got := firstLayer(f.prefix + chars(f.set, f.min/2)); f.prefix != "sk-" && strings.HasPrefix(got, f.mark.String()) {
				t.Errorf("format %q: half a token is masked", f.prefix)
			}
		}
		if f.max > 0 {
			if got := Mask(f.prefix + chars(f.set, f.max+1)); strings.HasPrefix(got, f.mark.String()) {
				t.Errorf("format %q: a token that is too long is masked", f.prefix)
			}
		}
	}
}

// Formats must be found by the gate, be unambiguous and ask for enough.
func TestFormatTable(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range formats {
		switch {
		case len(f.prefix) < 3:
			t.Errorf("format %q has fewer than three bytes for the gate", f.prefix)
		case seen[f.prefix]:
			t.Errorf("format %q is there twice", f.prefix)
		case f.max > 0 && f.max < f.min:
			t.Errorf("format %q can never match", f.prefix)
		case f.mark == markNone:
			t.Errorf("format %q has no mark", f.prefix)
		case f.min < 10:
			t.Errorf("format %q: %d bytes after a prefix are no credential", f.prefix, f.min)
		}
		seen[f.prefix] = true
	}
}

func TestMaskJWT(t *testing.T) {
	part := func(json string) string { return base64.RawURLEncoding.EncodeToString([]byte(json)) }
	head, claims, sum := part(`{"alg":"HS256","typ":"JWT"}`), part(`{"sub":"1","name":"Bob"}`), chars(isName, 43)
	for _, s := range []spoken{
		say(markToken, "{}", fake(head, ".", claims, ".", sum)),
		say(markToken, "here: {}, ok", fake(head, ".", claims, ".", sum)),
		say(markToken, "unsigned {} there", fake(head, ".", claims, ".")),
		say(markToken, "encrypted {}", fake(head, "..", chars(isName, 16), ".", chars(isName, 40), ".", chars(isName, 22))),
		say(markToken, "bearer {}", fake(head, ".", claims, ".", sum)),
	} {
		if got := strings.Replace(Mask(s.plain()), "token]. there", "token] there", 1); got != s.masked() {
			t.Errorf("Mask(%q) = %q, want %q", s.plain(), got, s.masked())
		}
	}
	untouched(t, head)
	untouched(t, head+" "+claims)
	untouched(t, "eyJ.com and eyJ.b.c")
	untouched(t, strings.Repeat(head, 2000))
}

func TestMaskBotTokens(t *testing.T) {
	discord := func(id string) string {
		return fake(base64.RawStdEncoding.EncodeToString([]byte(id)), ".", chars(isAlnum, 6), ".", chars(isName, 38))
	}
	for _, id := range []string{"123456789012345678", "298374651029384756", "999999999999999999", "1029384756102938475", "450000000000000001"} {
		say(markToken, "bot {} runs", discord(id)).check(t)
	}
	telegram := fake("1234567890", ":", "AA", chars(isName, 33))
	say(markToken, "my bot token is {}", telegram).check(t)
	say(markToken, "{}", telegram).check(t)
	say(markToken, "用 {} 这个机器人", telegram).check(t)
	say(markToken, "https://api.telegram.org/bot{}/getMe", telegram).check(t)
	untouched(t, "12345678:30 and 1234567890:short")
	untouched(t, "chat 1234567890: hello there everyone")
}

func TestMaskAuthorizationSchemes(t *testing.T) {
	login := base64.StdEncoding.EncodeToString([]byte("bob:" + simple))
	for _, s := range []spoken{
		say(markToken, "Bearer {}", opaque),
		say(markToken, "BEARER {}", opaque),
		say(markToken, `\nBearer {}\n`, opaque),
		say(markPassword, "Basic {}", login),
		say(markPassword, `"Basic {}"`, login),
		say(markToken, "Authorization: Basic {}", login),
		say(markToken, "Authorization: Bearer {}", opaque),
		say(markToken, "authorization: bearer {}", fake("abc", "def", "gh1")),
		say(markToken, "Authorization: token {}", opaque),
		say(markToken, "Authorization: {}", opaque),
		say(markToken, "Proxy-Authorization: Basic {}", login),
		say(markToken, `curl -H "Authorization: Bearer {}" https://example.com`, opaque),
		say(markToken, `{"Authorization": "Bearer {}"}`, opaque),
		say(markToken, "Authorization: AWS4-HMAC-SHA256 {}", "Credential=x/y/z, SignedHeaders=host;date, Signature="+chars(isLower|isDigit, 64)),
		say(markToken, "Cookie: {}", fake("sid=", opaque, "; theme=dark")),
		say(markToken, "Set-Cookie: {}", fake("sid=", opaque, "; HttpOnly")),
		say(markToken, `-H 'Cookie: {}'`, fake("sid=", opaque)),
	} {
		s.check(t)
	}
	for _, text := range []string{
		"Basic authentication", "basic English lessons", "Basic Options", "bearer of bad news", "Bearer token", "Authorization: required",
		"Authorization: Bearer", "Authorization: Bearer token", "authorization code flow", "cookie: chocolate chip = the best", "Cookie: a=1",
		"cookies: on", "Authorization: see https://example.com/docs/auth2",
	} {
		untouched(t, text)
	}
}

func TestMaskAzureSecret(t *testing.T) {
	secret := fake("abC", "8", "Q", "~", chars(isAlnum, 34))
	say(markToken, "value {} expires", secret).check(t)
	untouched(t, "abC8Q~short")
	untouched(t, "8Q~")
	untouched(t, "Q~8Q~8Q~")
}
