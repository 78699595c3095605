package ledger

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// breakSign stands for a line break where a text must stay on one line.
const breakSign = "⏎"

// show writes any text so that it reads as it is, in an editor and in a
// Markdown viewer, and can neither begin a comment nor hide one, load a picture,
// or turn the direction of a line round. Where oneLine is set, line breaks are
// written as breakSign and backquotes are escaped; otherwise the text must not
// hold line feeds.
func show(s string, oneLine bool) string {
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); {
		esc, size := escapeOf(s[i:], oneLine)
		if esc != "" {
			b.WriteString(s[done:i] + esc)
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// escapeOf gives how the first character of s is written, "" where it stands
// for itself, and how many bytes that covers.
func escapeOf(s string, oneLine bool) (esc string, size int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return byteEscape(s[0]), 1
	case r == '\n' && oneLine:
		return breakSign, 1
	case oneLine && (r == '`' || strings.HasPrefix(s, breakSign)):
		return `\` + s[:size], size
	case r == '<' && opensTag(s[1:]):
		return `\<`, 1
	case strings.HasPrefix(s, "!["):
		return `!\[`, 2
	case r == '\\' && bindsBackslash(s[1:], oneLine):
		return `\\`, 1
	case unseen(r):
		return runeEscape(r), size
	}
	return "", size
}

// opensTag says that a less-than sign before s would begin HTML.
func opensTag(s string) bool {
	return s != "" && (s[0] == '/' || s[0] == '!' || s[0] == '?' || s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z')
}

// escapable are the characters that a backslash takes the meaning from.
const escapable = "\\<[`"

// bindsBackslash says that a backslash before s would be read together with it.
func bindsBackslash(s string, oneLine bool) bool {
	if s == "" {
		return false
	}
	if strings.IndexByte(escapable, s[0]) >= 0 || strings.HasPrefix(s, "u{") || strings.HasPrefix(s, "x{") || strings.HasPrefix(s, breakSign) {
		return true
	}
	esc, _ := escapeOf(s, oneLine)
	return esc != ""
}

// unseen says that a character does not show, or changes how others show, and
// is not one that scripts need. Tabs are seen.
func unseen(r rune) bool {
	return r != '\t' && unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' || unicode.Is(unicode.Bidi_Control, r)
}

func runeEscape(r rune) string { return fmt.Sprintf(`\u{%x}`, r) }
func byteEscape(b byte) string { return fmt.Sprintf(`\x{%02x}`, b) } // one that is no UTF-8

// unshow is the inverse of show. Whatever show does not write is taken as it
// stands: a person may have typed it.
func unshow(s string, oneLine bool) string {
	if !strings.Contains(s, `\`) && !(oneLine && strings.Contains(s, breakSign)) {
		return s
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			i = len(s)
		}
		plain := s[:i]
		if oneLine {
			plain = strings.ReplaceAll(plain, breakSign, "\n")
		}
		b.WriteString(plain)
		if s = s[i:]; s == "" {
			break
		}
		text, size := unescapeOf(s)
		b.WriteString(text)
		s = s[size:]
	}
	return b.String()
}

// unescapeOf reads what a backslash at the beginning of s stands for.
func unescapeOf(s string) (text string, size int) {
	rest := s[1:]
	switch {
	case rest != "" && strings.IndexByte(escapable, rest[0]) >= 0:
		return rest[:1], 2
	case strings.HasPrefix(rest, breakSign):
		return breakSign, 1 + len(breakSign)
	}
	if text, size = codeOf(rest); size > 0 {
		return text, 1 + size
	}
	return `\`, 1
}

// longestCode is how many bytes of s codeOf looks at.
const longestCode = len("u{10ffff}")

// codeOf reads a character or a byte given by its number, as runeEscape and
// byteEscape write it, without the backslash. size is 0 where there is none.
func codeOf(s string) (text string, size int) {
	end := strings.IndexByte(s[:min(len(s), longestCode)], '}')
	if end < 3 || s[1] != '{' {
		return "", 0
	}
	n, err := strconv.ParseUint(s[2:end], 16, 32)
	switch {
	case err != nil:
	case s[0] == 'u' && utf8.ValidRune(rune(n)):
		return string(rune(n)), end + 1
	case s[0] == 'x' && n < 0x100:
		return string([]byte{byte(n)}), end + 1
	}
	return "", 0
}

// hide writes any text as a value within a comment: quoted, on one line, and
// without two dashes in a row, which some viewers take for the comment's end.
func hide(s string) string {
	var b strings.Builder
	b.WriteByte('`')
	for i, size := 0, 0; i < len(s); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(byteEscape(s[i]))
		case r == '-' && i > 0 && s[i-1] == '-':
			b.WriteString(runeEscape(r))
		case strings.ContainsRune("\\`\n\r", r):
			b.WriteString(escapes.Replace(s[i : i+1]))
		case unseen(r):
			b.WriteString(runeEscape(r))
		default:
			b.WriteString(s[i : i+size])
		}
	}
	b.WriteByte('`')
	return b.String()
}

// unquote reads the inside of a quoted value, as quote and hide write it.
func unquote(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexByte(s, '\\') {
		b.WriteString(s[:i])
		text, size := `\`, 1
		if two := s[i:min(len(s), i+2)]; len(two) == 2 {
			if plain := unescapes.Replace(two); plain != two {
				text, size = plain, 2
			} else if code, n := codeOf(s[i+1:]); n > 0 {
				text, size = code, 1+n
			}
		}
		b.WriteString(text)
		s = s[i+size:]
	}
	b.WriteString(s)
	return b.String()
}
