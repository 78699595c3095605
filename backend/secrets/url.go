package secrets

import "strings"

// longestAuthority bounds the part of an address that names a user and a host.
const longestAuthority = 512

// url masks the password in scheme://user:password@host; the rest of the
// address stays. at is where "://" stands.
func (m *masker) url(at int) int {
	from := at + len("://")
	if at == 0 || !is(m.text[at-1], isAlnum) {
		return 0
	}
	if end := m.webhook(from); end > 0 {
		return end
	}
	host := m.userEnd(from)
	if host < 0 {
		return from
	}
	colon := strings.IndexByte(m.text[from:host], ':')
	if colon < 0 {
		return m.userToken(from, host)
	}
	secret := m.text[from+colon+1 : host]
	if !placeholder(secret) && markAt(m.text, from+colon+1) == 0 {
		m.mask(from+colon+1, host, markPassword)
	}
	return host
}

// userEnd gives the position of the @ that ends the user's part of an address,
// -1 if it has none. A password with an unescaped / or # in it is found as long
// as what follows the colon is no port.
func (m *masker) userEnd(from int) int {
	limit := min(len(m.text), from+longestAuthority)
	end := from
	for end < limit && m.text[end] > ' ' && strings.IndexByte("\"'`<>/?#\\", m.text[end]) < 0 {
		end++
	}
	if at := strings.LastIndexByte(m.text[from:end], '@'); at >= 0 {
		return from + at
	}
	colon := strings.IndexByte(m.text[from:end], ':')
	if colon < 0 || end == limit || run(m.text, from+colon+1, isDigit, 6) == end {
		return -1
	}
	for ; end < limit && m.text[end] > ' ' && strings.IndexByte("\"'`<>\\", m.text[end]) < 0; end++ {
		if m.text[end] == '@' && isAt(m.text, end+1, isAlnum) {
			return end
		}
	}
	return -1
}

// userToken masks a token that stands in place of the user's name.
func (m *masker) userToken(from, host int) int {
	text := m.text[from:host]
	s := shapeOf(text)
	if s.n >= 20 && s.mixed() && s.digits >= 3 && !slug(text) && run(text, 0, isName, len(text)) == len(text) {
		m.mask(from, host, markToken)
	}
	return host
}

// webhooks are addresses of which the path after a prefix is the credential.
var webhooks = []string{
	"hooks.slack.com/services/",
	"hooks.slack.com/workflows/",
	"discord.com/api/webhooks/",
	"discordapp.com/api/webhooks/",
	"canary.discord.com/api/webhooks/",
	"open.feishu.cn/open-apis/bot/v2/hook/",
	"open.larksuite.com/open-apis/bot/v2/hook/",
}

// webhook masks the credential of a webhook's address, 0 if it is none.
func (m *masker) webhook(from int) int {
	for _, w := range webhooks {
		if !strings.HasPrefix(m.text[from:], w) {
			continue
		}
		start := from + len(w)
		end := trimToken(m.text, start, run(m.text, start, isName|isDot|isBase, longestAuthority))
		if end-start < 16 {
			return 0
		}
		m.mask(start, end, markToken)
		return end
	}
	return 0
}
