package capture

import (
	"strconv"
	"time"
)

// until gives when a statement stops to hold, as far as its words tell: at the
// end of the day, week, month they name, or of a date behind "until" or before
// 之前. short says that a period that is running was named. It is the zero time
// where they tell nothing.
func (s *ruleSet) until(w *words, c claim, at time.Time) (end time.Time, short bool) {
	to := c.to
	after := s.any(w, c.from, to, []class{s.known.untilAfter})
	for t := c.from; t < to; t++ {
		if name, next := s.value(w, t, s.known.period); c.rule.while && next > 0 && next <= to {
			if end := endOf(name, at); !end.IsZero() {
				return end, true
			}
			t = next - 1 // "starting today" ends nothing
			continue
		}
		if next := s.at(w, t, []class{s.known.until}); next > 0 && next < to {
			if d, _, ok := s.date(w, next, to, at); ok {
				return d, false
			}
		}
		if !after {
			continue
		}
		if d, next, ok := s.date(w, t, to, at); ok && next < to && s.at(w, next, []class{s.known.untilAfter}) > 0 {
			return d, false
		}
	}
	return time.Time{}, false
}

// value gives the value that a class gives to the word at a token, and where
// the word ends, 0 where there is none.
func (s *ruleSet) value(w *words, tok int, c class) (value string, next int) {
	for i := int(w.tokens[tok].hits); i < len(w.hits) && int(w.hits[i].from) == tok; i++ {
		if int(w.hits[i].to) <= next {
			continue
		}
		s.each(w.hits[i], func(m sense) bool {
			if m.class == c {
				value, next = m.value, int(w.hits[i].to)
			}
			return true
		})
	}
	return value, next
}

// endOf gives the end of a period that is running, or comes, at a time.
func endOf(period string, at time.Time) time.Time {
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())
	toMonday := (8-int(at.Weekday()))%7 + 7*btoi(at.Weekday() == time.Monday)
	switch period {
	case "day":
		return day.AddDate(0, 0, 1)
	case "night":
		return day.AddDate(0, 0, 1).Add(6 * time.Hour) // the night ends in the morning
	case "tomorrow":
		return day.AddDate(0, 0, 2)
	case "weekend", "week":
		return day.AddDate(0, 0, toMonday)
	case "next-week":
		return day.AddDate(0, 0, toMonday+7)
	case "month":
		return time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, at.Location())
	case "next-month":
		return time.Date(at.Year(), at.Month()+2, 1, 0, 0, 0, 0, at.Location())
	case "quarter":
		return time.Date(at.Year(), (at.Month()-1)/3*3+4, 1, 0, 0, 0, 0, at.Location())
	case "year":
		return time.Date(at.Year()+1, 1, 1, 0, 0, 0, 0, at.Location())
	}
	return time.Time{}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// date reads a date at a token and gives the end of that day, in the future of
// at: "Friday", "the 10th", "mid-June", "12 Sept", "June 3", "9/15", 7月底,
// 10月5号, 下周五.
func (s *ruleSet) date(w *words, tok, to int, at time.Time) (end time.Time, next int, ok bool) {
	for tok < to && s.isSmall(w, tok) {
		tok++
	}
	if tok >= to {
		return end, 0, false
	}
	if name, next := s.value(w, tok, s.known.period); next > 0 {
		return endOf(name, at), next, true
	}
	if v, next := s.value(w, tok, s.known.weekday); next > 0 {
		n, _ := strconv.Atoi(v)
		days := (n%7 - int(at.Weekday()) + 7) % 7
		return time.Date(at.Year(), at.Month(), at.Day()+days+1, 0, 0, 0, 0, at.Location()), next, true
	}
	month, day, next := s.monthDay(w, tok, to, at)
	if next == 0 {
		return end, 0, false
	}
	end = dayEnd(month, day, at)
	return end, next, true
}

// isSmall tells the words that stand before a date: the, on, end of.
func (s *ruleSet) isSmall(w *words, tok int) bool {
	switch string(w.folded[w.tokens[tok].from:w.tokens[tok].to]) {
	case "the", "on", "about", "around", "at", "least":
		return true
	}
	return false
}

// parts of a month as days.
var monthParts = map[string]int{"early": 10, "beginning": 10, "初": 10, "mid": 20, "middle": 20, "中": 20, "end": 31, "late": 31, "底": 31, "末": 31}

