package secrets

import "strconv"

// luhn says whether the last digit of a number is the check digit of the rest.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// issued says whether cards with this beginning and this length are common. It
// keeps out the tenth of all times, message ids and order numbers whose last
// digit happens to fit; a number that text calls a card needs none of this.
func issued(digits string) bool {
	n := len(digits)
	four, _ := strconv.Atoi(digits[:4])
	two := four / 100
	switch {
	case digits[0] == '4':
		return n == 16 || n == 13
	case two == 34 || two == 37:
		return n == 15
	case two == 36 || two == 38 || two == 39 || two == 30 && four <= 3059:
		return n == 14 || n == 16
	case two == 62:
		return n >= 16 && n <= 19
	}
	return n == 16 && (digits[0] == '5' || digits[0] == '6' || two == 35 || two == 81 || two == 82 ||
		four >= 2221 && four <= 2720 || four >= 2200 && four <= 2204 || four == 9792)
}

// layouts are the ways in which cards are written in groups.
var layouts = [][]int{
	{4, 4, 4, 4}, {4, 4, 4, 4, 3}, {4, 4, 4, 4, 2}, {4, 4, 4, 4, 1}, {4, 4, 4, 1}, {4, 4, 4, 6}, {4, 4, 4, 7},
	{4, 6, 5}, {4, 6, 4}, {6, 13}, {6, 10},
}

// longestLayout is the number of groups in the longest of the layouts.
const longestLayout = 5

// cardLayout says whether the groups are those of a card.
func cardLayout(list []group) bool {
	for _, l := range layouts {
		if len(l) != len(list) {
			continue
		}
		fits := true
		for i, n := range l {
			fits = fits && list[i].len() == n
		}
		if fits {
			return true
		}
	}
	return false
}

// identity masks a mainland Chinese identity number: 17 digits with a region
// and a date of birth in them, and a check character.
func (m *masker) identity(g group) int {
	const digits = 17
	to := g.from + digits + 1
	if g.len() < digits || g.len() > digits+1 || to > len(m.text) {
		return 0
	}
	last := lowered(m.text[to-1])
	if g.len() == digits && last != 'x' || !m.numberCloses(to) {
		return 0
	}
	if !identityDigits(m.text[g.from:g.from+digits], last) {
		return 0
	}
	m.mask(g.from, to, markIdentity)
	return to
}

// identityGroups masks an identity number in its parts: region, date of birth,
// and the rest.
func (m *masker) identityGroups(all []group) int {
	if len(all) < 3 || all[0].len() != 6 || all[1].len() != 8 || !m.evenly(all[:3]) {
		return 0
	}
	rest, to := all[2].from, all[2].to
	if all[2].len() == 3 && lowered(byteAt(m.text, to)) == 'x' {
		to++
	}
	if to != rest+4 || !m.numberCloses(to) {
		return 0
	}
	digits := m.text[all[0].from:all[0].to] + m.text[all[1].from:all[1].to] + m.text[rest:to-1]
	if !identityDigits(digits, lowered(m.text[to-1])) {
		return 0
	}
	m.mask(all[0].from, to, markIdentity)
	return to
}

// identityDigits checks the region, the date and the check character, which is
// ISO 7064 MOD 11-2.
func identityDigits(digits string, last byte) bool {
	region, _ := strconv.Atoi(digits[:2])
	year, _ := strconv.Atoi(digits[6:10])
	month, _ := strconv.Atoi(digits[10:12])
	day, _ := strconv.Atoi(digits[12:14])
	if region < 11 || region > 91 || year < 1850 || year > 2100 || month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	sum := 0
	for i := range len(digits) {
		sum = (sum + int(digits[i]-'0')) * 2 % 11
	}
	return "10x98765432"[sum] == last
}
