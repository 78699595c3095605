package kept

import "strings"

// number reads a number, a time or days at the present place and says how many
// atoms it takes, 0 where there is none. w is the word of the list that begins
// here, with n atoms.
func (p *reader) number(w word, n int) int {
	switch {
	case w.role == roleDay:
		return p.takeDays(w, n)
	case n > 1 && w.role != roleNum && w.role != roleUnit || w.role == roleConcept && n > 0:
		return 0
	}
	a := &p.atoms[p.at]
	if a.digits {
		return p.digits(a)
	}
	if w.role == roleNum && n > 0 && a.han == 0 {
		return p.takeNumber(w.number*1000, n, true)
	}
	if m := p.halfPast(); m > 0 {
		return m
	}
	if number, m := hanNumber(p.atoms[p.at:], -1); m > 0 {
		if p.days != 0 && m == 1 && number >= 1 && number <= 7 && !p.clockFollows(1) {
			return p.moreDays(number)
		}
		if m > 1 || p.unitAt(m) || p.clockFollows(m) {
			return p.takeNumber(number*1000, m, true)
		}
	}
	return 0
}

// digits reads an atom of digits.
func (p *reader) digits(a *atom) int {
	clocks, numbers := parseDigits(a.text)
	if len(numbers) == 0 {
		p.unknown(1)
		return 1
	}
	if clocks {
		part, more := p.partHere(1)
		p.earlierClock(part)
		for _, m := range numbers {
			p.addValue(value{class: classClock, number: clock(m/60, m%60, part)})
		}
		return 1 + more
	}
	last := numbers[len(numbers)-1]
	if factor := hanFactors[[]rune(p.textAt(1) + " ")[0]]; factor > 0 && last > 0 {
		if number, m := hanNumber(p.atoms[p.at+1:], last/1000); last%1000 == 0 && m > 0 {
			return p.takeNumber(number*1000, 1+m, true)
		}
		return p.takeNumber(last*factor, 2, false)
	}
	for _, number := range numbers[:len(numbers)-1] {
		p.addValue(value{class: classNumber, number: number})
	}
	return p.takeNumber(last, 1, len(numbers) == 1)
}

// takeNumber takes a number (in thousandths) of n atoms with its factor and unit,
// or as a clock time.
func (p *reader) takeNumber(number int64, n int, may bool) int {
	p.flush()
	for p.at+n < len(p.atoms) && !p.atoms[p.at+n].apart {
		w, m := p.x.match(p.atoms[p.at+n:])
		if w.role != roleTimes || m != 1 {
			break
		}
		number, n = number*w.number, n+m
	}
	if may && number%1000 == 0 && number >= 0 && number <= 24000 {
		if m := p.clockTime(number/1000, n); m > 0 {
			return m
		}
	}
	unit, m := p.unit(n)
	if unit == discountUnit {
		p.known(conceptID("discount"), true)
	}
	p.addValue(value{class: classNumber, unit: unit, number: number})
	return n + m
}

// unit gives what is counted after n atoms.
func (p *reader) unit(n int) (id uint32, m int) {
	if p.at+n >= len(p.atoms) || p.atoms[p.at+n].apart {
		return p.unitBefore(), 0
	}
	w, m := p.x.match(p.atoms[p.at+n:])
	switch w.unit {
	case 0:
		return p.unitBefore(), 0
	case moneyUnit:
		return 0, m
	}
	return w.unit, m
}

var moneyUnit, euroUnit, poundUnit, discountUnit = hashID("unit money"), hashID("unit eur"), hashID("unit gbp"), hashID("unit zhe")

// unitBefore gives the currency that stands before a number.
func (p *reader) unitBefore() uint32 {
	switch p.last {
	case "€":
		return euroUnit
	case "£":
		return poundUnit
	}
	return 0
}

func (p *reader) unitAt(n int) bool {
	if p.at+n >= len(p.atoms) || p.atoms[p.at+n].apart {
		return false
	}
	w, _ := p.x.match(p.atoms[p.at+n:])
	return w.unit != 0 || w.role == roleTimes || p.textAt(n) == "时"
}

func (p *reader) textAt(n int) string {
	if p.at+n >= len(p.atoms) || p.atoms[p.at+n].apart {
		return ""
	}
	return p.atoms[p.at+n].text
}

// clockFollows says whether what stands after n atoms makes a number an hour.
func (p *reader) clockFollows(n int) bool { t := p.textAt(n); return t == "点" || t == "时" }

