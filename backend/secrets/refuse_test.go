package secrets

import "testing"

func TestClauseEnds(t *testing.T) {
	for text, want := range map[string]bool{
		"":              true,
		"\nx":           true,
		"\r\nx":         true,
		". Next":        true,
		", and":         true,
		")":             true,
		"! Yes":         true,
		"\" said":       false,
		"\"":            true,
		" ":             true,
		" \n":           true,
		" x":            false,
		"，下":            true,
		" 你":            true,
		"了":             true,
		" - more":       true,
		" (note)":       true,
		" thanks":       true,
		" thanksgiving": false,
		" is":           false,
		"😵":             true,
		" / b":          true,
		"|":             true,
		`\n`:            true,
	} {
		m := masker{text: "word" + text}
		if got := m.clauseEnds(len("word")); got != want {
			t.Errorf("clauseEnds before %q is %v", text, got)
		}
	}
}

func TestCode(t *testing.T) {
	assign, spaced, colon, verb := link{bond: bondFirm, assign: true}, link{bond: bondFirm, assign: true, spaced: true}, link{bond: bondFirm}, link{bond: bondVerb}
	for _, c := range []struct {
		text string
		l    link
		want bool
	}{
		{"getToken()", colon, true},
		{"os.getenv(", spaced, true},
		{"hash(item)", spaced, true},
		{"input(prompt", spaced, true},
		{"process.env.TOKEN", colon, true},
		{"config.token", spaced, true},
		{"self.password2", colon, true},
		{"a.Package.Dir", spaced, true},
		{"&T{", spaced, true},
		{"*ptr.Field", verb, true},
		{"[]", spaced, true},
		{"CPAN::anycwd", spaced, true},
		{"data[0]", spaced, true},
		{"example.com", colon, true},
		{"notes.txt", assign, true},
		{"hunter.two", assign, false},
		{"hunter.two", colon, false},
		{"abc123", spaced, false},
		{"Tide(42)!x", colon, false},
		{"a.b1c2", colon, false},
		{"plain", spaced, false},
		{"9.a", spaced, false},
		{"!bang", colon, false},
	} {
		if got := code(c.text, c.l); got != c.want {
			t.Errorf("code(%q, %+v) = %v", c.text, c.l, got)
		}
	}
}

func TestMeasured(t *testing.T) {
	for _, c := range []struct {
		text, after string
		want        bool
	}{
		{"8", " characters", true}, {"8", "位以上", true}, {"8-16", " characters", true}, {"12+", " chars", true}, {"3", " times", true}, {"90", " days", true},
		{"2024", "年设的", true}, {"2024", " years", true}, {"100", "次", true}, {"8-digit", "", true}, {"10x", "", true}, {"1st", "", true}, {"80%", "", true}, {"1.5", "", true},
		{"2024-01-02", "", true}, {"09:30", "", true}, {"~/x", "", true}, {"bob@example.com", "", true},
		{"4921", "", false}, {"4921", " is it", false}, {"4921", "分享给你", false}, {"48392012", " days", false}, {"abc123", " days", false}, {"4921x7", "", false},
	} {
		m := masker{text: c.text + c.after}
		v := value{from: 0, to: len(c.text), next: len(c.text)}
		if got := m.measured(v, shapeOf(c.text)); got != c.want {
			t.Errorf("measured(%q before %q) = %v", c.text, c.after, got)
		}
	}
}

func TestAdjective(t *testing.T) {
	for word, want := range map[string]bool{
		"expired": true, "changing": true, "readable": true, "sensitive": true, "hopeless": true, "dangerous": true, "somebody": true, "rotation": true,
		"swordfish": false, "sunflower": false, "dragon": false, "butterfly": false, "crystal": false, "king": false, "red": false, "canary": false, "elephant": false,
	} {
		if adjective(word) != want {
			t.Errorf("adjective(%q) = %v", word, !want)
		}
	}
}

func TestProseIn(t *testing.T) {
	for text, want := range map[string]bool{
		"must be at least 8 characters": true, "Your password, please": true, "this is it": true, "Invalid token.": true,
		"correct horse battery staple": false, "blue whale 7": false, "": false, "   ": false, "open sesame": false,
	} {
		if proseIn(text) != want {
			t.Errorf("proseIn(%q) = %v", text, !want)
		}
	}
}

// The phrase rules look at the account before the word and nothing further.
func TestPairs(t *testing.T) {
	for _, s := range []spoken{
		say(markPassword, "账号密码：admin {}", simple),
		say(markPassword, "账号/密码：admin / {}", simple),
		say(markPassword, "用户名和密码是 admin {}", simple),
		say(markPassword, "帳號密碼 admin {}", simple),
		say(markPassword, "username and password: admin {}", simple),
		say(markPassword, "user/password admin / {}", simple),
		say(markPassword, "login & password: admin, {}", simple),
		say(markPassword, "用户名 tide，密码 {}", "wave"),
	} {
		s.check(t)
	}
	for _, text := range []string{
		"账号密码都忘了", "账号和密码分开存", "username and password fields", "user/password form", "username and password entries (both required)",
		"账号 admin 密码忘了", "login and password are required", "username bob forgot his password", "用户名 tide 密码错误",
	} {
		untouched(t, text)
	}
}
