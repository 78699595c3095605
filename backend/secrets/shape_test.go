package secrets

import "testing"

func TestShapeOf(t *testing.T) {
	for text, want := range map[string]shape{
		"":              {},
		"abc":           {n: 3, lower: 3},
		"aB3":           {n: 3, lower: 1, upper: 1, digits: 1, caps: 1},
		"a b":           {n: 3, lower: 2, spaces: 1},
		"p@ss!":         {n: 5, lower: 3, odd: 1},
		"密码1":           {n: 3, other: 2, digits: 1},
		"é1":            {n: 2, lower: 1, digits: 1},
		"ａＢ３":           {n: 3, lower: 1, upper: 1, digits: 1},
		"a\xffb":        {n: 3, lower: 2, other: 1},
		"camelCaseWord": {n: 13, lower: 11, upper: 2, caps: 2},
	} {
		if got := shapeOf(text); got != want {
			t.Errorf("shapeOf(%q) = %+v, want %+v", text, got, want)
		}
	}
}

func TestSlug(t *testing.T) {
	for text, want := range map[string]bool{
		"claude-sonnet-4-6": true, "claude-opus-4-20250514": true, "gpt-4o-mini": true, "task-list-2": true, "a/b/c": true, "v1.2.3": true, "foo_bar": true,
		"plain": false, "abc123def456": false, "aB3-xY9": false, "abcd-1234-efgh-5678": false, "AAAA1-BBBB2-CCCC3": false, "a@b-c": false, "": false,
		"tok-9f8e7d6c5b": false, "helloWorld-x": false, "1234-5678-9012": true,
	} {
		if got := slug(text); got != want {
			t.Errorf("slug(%q) = %v", text, got)
		}
	}
}

func TestMoment(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-03-02": true, "2026/3/2": true, "2026-03-02T09:00:00Z": true, "09:30": true, "9:30:15": true, "3/12/2024": true, "12.03.24": true,
		"19900307": false, "1234": false, "12-34-56-78": false, "483-920": false, "123:456": false, "abc": false, "": false, "12:3456789": false,
	} {
		if got := moment(text); got != want {
			t.Errorf("moment(%q) = %v", text, got)
		}
	}
}

func TestElsewhere(t *testing.T) {
	for text, want := range map[string]bool{
		"1.2.3": true, "v2.0": true, "192.168.0.1": true, "https://example.com": true, "bob@example.com": true, "~/x": true, "./x": true, "../x": true,
		`C:\x`: true, "/etc/passwd": true, "/tmp": true, "#a1b2c3": true, "0x1F": true, `\u3299`: true,
		"abc": false, "a/b": false, "p@ss.w": false, "#123": false, "/a1b2": false, "1234": false, "0x" + "4c0883a69102937d6231": false, `\d`: false, "bob@1985.c0m": false,
	} {
		if got := elsewhere(text); got != want {
			t.Errorf("elsewhere(%q) = %v", text, got)
		}
	}
}

func TestPlaceholder(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "<x>": true, "<x": true, "${X}": true, "$X": true, "$(x)": true, "$HOME/x": true, "{{ x }}": true, "%s": true, "%X%": true, "****": true,
		"xxxx": true, "null": true, "None": true, "[masked: token]": true, "your_token": true, "REDACTED": true,
		"x": false, "abc": false, "$ecret1": false, "<a>b": false, "{a": false, "%abc": false, "yours": false, "x1": false, "$": false, "xy": false,
	} {
		if got := placeholder(text); got != want {
			t.Errorf("placeholder(%q) = %v", text, got)
		}
	}
}

func TestMarkAround(t *testing.T) {
	for _, m := range markTexts[1:] {
		text := "é " + m + " b"
		begin := len("é ")
		for at := range len(text) + 1 {
			want := 0
			if at > begin && at < begin+len(m) {
				want = begin + len(m)
			}
			if got := markAround(text, at); got != want {
				t.Errorf("markAround(%q, %d) = %d, want %d", text, at, got, want)
			}
		}
		if got := markAt(text, begin); got != begin+len(m) {
			t.Errorf("markAt(%q, %d) = %d", text, begin, got)
		}
	}
	for _, text := range []string{"[masked: x]", "[masked: ", "[masked", "[", ""} {
		if markAt(text, 0) != 0 {
			t.Errorf("%q is taken for a mark", text)
		}
	}
}
