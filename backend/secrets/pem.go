package secrets

import "strings"

// longestKeyName bounds "-----BEGIN ENCRYPTED PRIVATE KEY-----" and its like.
const longestKeyName = 64

// longestKey bounds the search for the end of a block: a key of 16,384 bits
// takes 13,000 characters.
const longestKey = 16 << 10

// pem masks a private key block. at is where "BEGIN" stands. Line feeds may be
// real, escaped, or spaces; the end may be missing.
func (m *masker) pem(at int) int {
	if !strings.HasPrefix(m.text[at:], "BEGIN ") {
		return 0
	}
	from := runBack(m.text, at, isDash, 8)
	if byteAt(m.text, at-1) == ' ' { // "---- BEGIN" of RFC 4716
		from = runBack(m.text, at-1, isDash, 8)
	}
	name := m.text[at:min(len(m.text), at+longestKeyName)]
	key := strings.Index(name, "PRIVATE KEY")
	if from >= at-1 || key < 0 || strings.ContainsAny(name[:key], "\n\\") {
		return 0
	}
	body := at + key + len("PRIVATE KEY")
	if strings.HasPrefix(m.text[body:], " BLOCK") {
		body += len(" BLOCK")
	}
	body = m.dashes(body)
	end := m.pemEnd(body)
	m.mask(from, end, markPrivateKey)
	return end
}

// dashes gives the end of the dashes after a name, at itself if there are none.
func (m *masker) dashes(at int) int {
	from := skipSpace(m.text, at)
	if end := run(m.text, from, isDash, 8); end > from {
		return end
	}
	return at
}

// pemEnd gives the end of the block whose content begins at text[body].
func (m *masker) pemEnd(body int) int {
	rest := m.text[body:min(len(m.text), body+longestKey)]
	stop := strings.Index(rest, "PRIVATE KEY")
	if stop >= 0 {
		begin := strings.LastIndex(rest[:stop], "END ")
		if begin >= 0 && begin > stop-longestKeyName && !strings.Contains(rest[:begin], "BEGIN ") {
			end := body + stop + len("PRIVATE KEY")
			if strings.HasPrefix(m.text[end:], " BLOCK") {
				end += len(" BLOCK")
			}
			return m.dashes(end)
		}
	}
	return m.keyText(body)
}

// Bounds of the lines of a key that lost its end: whole ones have 64 or 70
// characters, those of a reflowed one at least 16; only the last is shorter.
const shortestKeyLine = 16

// keyHeaders begin the lines before the base64 of an encrypted or armoured key.
var keyHeaders = []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Charset:", "Hash:", "Subject:"}

// keyText gives the end of the base64 lines from text[at] on.
func (m *masker) keyText(at int) int {
	end := at
	for {
		at = m.lineBreaks(at)
		if stop := m.keyHeader(at); stop > at {
			end, at = stop, stop
			continue
		}
		stop := run(m.text, at, isAlnum|isBase|isDash, len(m.text))
		if stop-at >= shortestKeyLine {
			end, at = stop, stop
			continue
		}
		last := m.text[at:stop]
		if strings.HasSuffix(last, "=") || hasDigits(last, 1) && mixedCase(last) {
			return stop
		}
		return end
	}
}

// keyHeader gives the end of the header line at text[at], at if there is none.
func (m *masker) keyHeader(at int) int {
	for _, h := range keyHeaders {
		if !strings.HasPrefix(m.text[at:], h) {
			continue
		}
		if n := strings.IndexAny(m.text[at:], "\n\\"); n >= 0 {
			return at + n
		}
		return len(m.text)
	}
	return at
}

// lineBreaks skips what stands between the lines of a key.
func (m *masker) lineBreaks(at int) int {
	for at < len(m.text) {
		switch {
		case m.text[at] == ' ' || m.text[at] == '\n' || m.text[at] == '\r' || m.text[at] == '\t' || m.text[at] == '\\':
			at++
		case escaped(m.text, at):
			at++
		default:
			return at
		}
	}
	return at
}