// monthDay reads a month, a day, or both. next is 0 where neither stands there;
// day is 0 where only a month does; month is 0 where only a day does.
func (s *ruleSet) monthDay(w *words, tok, to int, at time.Time) (month, day, next int) {
	text := func(t int) string {
		if t >= to {
			return ""
		}
		return string(w.folded[w.tokens[t].from:w.tokens[t].to])
	}
	word := text(tok)
	if part, ok := monthParts[word]; ok && w.tokens[tok].kind == tokenWord {
		t := tok + 1
		for t < to && (text(t) == "-" || text(t) == "of") {
			t++
		}
		if t < to {
			if v, after := s.value(w, t, s.known.month); after > 0 {
				m, _ := strconv.Atoi(v)
				return m, part, after
			}
		}
		return 0, 0, 0
	}
	if v, after := s.value(w, tok, s.known.month); after > 0 {
		m, _ := strconv.Atoi(v)
		return s.dayBehind(w, m, after, to, text)
	}
	n, ending := leadingNumber(word)
	switch {
	case n == 0:
		return 0, 0, 0
	case ending == "" && text(tok+1) == "/":
		if d, rest := leadingNumber(text(tok + 2)); d > 0 && d <= 31 && rest == "" && n <= 12 {
			return n, d, tok + 3
		}
	case ending == "" && text(tok+1) == "月" && n <= 12:
		return s.dayBehind(w, n, tok+2, to, text)
	case n <= 31 && (ending == "" || ending == "st" || ending == "nd" || ending == "rd" || ending == "th"):
		return s.monthBehind(w, n, ending, tok+1, to, text)
	}
	return 0, 0, 0
}

// monthBehind reads "of June", "June" or 号 behind a day.
func (s *ruleSet) monthBehind(w *words, day int, ending string, tok, to int, text func(int) string) (month, d, next int) {
	t := tok
	if text(t) == "of" {
		t++
	}
	if t < to {
		if v, after := s.value(w, t, s.known.month); after > 0 {
			m, _ := strconv.Atoi(v)
			return m, day, after
		}
	}
	switch {
	case text(tok) == "号" || text(tok) == "日":
		return 0, day, tok + 1
	case ending != "":
		return 0, day, tok
	}
	return 0, 0, 0
}

// dayBehind reads the day behind a month: 3, 3rd, 5号, 底.
func (s *ruleSet) dayBehind(w *words, month, tok, to int, text func(int) string) (m, day, next int) {
	word := text(tok)
	if part, ok := monthParts[word]; ok && w.tokens[tok].kind == tokenHan {
		return month, part, tok + 1
	}
	if word == "中" || word == "上" || word == "下" {
		return month, map[string]int{"上": 10, "中": 20, "下": 31}[word], tok + 1
	}
	d, ending := leadingNumber(word)
	next = tok + 1
	if d == 0 {
		if d, next = hanNumber(text, tok); d > 0 {
			ending = ""
		}
	}
	if d == 0 || d > 31 || len(ending) > 2 {
		return month, 31, tok
	}
	if t := text(next); t == "号" || t == "日" {
		next++
	}
	return month, d, next
}

var hanDigits = map[string]int{"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}

// hanNumber reads a number below a hundred in characters, 二十三, and gives the
// token behind it.
func hanNumber(text func(int) string, tok int) (n, next int) {
	for {
		digit, ok := hanDigits[text(tok)]
		switch {
		case !ok || n > 99:
			return n, tok
		case digit == 10:
			n = max(n, 1) * 10
		default:
			n += digit
		}
		tok++
	}
}

// dayEnd gives the end of a day that comes next after at. A month of 0 is the
// running one, or the next where the day is over.
func dayEnd(month, day int, at time.Time) time.Time {
	today := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())
	year, m := at.Year(), month
	if m == 0 {
		m = int(at.Month())
		if day < at.Day() {
			m++
		}
	}
	last := time.Date(year, time.Month(m)+1, 0, 0, 0, 0, 0, at.Location()).Day()
	d := time.Date(year, time.Month(m), min(day, last)+1, 0, 0, 0, 0, at.Location())
	if !d.After(today) {
		d = d.AddDate(1, 0, 0)
	}
	return d
}

// leadingNumber reads the digits that a word begins with, 0 where it has none
// or more than four.
func leadingNumber(word string) (n int, ending string) {
	i := 0
	for i < len(word) && i < 5 && word[i] >= '0' && word[i] <= '9' {
		n = n*10 + int(word[i]-'0')
		i++
	}
	if i > 4 {
		return 0, word
	}
	return n, word[i:]
}
