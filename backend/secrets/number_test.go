package secrets

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// withLuhn appends the check digit.
func withLuhn(digits string) string {
	for d := range 10 {
		if full := digits + strconv.Itoa(d); luhn(full) {
			return full
		}
	}
	panic("no check digit fits")
}

// withCheck appends the check character of an identity number.
func withCheck(digits string) string {
	for _, c := range []byte("0123456789x") {
		if identityDigits(digits, c) {
			return digits + strings.ToUpper(string(c))
		}
	}
	panic("no check character fits " + digits)
}

// inGroups sets signs between groups of the lengths.
func inGroups(digits, sign string, lengths ...int) string {
	var out []string
	for _, n := range lengths {
		out = append(out, digits[:n])
		digits = digits[n:]
	}
	return strings.Join(out, sign)
}

// cards are beginnings of the common issuers, with the number of digits.
var cards = []struct {
	name, begin string
	n           int
	groups      []int
}{
	{"visa", "4539", 16, []int{4, 4, 4, 4}},
	{"visa of 13", "4222", 13, nil},
	{"mastercard", "5412", 16, []int{4, 4, 4, 4}},
	{"mastercard 2", "2223", 16, []int{4, 4, 4, 4}},
	{"american express", "3714", 15, []int{4, 6, 5}},
	{"american express 34", "3412", 15, []int{4, 6, 5}},
	{"diners", "3600", 14, []int{4, 6, 4}},
	{"jcb", "3530", 16, []int{4, 4, 4, 4}},
	{"discover", "6011", 16, []int{4, 4, 4, 4}},
	{"unionpay", "6212", 16, []int{4, 4, 4, 4}},
	{"unionpay of 17", "6212", 17, nil},
	{"unionpay of 18", "6217", 18, nil},
	{"unionpay of 19", "6222", 19, []int{4, 4, 4, 4, 3}},
	{"unionpay in two", "6228", 19, []int{6, 13}},
	{"mir", "2202", 16, []int{4, 4, 4, 4}},
	{"rupay", "8171", 16, []int{4, 4, 4, 4}},
}

func TestMaskCards(t *testing.T) {
	for _, c := range cards {
		number := withLuhn(c.begin + strings.Repeat("1203948576", 2)[:c.n-len(c.begin)-1])
		forms := []string{number}
		if c.groups != nil {
			forms = append(forms, inGroups(number, " ", c.groups...), inGroups(number, "-", c.groups...))
		}
		for _, form := range forms {
			for _, s := range []spoken{
				say(markCard, "{}", form), say(markCard, "pay with {} please", form), say(markCard, "卡{}。", form),
				say(markCard, "({})", form), say(markCard, "card={}", form), say(markCard, "{}, exp 12/27", form), say(markCard, "{} 12/27 123", form),
				say(markCard, `\n{}\n`, form),
			} {
				if got := Mask(s.plain()); got != s.masked() {
					t.Errorf("%s: Mask(%q) = %q, want %q", c.name, s.plain(), got, s.masked())
				}
			}
		}
	}
}

// One wrong digit, a letter beside it or a longer run: no card.
func TestMaskLeavesOtherNumbers(t *testing.T) {
	good := withLuhn("453912039485760")
	wrong := good[:15] + string('0'+(good[15]-'0'+1)%10)
	for _, text := range []string{
		wrong, inGroups(wrong, " ", 4, 4, 4, 4), "x" + good, good + "x", "1" + good, good + "0000", "v" + good, good + "_1", "0." + good, good + ".5",
		"/orders/" + good, "+" + good, "id-" + good, good + "-a", good + "@g.us", "#" + "order " + good, "order number: " + good, "订单号：" + good,
		"单号" + good, `"order_id": "` + good + `"`, inGroups(good, " ", 2, 6, 4, 4), inGroups(good, "-", 8, 8), good[:4] + " " + good[4:8] + "-" + good[8:12] + " " + good[12:],
		"1024 2048 4096 8192", "2019 2020 2021 2022", "4539 1203 9485 7607 4539 1203 9485 7607",
	} {
		untouched(t, text)
	}
}

