package secrets

import "strings"

// placeholder says that a value only stands for one: <token>, ${TOKEN},
// ********, your-key-here, null.
func placeholder(text string) bool {
	if text == "" || strings.HasPrefix(text, strings.TrimSpace(markHead)) || blanks.has(text) {
		return true
	}
	last := text[len(text)-1]
	switch text[0] {
	case '<':
		return last == '>' || !strings.Contains(text, ">")
	case '{':
		return last == '}'
	case '$':
		return variable(text[1:])
	case '%':
		return len(text) <= 3 || last == '%'
	}
	return hasFold(text, 0, "your_") || hasFold(text, 0, "your-") || containsFold(text, "redacted") || same(text)
}

// variable says that what follows a dollar sign is the name of a variable, or
// an expression that begins with one.
func variable(text string) bool {
	if text == "" || text[0] == '{' || text[0] == '(' {
		return text != ""
	}
	end := run(text, 0, isLetter|isUnder, len(text))
	return end == len(text) || end > 1 && strings.IndexByte("/:.[{-(", text[end]) >= 0
}

// blanks are values that mean that there is none.
var blanks = words("null", "none", "nil", "true", "false", "undefined", "nan", "n/a", "na", "tbd", "todo", "***", "…")

// same says that a value repeats one sign that hides what was there.
func same(text string) bool {
	const fewest = 3 // of a sign that may also be a value
	for _, sign := range []string{"*", "•", "●", "…", "·"} {
		if strings.HasPrefix(text, sign) && strings.Trim(text, sign) == "" {
			return true
		}
	}
	return len(text) >= fewest && strings.IndexByte("xX.-_#?", text[0]) >= 0 && strings.Trim(text, text[:1]) == ""
}

func containsFold(text, word string) bool {
	for at := 0; at+len(word) <= len(text); at++ {
		if hasFold(text, at, word) {
			return true
		}
	}
	return false
}

// code says that a bare value is a piece of a program: a call, an element, a
// field or a reference.
func code(text string, l link) bool {
	if strings.Trim(text, "([{}])") == "" {
		return true
	}
	at := 0
	for strings.IndexByte("&*!([{", text[at]) >= 0 && at < len(text)-1 {
		at++
	}
	name := run(text, at, isWord|isDot, len(text))
	switch {
	case strings.HasPrefix(text[name:], "::"):
		return true
	case name == at || is(text[at], isDigit):
		return false
	case name < len(text):
		return strings.IndexByte("([{", text[name]) >= 0 && called(text[at:name], text[name:], l)
	case !strings.Contains(text[at:], "."):
		return false
	}
	first := text[at : at+strings.IndexByte(text[at:], '.')]
	switch {
	case l.bond == bondFirm && (owners.has(first) || SecretKey(text)):
		return true
	case hasDigits(text, 1):
		return false
	}
	return l.bond < bondFirm || l.assign && l.spaced || endings.has(text[strings.LastIndexByte(text, '.')+1:])
}

// called says that what begins with a bracket after a name are its arguments,
// of which a space may have cut off the rest. A password goes on after its
// brackets.
func called(name, text string, l link) bool {
	if strings.IndexByte("()[]{}", text[len(text)-1]) >= 0 {
		return true
	}
	built := l.assign || mixedCase(name) || strings.ContainsAny(name, "._")
	return built && !strings.ContainsAny(text, ")]}")
}

// endings are the last parts of names of files and hosts.
var endings = words("com", "org", "net", "io", "dev", "app", "ai", "cn", "json", "yaml", "yml", "toml", "txt", "md", "py", "js",
	"ts", "go", "sh", "env", "log", "ini", "conf", "html", "pdf", "zip")

// owners are what programs commonly take fields of.
var owners = words("process", "os", "self", "this", "config", "cfg", "conf", "args", "env", "settings", "req", "request",
	"options", "opts", "ctx", "context", "import", "secrets", "user", "data", "response", "res", "params", "app", "props",
	"state", "input", "form", "body", "payload", "var", "local", "module", "event")

// elsewhere says that a value names something else even between quotes: a
// version, an address, a place on disk, a colour, a small number in hexadecimal
// or an escaped character.
func elsewhere(text string) bool {
	const mostHex = 18 // 64 bits with 0x; a longer one may be a key
	switch {
	case version(text), strings.Contains(text, "://"), mail(text), path(text), model(text):
		return true
	case text[0] == '#' && allHex(text[1:]):
		return len(text) == 7 || len(text) == 9
	case text[0] == '\\' && len(text) > 1:
		return strings.IndexByte("uUx", text[1]) >= 0
	}
	return len(text) <= mostHex && hasFold(text, 0, "0x") && run(text, 2, isAlnum|isUnder, len(text)) == len(text)
}

// measured says that a value is a quantity, a date, or something else that is
// no credential.
func (m *masker) measured(v value, s shape) bool {
	text := m.text[v.from:v.to]
	switch {
	case elsewhere(text), moment(text):
		return true
	case v.quoted || s.digits == 0:
		return false
	}
	n := run(text, 0, isDigit, len(text))
	rest := strings.TrimLeft(text[n:], "-+~,.0123456789")
	switch {
	case n == 0:
		return false
	case rest == "%", strings.HasSuffix(text, "%"):
		return true
	case rest == "":
		return n <= 4 && m.counts(v.to, n == 4)
	}
	return n <= 4 && units.has(strings.TrimLeft(rest, "-"))
}

