package capture

import (
	"testing"
	"time"
)

// TestChineseReports holds what others' rules are reported to have got wrong:
// greetings kept, short sentences dropped, numbers taken for words.
func TestChineseReports(t *testing.T) {
	for text, want := range map[string]int{
		"你好": 0, "我不记得了": 0, "你还记得吗": 0, "好的，谢谢": 0, "早上好": 0, "12345": 0, "8080": 0, "/usr/bin/node": 0,
		"请记住我喜欢深色模式": 1, "好的方案是使用Redis做缓存层": 1, "谢谢分享，我觉得这个思路很好": 1,
	} {
		if got := Find(text, noon); len(got) != want {
			t.Errorf("Find(%q) = %v, want %d items", text, got, want)
		}
	}
}

func TestChineseSpans(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"每月推广三千封顶，超了就停，别跟我商量直接停", "每月推广三千封顶，超了就停，别跟我商量直接停"},
		{"行 就按这个发吧  另外以后这类通知落款用英文名 Juno", "以后这类通知落款用英文名 Juno"},
		{"没有我点头，任何退款都不许自动批", "没有我点头，任何退款都不许自动批"},
		{"对了，我对花生过敏", "我对花生过敏"},
		{"以後食譜的份量都用公克", "以後食譜的份量都用公克"},
	} {
		got := Find(c.text, noon)
		if len(got) != 1 || got[0].Text != c.want {
			t.Errorf("Find(%q) = %v, want %q", c.text, got, c.want)
		}
	}
}

// TestChineseSpeech finds a statement in a voice transcript without signs, and
// leaves the talk around it out.
func TestChineseSpeech(t *testing.T) {
	text := "嗯我刚从市场回来今天人特别多挤得要命我跟你说啊以后单价超过二十块的布料先问我再下单嗯然后晚上我还得去接孩子车还没加油"
	got := Find(text, noon)
	if len(got) != 1 || got[0].Tag.String() != "B" || got[0].Text != "以后单价超过二十块的布料先问我再下单" {
		t.Errorf("Find(%q) = %v, want the sentence about cloth", text, got)
	}
}

func TestChineseUntil(t *testing.T) {
	day := func(y, m, d int) int64 {
		return time.Date(y, time.Month(m), d, 0, 0, 0, 0, noon.Location()).UnixMilli()
	}
	for _, c := range []struct {
		text string
		want int64
	}{
		{"今天只看架构相关的内容", day(2026, 3, 11)},
		{"这周我在里斯本出差", day(2026, 3, 16)},
		{"7月底之前我都在哈尔滨陪我妈", day(2026, 8, 1)},
		{"10月5號以前我都在京都看展", day(2026, 10, 6)},
		{"修好要到八月底", day(2026, 9, 1)},
		{"七月一号才重新营业", day(2026, 7, 2)},
		{"我十月二十三号之前都在京都", day(2026, 10, 24)},
		{"从这个月起我们店周一店休", 0},
		{"我对花生过敏", 0},
	} {
		got := Find(c.text, noon)
		if len(got) != 1 || int64(got[0].Until) != c.want || got[0].Tag.String() != "O" {
			t.Errorf("Find(%q) = %v, want one fact until %d", c.text, got, c.want)
		}
	}
}

// TestChineseScripts says that both scripts are read alike.
func TestChineseScripts(t *testing.T) {
	for traditional, simplified := range map[string]string{
		"沒有我本人同意，監視器畫面不可以傳給任何人": "没有我本人同意，监视器画面不可以传给任何人",
		"我對堅果過敏":      "我对坚果过敏",
		"報表改回白底":      "报表改回白底",
		"違約金帳期三十天":    "违约金账期三十天",
		"我們間舖租約到明年三月": "我们间铺租约到明年三月",
	} {
		a, b := Find(traditional, noon), Find(simplified, noon)
		if len(a) != 1 || len(b) != 1 || a[0].Rule != b[0].Rule || a[0].Start != b[0].Start || a[0].End != b[0].End {
			t.Errorf("Find(%q) = %v and Find(%q) = %v, want the same", traditional, a, simplified, b)
		}
	}
}

// TestSolidWords says that no word begins within another that is one.
func TestSolidWords(t *testing.T) {
	for _, text := range []string{"这个特别好", "分别是谁", "区别不大呀", "别人怎么看"} {
		if got := Find(text, noon); len(got) > 0 {
			t.Errorf("Find(%q) = %v, want nothing", text, got)
		}
	}
}
