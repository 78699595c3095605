package kept

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tidemark/backend/memory"
)

// manyLines gives n lines as a heavy user leaves them: statements of their own,
// one in ten a repeat, one in twenty decided about.
func manyLines(n int, seed uint64) []memory.KeptLine {
	r := rand.New(rand.NewPCG(seed, seed))
	zh := []rune("布料价格客户合同发票仓库周报快递学员图片颜色设计会议供应商门店材料样品订单退货物流标签海报")
	en := []string{"invoice", "client", "report", "ribbon", "kiln", "ledger", "parcel", "poster", "sample", "studio", "glaze", "vendor", "orchid", "basket", "lantern", "harbor", "canvas", "thread"}
	lines := make([]memory.KeptLine, n)
	for i := range lines {
		text := ""
		if i%2 == 0 {
			for range 6 + r.IntN(12) {
				text += string(zh[r.IntN(len(zh))])
			}
			text = "以后" + text + fmt.Sprintf("都用%d号", r.IntN(400))
		} else {
			for range 3 + r.IntN(5) {
				text += en[r.IntN(len(en))] + " "
			}
			text = "always put the " + text + fmt.Sprintf("in box %d", r.IntN(400))
		}
		l := said(fmt.Sprintf("s%d", i), memory.Millis(1+i)*1000, text)
		l.Session, l.Agent = fmt.Sprint("session", i/40), fmt.Sprint("agent", i%5)
		switch {
		case i > 0 && i%10 == 9:
			l.Kind, l.Of = memory.KeptRepeat, fmt.Sprintf("s%d", i-9)
		case i > 0 && i%20 == 8:
			l = decision(memory.KeptPin, l.ID, l.At, fmt.Sprintf("s%d", i-3))
		}
		lines[i] = l
	}
	return lines
}

func BenchmarkLoad50000(b *testing.B) {
	lines := manyLines(50000, 1)
	for b.Loop() {
		load(lines...)
	}
}

func BenchmarkJudge20000(b *testing.B) {
	book := load(manyLines(20000, 1)...)
	more := manyLines(1000, 2)
	for i, text := range []string{"现在改了，日报挪到早上七点半", "Don't push me anything after midnight", "以后布料价格客户都用12号", "always put the invoice client report in box 7"} {
		more[i].Text, more[i].Kind = text, memory.KeptStatement
	}
	for i := range more {
		more[i].ID, more[i].Key, more[i].Entry = fmt.Sprint("new", i), "new", ""
	}
	i := 0
	for b.Loop() {
		book.Judge(more[i%1000 : i%1000+1])
		i++
	}
}

// BenchmarkJudgeAlike is the worst case: all statements share most parts.
func BenchmarkJudgeAlike(b *testing.B) {
	lines := make([]memory.KeptLine, 20000)
	for i := range lines {
		lines[i] = said(fmt.Sprint("s", i), memory.Millis(1+i), fmt.Sprintf("always send the daily report about the kiln to client number %d", i))
	}
	book := load(lines...)
	line := said("new", 1<<40, "always send the daily report about the kiln to client number 77777")
	for b.Loop() {
		book.Judge([]memory.KeptLine{line})
	}
}

func BenchmarkAdd(b *testing.B) {
	book := load(manyLines(20000, 1)...)
	lines := manyLines(200000, 3)
	i := 0
	for b.Loop() {
		l := lines[i%len(lines)]
		l.ID = fmt.Sprint("x", i)
		book.Add(l)
		i++
	}
}

func BenchmarkStatements20000(b *testing.B) {
	book := load(manyLines(20000, 1)...)
	for b.Loop() {
		book.Statements(0)
	}
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		read("没有我点头，任何退款都不许自动批，每月推广三千封顶")
	}
}