// counts says that a unit follows at text[at]. Four digits are often a PIN, so
// fewer units are believed after them.
func (m *masker) counts(at int, four bool) bool {
	at = skipSpace(m.text, at)
	if at == len(m.text) {
		return false
	}
	if is(m.text[at], isLetter) {
		return units.has(m.text[at:run(m.text, at, isLetter, longestWord)])
	}
	list := closeUnits
	if four {
		list = closeUnitsOfMany
	}
	for _, u := range list {
		if strings.HasPrefix(m.text[at:], u) {
			return true
		}
	}
	return false
}

var closeUnits = []string{"位", "个", "個", "次", "天", "分", "秒", "小时", "小時", "年", "月", "日", "号", "號", "元", "块", "塊",
	"条", "條", "遍", "种", "種", "人", "字", "点", "點", "周", "週", "种", "組", "组", "桁", "文字", "回", "時間", "자리", "번", "개", "초"}

var closeUnitsOfMany = []string{"位数", "位數", "位密", "位数字", "个", "個", "次", "年", "元", "块", "塊", "人", "字", "条", "條", "天"}

var units = words("digit", "digits", "character", "characters", "char", "chars", "letter", "letters", "word", "words", "time",
	"times", "x", "st", "nd", "rd", "th", "day", "days", "minute", "minutes", "min", "mins", "m", "h", "hour", "hours", "hr",
	"hrs", "second", "seconds", "sec", "secs", "s", "ms", "week", "weeks", "month", "months", "year", "years", "bit", "bits",
	"byte", "bytes", "k", "kb", "mb", "gb", "people", "users", "user", "items", "attempts", "tries", "retries", "steps",
	"lines", "files", "commits", "accounts", "passwords", "keys", "tokens", "token", "entries", "percent", "am", "pm", "dollars", "usd", "eur", "of", "more", "or")

// models are the families of language models, whose names look like tokens.
var models = []string{"claude", "gpt", "gemini", "deepseek", "qwen", "kimi", "llama", "mistral", "grok", "glm", "chatgpt"}

// model says that a value is the name of a language model: a family, and words
// and short numbers.
func model(text string) bool {
	for _, name := range models {
		if hasFold(text, 0, name) && len(text) > len(name) && !is(text[len(name)], isLetter) {
			return slug(text) || run(text, len(name), isDigit|isDot, 4) == len(text)
		}
	}
	return false
}

// mail says that a value is an e-mail address.
func mail(text string) bool {
	at := strings.IndexByte(text, '@')
	dot := strings.LastIndexByte(text, '.')
	if at <= 0 || dot < at+2 || strings.Count(text, "@") > 1 {
		return false
	}
	top := text[dot+1:]
	return len(top) >= 2 && len(top) <= 6 && run(top, 0, isLetter, len(top)) == len(top) &&
		run(text, 0, isName|isDot, at) == at && run(text, at+1, isName|isDot, len(text)) == len(text)
}

// path says that a value is a place on disk.
func path(text string) bool {
	for _, p := range []string{"~/", "./", "../", `~\`, `.\`} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	if len(text) > 2 && text[1] == ':' && (text[2] == '\\' || text[2] == '/') && is(text[0], isLetter) {
		return true
	}
	return text[0] == '/' && (strings.Count(text, "/") > 1 || run(text, 1, isLetter|isDash|isUnder|isDot, len(text)) == len(text))
}

// clauseEnds says that no further word of the same clause stands at text[at].
func (m *masker) clauseEnds(at int) bool {
	for at < len(m.text) && strings.IndexByte("\"'*`!", m.text[at]) >= 0 {
		at++
	}
	if byteAt(m.text, at-1) == '!' {
		return true
	}
	if at == len(m.text) || m.text[at] == '\n' || m.text[at] == '\r' || strings.IndexByte(".,;:?)]}|\\<", m.text[at]) >= 0 {
		return true
	}
	next := skipSpace(m.text, at)
	if next == len(m.text) {
		return true
	}
	c := m.text[next]
	if next == at {
		return c >= 0x80
	}
	if end := run(m.text, next, isLetter, longestWord); end > next && farewells.has(m.text[next:end]) {
		return true
	}
	return c >= 0x80 || strings.IndexByte("\n\r-/(|&+", c) >= 0
}

// farewells are words after which nothing more is said of a value.
var farewells = words("thanks", "thx", "please", "pls", "plz", "ok", "okay", "go", "btw", "cheers", "ta", "lol", "bye")

// adjective says that a word ends like one that describes or a vague noun:
// expired, changing, readable, something. Passwords rarely do.
func adjective(word string) bool {
	for _, end := range []string{"ed", "ing", "able", "ible", "ive", "ful", "less", "ous", "ical", "onal", "ual", "cial",
		"ully", "ably", "ally", "edly", "ment", "tion", "sion", "body", "where", "self", "n't"} {
		if len(word) > len(end)+2 && endsFold(word, len(word), end) {
			return true
		}
	}
	return false
}

// proseIn says that a quoted text is a sentence about passwords and not one of
// them.
func proseIn(text string) bool {
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && text[end] != ' ' {
			end++
		}
		if prose.has(strings.Trim(text[at:end], ".,:;!?'")) {
			return true
		}
		at = end + 1
	}
	return false
}
