package secrets

import "strings"

// curl masks the password of "curl -u user:password". at is where "-u " or
// "--user" stands.
func (m *masker) curl(at int) int {
	low := max(0, at-256)
	line := m.text[low:at]
	if !strings.Contains(line[strings.LastIndexByte(line, '\n')+1:], "curl") {
		return 0
	}
	from := at + len("-u")
	if strings.HasPrefix(m.text[at:], "--user") {
		from = at + len("--user")
	}
	if byteAt(m.text, from) == '=' {
		from++
	}
	from = skipSpace(m.text, from)
	if c := byteAt(m.text, from); c == '"' || c == '\'' {
		from++
	}
	colon := run(m.text, from, isName|isDot, longestName)
	if colon == from || byteAt(m.text, colon) != ':' {
		return 0
	}
	end := colon + 1
	for end < len(m.text) && m.text[end] > ' ' && m.text[end] < 0x80 && m.text[end] != '"' && m.text[end] != '\'' {
		end++
	}
	if end == colon+1 || placeholder(m.text[colon+1:end]) {
		return 0
	}
	m.mask(colon+1, end, markPassword)
	return end
}

// program takes a password after an option, apart from it or without a space.
// off is where the rarest letters of its name stand.
type program struct {
	name, option string
	off          uint8
	apart        bool
}

var commands = []program{
	{"sshpass", " -p", 1, true},
	{"mysql", " -p", 2, false},
	{"redis-cli", " -a", 4, true},
}

// command masks the password among the options of a program, whose name stands
// at text[at].
func (m *masker) command(c program, at int) int {
	const longest = 120 // options before it
	if !strings.HasPrefix(m.text[at:], c.name) {
		return 0
	}
	from := at + len(c.name)
	line := m.text[from:min(len(m.text), from+longest)]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	option := strings.Index(line, c.option)
	if option < 0 {
		return 0
	}
	l := link{at: from + option + len(c.option), bond: bondFirm, assign: true}
	if c.apart {
		l.at = skipSpace(m.text, l.at)
	}
	v, ok := m.value(l, ruleAny)
	if !ok || v.from == len(m.text) || m.text[v.from] == '-' {
		return 0
	}
	if text := m.text[v.from:v.to]; placeholder(text) || !v.quoted && !hasDigits(text, 1) || len(text) < 4 {
		return 0
	}
	return m.hide(v, l, markPassword)
}
