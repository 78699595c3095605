package transcript

import (
	"regexp"
	"strings"
)

// channelEnvelope is what versions up to 2026.2 put in front of a message that
// came over a channel: "[WhatsApp Mei +8613800000000 +2m 2026-01-18 10:00 GMT+8] ".
var channelEnvelope = regexp.MustCompile(`^\[(WhatsApp|Telegram|Discord|Slack|Signal|iMessage|BlueBubbles|Matrix|(?:MS |Microsoft )?Teams|Google ?Chat|Mattermost|` +
	`Zalo|LINE|Feishu|Lark|QQ|QQBot|WeChat|Weixin|WeCom|DingTalk|Nostr|IRC|Twitch|Nextcloud Talk|Tlon|SMS|WebChat|Synology Chat)((?: [^\]\n]{1,200})?)\]\s*`)

var (
	envelopeStamp   = regexp.MustCompile(`(?:^| )(?:[A-Z][a-z]{2} )?\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?(?:Z| [^ ]+)?$`)
	envelopeElapsed = regexp.MustCompile(`(?:^| )\+\d+[smhd]$`)
	envelopeID      = regexp.MustCompile(`(?:^| )id:\S+$`)
	// groupSigns tell a group's name and id from a person's.
	groupSigns = regexp.MustCompile(`id:-\d|@g\.us|(?:^| )#|\b(?:[Gg]roup|[Cc]hannel|[Rr]oom)\b|id:channel|id:group|群`)
	// senderPrefix is the name in front of what somebody said in a group.
	senderPrefix = regexp.MustCompile(`^([^\s:：\n\[<][^:：\n]{0,48}):[ \t]+`)
)

// channelHead is what the envelope of a channel tells.
type channelHead struct {
	channel, from, sender string
	group                 bool
	end                   int // of the envelope, and of the sender's name behind it
}

// channelOf reads the envelope of a channel at the beginning of a text.
func channelOf(s string) (h channelHead, ok bool) {
	m := channelEnvelope.FindStringSubmatchIndex(s)
	if m == nil {
		return h, false
	}
	h.channel, h.end = s[m[2]:m[3]], m[1]
	from := strings.TrimSpace(s[m[4]:m[5]])
	from = envelopeElapsed.ReplaceAllString(envelopeStamp.ReplaceAllString(from, ""), "")
	h.group = groupSigns.MatchString(from)
	h.from = strings.TrimSpace(envelopeID.ReplaceAllString(from, ""))
	if !h.group {
		h.sender = h.from
		return h, true
	}
	if p := senderPrefix.FindStringSubmatchIndex(s[h.end:]); p != nil {
		h.sender = s[h.end+p[2] : h.end+p[3]]
		h.end += p[1]
	}
	return h, true
}

// What OpenClaw puts in front of a message that came with a file.
const (
	mediaNote = "[media attached"
	mediaHint = "To send an image back, prefer the message tool"
)

// dropLine drops the first line of s.
func dropLine(s string) string {
	_, rest, _ := strings.Cut(s, "\n")
	return rest
}
