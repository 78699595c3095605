package openclaw

import "strings"

// substitute replaces ${NAME} by what lookup gives. As in OpenClaw, names are
// upper case, $${NAME} stands for ${NAME} itself, and a name that is not set
// stays as it was written.
func substitute(text string, lookup func(string) string) string {
	if lookup == nil || !strings.Contains(text, "${") {
		return text
	}
	var b strings.Builder
	for {
		i := strings.Index(text, "${")
		if i < 0 {
			break
		}
		end := strings.IndexByte(text[i:], '}')
		if end < 0 || !isVariableName(text[i+2:i+end]) {
			b.WriteString(text[:i+2])
			text = text[i+2:]
			continue
		}
		ref, name := text[i:i+end+1], text[i+2:i+end]
		if before, escaped := strings.CutSuffix(text[:i], "$"); escaped {
			b.WriteString(before + ref)
		} else if value := lookup(name); value != "" {
			b.WriteString(text[:i] + value)
		} else {
			b.WriteString(text[:i] + ref)
		}
		text = text[i+end+1:]
	}
	return b.String() + text
}

func isVariableName(s string) bool {
	if s == "" || isDigit(s[0]) {
		return false
	}
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
