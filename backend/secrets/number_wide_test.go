package secrets

import (
	"strings"
	"testing"
)

// widened writes digits and letters in their full-width forms.
func widened(text string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7F {
			return r - '!' + '！'
		}
		return r
	}, text)
}

func TestWideNumbers(t *testing.T) {
	card := withLuhn("453912039485760")
	identity := withCheck(fake("110105", "19491231", "002"))
	for _, s := range []spoken{
		say(markCard, "{}", widened(card)),
		say(markCard, "卡号是{}。", widened(card)),
		say(markCard, "用{}付", widened(card[:4])+"　"+widened(card[4:8])+"　"+widened(card[8:12])+"　"+widened(card[12:])),
		say(markCard, "信用卡 {}", widened("1234567890123456")),
		say(markIdentity, "{}", widened(identity)),
		say(markIdentity, "身份证{}，订票用", widened(identity[:17])+identity[17:]),
	} {
		s.check(t)
	}
	wrong := "8"
	if strings.HasSuffix(identity, wrong) {
		wrong = "9"
	}
	for _, text := range []string{
		widened("1234567890123456"), widened("13800138000"), "２０２７年１月１日", "订单" + widened(card), widened(identity[:17] + wrong), "ＡＢＣ１２３", widened(strings.Repeat("12", 30)),
	} {
		untouched(t, text)
	}
}

func TestIdentityInGroups(t *testing.T) {
	identity := withCheck(fake("110105", "19491231", "002"))
	for _, sign := range []string{" ", "-"} {
		s := say(markIdentity, "身份证 {} 订票", identity[:6]+sign+identity[6:14]+sign+identity[14:])
		s.check(t)
		wrong := byte('0' + (identity[16]-'0'+1)%10)
		untouched(t, "number "+identity[:6]+sign+identity[6:14]+sign+identity[14:16]+string(wrong)+identity[17:])
	}
	untouched(t, "batch 110105 19491231 0029")
	untouched(t, "phones 110105-19491231 and 0020")
}
