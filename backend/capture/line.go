package capture

import "strings"

// pasted collects what the lines of a message look like.
type pasted struct {
	chat []stretch // "Name: words"
}

// cleanLines takes out lines that the person did not write: quoted replies,
// logs, stack traces, code, chats and forwarded mails.
func (w *words) cleanLines() {
	var p pasted
	for from := 0; from < len(w.folded); {
		end := w.line(from)
		if w.cleanLine(stretch{from, end}, &p) {
			w.blank(stretch{from, len(w.folded)})
			break
		}
		from = end + 1
	}
	if len(p.chat) > 1 {
		for _, s := range p.chat {
			w.blank(s)
		}
	}
	if w.signs {
		w.longParagraphs()
	}
}

// cleanLine looks at one line. It says whether a forwarded mail begins there.
func (w *words) cleanLine(s stretch, p *pasted) (forwarded bool) {
	from := s.from
	for from < s.to && w.folded[from] <= ' ' && w.folded[from] != blank && w.folded[from] != mask {
		from++
	}
	if from == s.to {
		return false
	}
	switch r := w.folded[from]; {
	case r == '>':
		w.blank(s)
		return false
	case r == '[' && (w.has(from, "[replying to") || w.has(from, "[reply to") || w.has(from, "[quoted") || w.has(from, "[media attached")):
		w.blank(s)
		return false
	}
	if !w.signs && s.to-s.from < 40 && kindOf(w.folded[from]) == charHan {
		w.errors(s)
		return false
	}
	line := string(w.folded[from:min(s.to, from+longestLook)])
	switch {
	case mailHead(line, w, s):
		return true
	case isLog(line) || w.signs && isCode(line) || strings.HasPrefix(line, "current time: "):
		w.blank(s)
	default:
		if w.chatLine(from, s.to) {
			p.chat = append(p.chat, s)
		}
		w.errors(s)
	}
	return false
}

// longestLook is how much of a line is looked at to tell what it is.
const longestLook = 240

// mailHead says whether a forwarded or quoted mail begins with the line.
func mailHead(line string, w *words, s stretch) bool {
	switch {
	case strings.HasPrefix(line, "-----original message"), strings.HasPrefix(line, "---------- forwarded"), strings.HasPrefix(line, "begin forwarded message"),
		strings.HasPrefix(line, "-----原始邮件"), strings.HasPrefix(line, "----- 原始邮件"), strings.HasPrefix(line, "---------- 转发"):
		return true
	case strings.HasPrefix(line, "on ") && strings.HasSuffix(line, " wrote:"):
		return true
	case strings.HasPrefix(line, "from:"), strings.HasPrefix(line, "发件人:"), strings.HasPrefix(line, "发件人："), strings.HasPrefix(line, "subject:"), strings.HasPrefix(line, "主题："):
		next := s.to + 1
		for range 3 {
			if next >= len(w.folded) {
				break
			}
			for _, head := range []string{"subject:", "to:", "date:", "sent:", "from:", "主题", "收件人", "发送时间", "日期", "dear ", "hi ", "hello "} {
				if w.has(next, head) {
					return true
				}
			}
			next = w.line(next) + 1
		}
	}
	return false
}

// isLog tells a line of a log or stack trace.
func isLog(line string) bool {
	for _, level := range []string{"error ", "warn ", "warning ", "info ", "debug ", "fatal ", "trace ", "[error]", "[warn", "[info]", "[debug]"} {
		if rest, ok := strings.CutPrefix(line, level); ok && (strings.ContainsAny(rest[:min(len(rest), 40)], "0123456789:[=") || level[0] == '[') {
			return true
		}
	}
	for _, head := range []string{"traceback (", "at java", "file \"", "caused by:", "panic: ", "goroutine "} {
		if strings.HasPrefix(line, head) {
			return true
		}
	}
	if strings.HasPrefix(line, "at ") && strings.Contains(line, "(") && strings.HasSuffix(line, ")") && strings.ContainsAny(line, ":.") {
		return true
	}
	return isStamped(strings.TrimLeft(line, "[ "))
}

// isStamped says that a line begins with a date and a time of day, as a log's
// do and a person's do not.
func isStamped(line string) bool {
	if len(line) < 16 || line[4] != '-' && line[4] != '/' || line[7] != line[4] || line[10] != 't' && line[10] != ' ' || line[13] != ':' {
		return false
	}
	for _, i := range []int{0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15} {
		if line[i] < '0' || line[i] > '9' {
			return false
		}
	}
	return true
}