// A number that text calls a card is masked even if it was made up.
func TestMaskNamedNumbers(t *testing.T) {
	for _, s := range []spoken{
		say(markCard, "卡号 {}", fake("6222 ", "0000 ", "0000 ", "0000")),
		say(markCard, "银行卡号是{}，密码", fake("622202", "1234567890123")),
		say(markCard, "信用卡：{}", fake("4000", "000000000000")),
		say(markCard, "my card number is {}", fake("4111-", "1111-", "1111-", "1112")),
		say(markCard, "credit card: {}", fake("1234 ", "5678 ", "1234 ", "5678")),
		say(markIdentity, "身份证{}", fake("110105", "19491231", "0000")),
		say(markIdentity, "身份证号码是 {}", fake("110105", "19491231", "0000")),
		say(markIdentity, "SSN: {}", fake("123-", "45-", "6789")),
		say(markIdentity, "social security number is {}", fake("123 ", "45 ", "6789")),
	} {
		s.check(t)
	}
	untouched(t, "卡号后四位 4821")
	untouched(t, "card ending in 4242")
	untouched(t, "银行卡丢了 3 次")
	untouched(t, "123-45-6789")
}

func TestMaskIdentityNumbers(t *testing.T) {
	for _, begin := range []string{fake("110105", "19491231", "002"), fake("440308", "19900307", "123"), fake("310104", "20051118", "045"), fake("650102", "19761020", "876")} {
		number := withCheck(begin)
		for _, s := range []spoken{
			say(markIdentity, "{}", number), say(markIdentity, "我的是{}，记一下", number), say(markIdentity, "id={}", number), say(markIdentity, "{}", strings.ToLower(number)),
		} {
			s.check(t)
		}
		for _, text := range []string{"a" + number, number + "1", number + "a", "1" + number, number[:17] + "A"} {
			untouched(t, text)
		}
		broken := []byte(number)
		broken[10] = '2' // month 2x
		broken[11] = '9'
		if got := Mask(string(broken)); strings.Contains(got, "identity") {
			t.Errorf("Mask(%q) = %q, though there is no such month", broken, got)
		}
	}
}

// The check digits find every single wrong digit.
func TestCheckDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		digits := make([]byte, 15)
		for i := range digits {
			digits[i] = '0' + byte(r.IntN(10))
		}
		full := []byte(withLuhn(string(digits)))
		at := r.IntN(len(full))
		full[at] = '0' + (full[at]-'0'+byte(1+r.IntN(9)))%10
		if luhn(string(full)) {
			t.Fatalf("luhn accepts %s with a wrong digit at %d", full, at)
		}
	}
	base := fake("110105", "19491231", "002")
	last := lowered(withCheck(base)[17])
	for at := 14; at < 17; at++ {
		for d := byte('0'); d <= '9'; d++ {
			other := base[:at] + string(d) + base[at+1:]
			if other != base && identityDigits(other, last) {
				t.Errorf("identityDigits accepts %s with %c", other, last)
			}
		}
	}
}

// Random numbers of all lengths: about one in a hundred may look like a card,
// none of a length that no card has.
func TestMaskRandomNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	masked := 0
	const rounds = 6000
	for range rounds {
		n := 1 + r.IntN(24)
		digits := make([]byte, n)
		for i := range digits {
			digits[i] = '0' + byte(r.IntN(10))
		}
		if got := Mask(string(digits)); got != string(digits) {
			masked++
			if n < 13 || n > 19 {
				t.Fatalf("Mask(%s) = %s", digits, got)
			}
		}
	}
	if masked > rounds/100 {
		t.Errorf("%d of %d random numbers are masked", masked, rounds)
	}
}

// A card is found wherever it stands among other groups of digits.
func TestMaskCardAmongNumbers(t *testing.T) {
	card := inGroups(withLuhn("453912039485760"), " ", 4, 4, 4, 4)
	for n := range 12 {
		text := strings.Repeat("100 ", n) + card + strings.Repeat(" 77", n%4)
		if got := Mask(text); !strings.Contains(got, markCard.String()) {
			t.Errorf("after %d numbers: %q", n, got)
		}
	}
}