// clockTime reads an hour of n atoms as a clock time: 七点半, 9 am, at 7, 7 点 40.
// It gives how many atoms it takes in all, 0 where it is none.
func (p *reader) clockTime(hour int64, n int) int {
	minute, m, sure := int64(0), n, false
	switch t := p.textAt(n); t {
	case "点", "时":
		sure = true
		m++
		switch rest := p.textAt(m); rest {
		case "半":
			minute, m = 30, m+1
		case "整", "钟":
			m++
		default:
			if (rest == "一" || rest == "三") && p.textAt(m+1) == "刻" {
				minute, m = 15, m+2
				if rest == "三" {
					minute = 45
				}
			} else {
				minute, m = p.minutes(m)
			}
		}
	case "oclock", "o":
		sure, m = true, m+1
		if p.textAt(m) == "clock" {
			m++
		}
	}
	part, more := p.partHere(m)
	if !sure && more == 0 && (part == partNone && !p.afterAt() || p.unitAt(m)) {
		return 0
	}
	p.earlierClock(part)
	p.addValue(value{class: classClock, number: clock(hour, minute, part)})
	return m + more
}

// earlierClock makes a number just before a time, as in "8 to 8:45", a time too.
func (p *reader) earlierClock(part int) {
	if last := len(p.values) - 1; last >= 0 && isRange(p.last) && p.numberAt == p.at-1 {
		if v := &p.values[last]; v.class == classNumber && v.unit == 0 && v.number <= 24000 && v.number%1000 == 0 && v.number >= 0 {
			*v = value{class: classClock, number: clock(v.number/1000, 0, part)}
		}
	}
}

// minutes reads minutes behind an hour.
func (p *reader) minutes(m int) (minute int64, end int) {
	if p.textAt(m) == "" {
		return 0, m
	}
	rest := p.atoms[p.at+m:]
	if rest[0].digits {
		if clocks, numbers := parseDigits(rest[0].text); !clocks && len(numbers) == 1 && numbers[0] >= 0 && numbers[0] < 60000 {
			minute, m = numbers[0]/1000, m+1
		}
	} else if number, n := hanNumber(rest, -1); n > 1 && number < 60 {
		minute, m = number, m+n
	} else {
		return 0, m
	}
	if p.textAt(m) == "分" {
		m++
	}
	return minute, m
}

// partHere gives the part of the day of a time: said before it, or after n atoms.
func (p *reader) partHere(n int) (part, more int) {
	part, p.part = p.part, partNone
	if p.textAt(n) != "" {
		if w, m := p.x.match(p.atoms[p.at+n:]); w.role == rolePart && p.atoms[p.at+n].han == 0 {
			return int(w.number), m
		}
	}
	return part, 0
}

// afterAt says whether the word before makes a number a time of day.
func (p *reader) afterAt() bool {
	switch p.last {
	case "at", "before", "after", "until", "till", "past":
		return true
	}
	return false
}

// halfPast reads "half past seven" and "quarter to eight".
func (p *reader) halfPast() int {
	minute, way := int64(30), p.textAt(1)
	switch p.atoms[p.at].text {
	case "half":
	case "quarter":
		minute = 15
	default:
		return 0
	}
	if way != "past" && way != "to" || p.textAt(2) == "" {
		return 0
	}
	w, m := p.x.match(p.atoms[p.at+2:])
	hour := w.number
	if a := &p.atoms[p.at+2]; a.digits {
		if clocks, numbers := parseDigits(a.text); !clocks && len(numbers) == 1 {
			hour, m = numbers[0]/1000, 1
		}
	} else if w.role != roleNum {
		return 0
	}
	if way == "to" {
		hour, minute = hour+23, 60-minute
	}
	part, more := p.partHere(2 + m)
	p.addValue(value{class: classClock, number: clock(hour%24, minute, part)})
	return 2 + m + more
}

var valueID = hashID("value")

func (p *reader) addValue(v value) {
	p.flush()
	p.endPart()
	p.values, p.numbered = append(p.values, v), true
	p.order = append(p.order, valueID+v.unit*7+uint32(v.class)*31+uint32(v.number))
	p.seen++
	for i := range p.open {
		p.open[i].take(uint32(v.number)*31+uint32(v.class)+v.unit, isValue)
	}
}

// takeDays takes days of the week: one after the other they are one value, and
// a range is all between.
func (p *reader) takeDays(w word, n int) int {
	p.flush()
	p.endPart()
	set := daySet(w.number)
	last := len(p.values) - 1
	if p.days != 0 && last >= 0 {
		if w.number < 10 && p.days < 10 && isRange(p.last) {
			set = dayRange(p.days, w.number)
		}
		p.values[last].number |= set
		p.days = w.number
		return n
	}
	p.addValue(value{class: classDays, number: set})
	p.days = w.number
	return n
}

// moreDays takes one more day of 周一三五.
func (p *reader) moreDays(day int64) int {
	last := len(p.values) - 1
	p.values[last].number |= daySet(day)
	p.days = day
	return 1
}

func isRange(text string) bool {
	return text == "到" || text == "至" || strings.HasPrefix(text, "-") || text == "to" || text == "through"
}
