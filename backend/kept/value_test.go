package kept

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// valuesIn gives the values of a text as words.
func valuesIn(text string) string {
	var all []string
	for _, v := range read(text).values {
		switch v.class {
		case classClock:
			all = append(all, fmt.Sprintf("%02d:%02d", v.number/60, v.number%60))
		case classDays:
			days := ""
			for d := 1; d <= 7; d++ {
				if v.number>>d&1 == 1 {
					days += fmt.Sprint(d)
				}
			}
			all = append(all, "days "+days)
		default:
			text := fmt.Sprint(float64(v.number) / 1000)
			if v.unit != 0 {
				text += " of something"
			}
			all = append(all, text)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func TestValues(t *testing.T) {
	for text, want := range map[string]string{
		"早上七点半":                   "07:30",
		"早上7:30":                  "07:30",
		"早上 ７：３０":                 "07:30",
		"at 07:30":                "07:30",
		"half past seven":         "07:30",
		"7:30 am":                 "07:30",
		"7:30am":                  "07:30",
		"七点三十分":                   "07:30",
		"7点30":                    "07:30",
		"quarter to eight pm":     "19:45",
		"晚上七点一刻":                  "19:15",
		"下午3点40分":                 "15:40",
		"at 9 in the evening":     "21:00",
		"12 am":                   "00:00",
		"凌晨两点":                    "02:00",
		"中午12点":                   "12:00",
		"8 to 8:45":               "08:00, 08:45",
		"8–8:45":                  "08:00, 08:45",
		"from 9:00-17:30":         "09:00, 17:30",
		"三千":                      "3000",
		"3000元":                   "3000",
		"3k":                      "3000",
		"3千":                      "3000",
		"$3,000":                  "3000",
		"三千五":                     "3500",
		"一万二千":                    "12000",
		"1.5万的预算":                 "15000",
		"二〇二六":                    "2026",
		"两百零五块":                   "205",
		"十五个字":                    "15 of something",
		"3.5 kg":                  "3.5 of something",
		"周二四":                     "days 24",
		"周二和周四":                   "days 24",
		"周一到周五":                   "days 12345",
		"monday to friday":        "days 12345",
		"on weekdays":             "days 12345",
		"礼拜一二公休":                  "days 12",
		"weekends":                "days 67",
		"Fri to Mon":              "days 1567",
		"周一三点":                    "03:00, days 1",
		"每周一上午九点":                 "09:00, days 1",
		"-5 degrees":              "-5",
		"UTC-8":                   "-8",
		"一律":                      "",
		"统一一下":                    "",
		"万一":                      "",
		"十分":                      "",
		"a long time":             "",
		"no numbers here":         "",
		"under three lines":       "3 of something",
		"net 30":                  "30",
		"九折":                      "9 of something",
		"99999999999999999999999": "",
	} {
		if got := valuesIn(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestHanNumber(t *testing.T) {
	for text, want := range map[string]int64{"十": 10, "十一": 11, "二十": 20, "一百零三": 103, "两千": 2000, "三千五": 3500, "三千零五": 3005, "一万": 10000, "十二万": 120000, "三百五": 350, "二〇〇": 200, "零": 0, "万": 10000, "一亿": 100000000} {
		var s scanner
		s.scan(text)
		got, n := hanNumber(s.atoms, -1)
		if got != want || n != len(s.atoms) {
			t.Errorf("%s: got %d of %d characters, want %d of %d", text, got, n, want, len(s.atoms))
		}
	}
}

func TestStem(t *testing.T) {
	for _, same := range [][]string{{"push", "pushed", "pushes", "pushing"}, {"merge", "merged", "merges", "merging"}, {"plan", "plans", "planned", "planning"}, {"reply", "replies"}, {"notes", "note"}} {
		for _, w := range same {
			if got, want := stem(w), stem(same[0]); got != want {
				t.Errorf("%s: got %s, want %s", w, got, want)
			}
		}
	}
	for _, other := range [][2]string{{"note", "not"}, {"quite", "quit"}, {"mine", "min"}, {"cans", "can"}, {"bus", "bu"}, {"need", "ne"}} {
		if stem(other[0]) == stem(other[1]) {
			t.Errorf("%s and %s are one", other[0], other[1])
		}
	}
}

func TestParseWords(t *testing.T) {
	for _, bad := range []string{"no colon", "what: a", "num x: a", "drop: a,,b", "day: a"} {
		if _, err := parseWords(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	x, err := parseWords("# a note\n\ndrop: the\n= thing: a thing, thingy\nis: the\n")
	if err != nil {
		t.Fatal(err)
	}
	var s scanner
	s.scan("the things")
	if w, n := x.match(s.atoms); n != 1 || w.role != roleDrop || !w.is {
		t.Errorf("%+v %d", w, n)
	}
	if w, n := x.match(s.atoms[1:]); n != 0 {
		t.Errorf("a part of a word: %+v %d", w, n)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"早上七点半", "half past", "quarter to", "周一到", "三千万五", "7点", "叫我", "call me", "不用了", "1-2-3:4", "moved off", "[forgotten]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := read(text)
		if again := read(text); !slices.Equal(r.tokens, again.tokens) || !slices.Equal(r.values, again.values) {
			t.Error("read twice, it says something else")
		}
		if len(r.words)+len(r.runs)+len(r.picks) > 0 && !same(r, r) {
			t.Error("it does not say what it says")
		}
		if follows(r, r) {
			t.Error("it replaces itself")
		}
	})
}