// isCode tells a line of a program.
func isCode(line string) bool {
	for _, head := range []string{"import ", "from ", "def ", "class ", "const ", "let ", "var ", "return ", "#include", "//", "/*", "*/", "#!", "public ", "private ",
		"function ", "func ", "async ", "select ", "insert into", "@", "</", "<!", "else ", "else{", "} ", "elif ", "for (", "if (", "while (", "use ", "package ", "$ ", "npm ", "pip ", "git "} {
		if strings.HasPrefix(line, head) {
			if head[0] == '/' || head[0] == '#' || head[0] == '<' || head[0] == '*' {
				return true
			}
			return strings.ContainsAny(line, "(){};=<>\"") || head == "import " && !strings.Contains(line, "  ") && strings.Count(line, " ") < 3
		}
	}
	last := line[len(line)-1]
	return (last == ';' || last == '{' || last == '}') && strings.ContainsAny(line, "()={}<>.") ||
		strings.Contains(line, "();") || strings.Contains(line, " => ") || strings.Contains(line, "==") || strings.Contains(line, " := ") || strings.Contains(line, "!=")
}

// chatLine says that a line is what somebody said in a chat that was pasted,
// "张工：以后只用内网", or a minute: a short name, a colon and words. Fields of
// the person's own card are not.
func (w *words) chatLine(from, to int) bool {
	for from < to && (w.folded[from] == '-' || w.folded[from] == '*' || w.folded[from] == '•' || w.folded[from] == ' ') {
		from++
	}
	end, spaces := from, 0
	for end < to && end-from <= 24 && w.folded[end] != ':' && w.folded[end] != '：' {
		switch kindOf(w.folded[end]) {
		case charWord, charHan:
		case charSpace:
			spaces++
		default:
			if r := w.folded[end]; r != '(' && r != ')' && r != '（' && r != '）' && r != '@' && r != '.' && r != '-' && r != '·' {
				return false
			}
		}
		end++
	}
	if end == from || end+1 >= to || end-from > 24 || spaces > 3 || isDigit(w.folded[from]) && isDigit(w.folded[end-1]) {
		return false
	}
	if w.folded[end] == ':' && end+1 < to && w.folded[end+1] == '/' {
		return false
	}
	return !loaded().isField(w.folded[from:end])
}

// isField says that the name before a colon is that of a field: 地址, phone. The
// last word of the name counts.
func (s *ruleSet) isField(name []rune) bool {
	for from := range name {
		if from > 0 && kindOf(name[from]) == charWord && kindOf(name[from-1]) == charWord {
			continue
		}
		node := int32(0)
		for _, r := range name[from:] {
			if node = s.lexicon.child(node, r); node == 0 {
				break
			}
		}
		if node == 0 {
			continue
		}
		for _, m := range s.lexicon.nodes[node].senses {
			if m.class == s.known.field {
				return true
			}
		}
	}
	return false
}

// errors takes out what an error says: from a word like "TypeError:" to the
// end of the line.
func (w *words) errors(s stretch) {
	for i := s.from + 5; i < s.to; i++ {
		if r := w.folded[i]; r != ':' && r != '：' {
			continue
		}
		for _, word := range []string{"error", "exception", "warning"} {
			if n := i - len(word); n >= s.from && w.has(n, word) {
				w.blank(stretch{n, s.to})
				return
			}
		}
	}
}

// A paragraph of a message is taken for pasted from that many code points on,
// where another paragraph is short.
const (
	longParagraph  = 600
	shortParagraph = 160
)

// longParagraphs takes out long paragraphs beside which a short one stands: an
// article, and what to do with it.
func (w *words) longParagraphs() {
	var long []stretch
	short := false
	for from := 0; from < len(w.folded); {
		to := from
		for to < len(w.folded) && !(w.folded[to] == '\n' && to+1 < len(w.folded) && w.folded[to+1] == '\n') {
			to++
		}
		switch n := w.full(stretch{from, to}); {
		case n > longParagraph:
			long = append(long, stretch{from, to})
		case n > 0 && n < shortParagraph:
			short = true
		}
		from = to + 2
	}
	for _, s := range long {
		if short {
			w.blank(s)
		}
	}
}

// full counts what is not taken out or white space.
func (w *words) full(s stretch) (n int) {
	for _, r := range w.folded[s.from:min(s.to, len(w.folded))] {
		if r > ' ' {
			n++
		}
	}
	return n
}
