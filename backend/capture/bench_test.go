package capture

import (
	"strings"
	"testing"
)

var (
	english200 = "hey, thanks for the summary yesterday. the kiln people called again and I told them we'd look at it next week. can you shorten the second part? and in general keep the replies under three lines, please and thanks"
	chinese200 = strings.Repeat("昨天跟客户聊得还行，就是路上堵了快一个小时，前台还非要给我倒三杯茶。帮我看看这份报告有没有问题，另外以后周报都用三段就行了，第一段讲钱第二段讲客户，第三段讲风险别的不用。我现在在停车场等一会儿再说吧，", 2)
)

// chinesePlain200 has few words of rules.
var chinesePlain200 = strings.Repeat("早上起来去河边跑了一圈，碰到老邻居聊了几句，回来煮了碗面。中午把阳台的花盆换了土，顺手擦了窗户。下午看完了半本小说，情节挺绕的，人物名字记混了两次，翻回去才理清楚。晚饭随便炒了两个菜，然后就困得不行。", 2)

func BenchmarkFind(b *testing.B) {
	for _, c := range []struct{ name, text string }{{"english", english200}, {"chinese", string([]rune(chinese200)[:200])}, {"plain", string([]rune(chinesePlain200)[:200])}} {
		b.Run(c.name, func(b *testing.B) {
			Find(c.text, noon)
			b.ReportAllocs()
			for b.Loop() {
				Find(c.text, noon)
			}
		})
	}
}
