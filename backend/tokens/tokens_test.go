package tokens_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tidemark/backend/tokens"
)

// samples have the numbers of tokens that real vocabularies gave: cl100k_base
// and o200k_base as the Go module tiktoken-go/tokenizer v0.10.0 counts them,
// and the vocabulary of Claude 2 that Anthropic's Python package 0.30.0 ships.
var samples = []struct {
	name, text             string
	cl100k, o200k, claude2 int64
}{
	{"English", "I prefer short answers with the command first and the explanation after it. Please don't push anything to the main branch after six in the evening, because nobody is there to roll it back. My sister Hannah visits us every second weekend, and she is allergic to peanuts, so keep that in mind when you plan meals. We moved the staging server to another rack last Tuesday; the old address still answers, but it will be switched off at the end of the month.\n", 94, 93, 97},
	{"Chinese", "我更喜欢简短的回答，先给命令，再解释原因。晚上六点以后不要往主分支推送任何东西，因为那时候没有人可以回滚。我妹妹每隔一个周末来看我们，她对花生过敏，安排饭菜的时候请记住这一点。上周二我们把测试服务器搬到了另一个机架上，旧地址现在还能用，但是月底就会关掉。孩子最近学会了走路，家里的柜子都装上了安全锁。以后代码评审请用中文写，简单明了就好，不用客气。\n", 202, 128, 179},
	{"Japanese", "短い答えのほうが好きです。まずコマンドを書いて、そのあとで理由を説明してください。夕方の六時を過ぎたら、メインブランチには何も送らないでください。元に戻せる人がいないからです。妹は二週間に一度うちに遊びに来ますが、ピーナッツのアレルギーがあるので、食事を考えるときは忘れないでください。先週の火曜日にテスト用のサーバーを別のラックに移しました。古いアドレスもまだ使えますが、月末には止める予定です。このメッセージは日本語で書かれています。\n", 221, 162, 223},
	{"Korean", "저는 짧은 대답을 더 좋아합니다. 먼저 명령을 쓰고 그다음에 이유를 설명해 주세요. 저녁 여섯 시가 지나면 메인 브랜치에 아무것도 올리지 마세요. 되돌릴 수 있는 사람이 없기 때문입니다. 여동생이 이 주에 한 번씩 놀러 오는데 땅콩 알레르기가 있으니 식사를 준비할 때 꼭 기억해 주세요. 지난주 화요일에 테스트 서버를 다른 랙으로 옮겼습니다. 예전 주소도 아직 쓸 수 있지만 월말에는 꺼질 예정입니다. 앞으로 코드 리뷰는 한국어로 간단하게 적어 주세요.\n", 236, 144, 262},
	{"Chinese with commands", "把 staging 环境的 nginx 配置改成 keepalive 65，然后 reload 一下。GitHub 上的 PR #128 我已经 review 过了，主要是 README 里的 quickstart 少了一步 `npm ci`。另外 cron job 每天 02:00 跑 backup.sh，日志在 /var/log/backup.log，失败的话发到 Slack 的 #ops 频道。\n", 104, 82, 96},
	{"Go", `func (s *Store) Entries(ctx context.Context, session int64, texts bool) ([]Entry, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, parent, kind FROM entry WHERE session = ? ORDER BY id", session)
	if err != nil {
		return nil, fmt.Errorf("list entries: %w", err)
	}
	defer rows.Close()
	var found []Entry
	for rows.Next() {
		var e Entry
		if err := rows.Scan(&e.ID, &e.Parent, &e.Kind); err != nil {
			return nil, err
		}
		found = append(found, e)
	}
	return found, rows.Err()
}
`, 142, 142, 176},
	{"JSON", `{"type":"message","id":"51ff29da","parentId":"1f872888","timestamp":"2026-11-30T19:54:57.021Z","message":{"role":"assistant","provider":"mock","model":"mock-small","usage":{"input":5762,"output":8,"cacheRead":5696,"cacheWrite":0,"totalTokens":11466,"cost":{"input":0.017286,"output":0.00012,"total":0.0191148}},"stopReason":"stop"}}
`, 110, 112, 114},
	{"a log", `2026-12-01T03:54:12.345Z INFO  ledgerline/api request id=7f3a9c21 method=GET path=/v1/expenses?month=2026-11 status=200 duration=12.7ms
2026-12-01T03:54:13.002Z WARN  ledgerline/db slow query rows=18234 duration=842ms host=10.20.30.40:8443
2026-12-01T03:54:13.951Z ERROR ledgerline/import line=1127 err="duplicate: amount=1999 date=2026-11-29"
`, 139, 139, 143},
	{"German", "Ich mag kurze Antworten: zuerst der Befehl, danach die Erklärung. Nach achtzehn Uhr bitte nichts mehr auf den Hauptzweig schieben, weil dann niemand da ist, der es zurücknehmen könnte. Meine Schwester kommt jedes zweite Wochenende zu Besuch und verträgt keine Erdnüsse; denk bitte daran, wenn du das Essen planst.\n", 93, 71, 107},
	{"Spanish", "Prefiero respuestas cortas: primero el comando y después la explicación. Después de las seis de la tarde no subas nada a la rama principal, porque no hay nadie que pueda deshacerlo. Mi hermana nos visita cada dos fines de semana y es alérgica a los cacahuetes, así que tenlo en cuenta al planear las comidas.\n", 82, 72, 90},
	{"Russian", "Мне больше нравятся короткие ответы: сначала команда, потом объяснение. После шести вечера ничего не отправляй в главную ветку, потому что некому будет откатить изменения. Моя сестра приезжает к нам каждые две недели, у неё аллергия на арахис, поэтому помни об этом, когда планируешь еду.\n", 126, 78, 145},
	{"a Japanese sentence (I110)", `このメッセージは日本語で書かれています`, 17, 13, 17},
	{"emoji", "好的👍 明天见😀🎉 great job 🚀🚀 今天太累了😭😭😭 ❤️🙏 お疲れさま🍺\n", 53, 31, 51},
}

// Languages that people write to an agent: no more than a quarter off what
// either of the two vocabularies says that are in widest use (case I110).
func TestEstimateIsAQuarterOff(t *testing.T) {
	for _, s := range samples {
		got := float64(tokens.Estimate(s.text))
		low, high := float64(min(s.cl100k, s.o200k, s.claude2)), float64(max(s.cl100k, s.o200k, s.claude2))
		middle := math.Sqrt(low * high)
		if off := got/middle - 1; math.Abs(off) > 0.25 {
			t.Errorf("%s: %v is %.0f%% off the middle, %.0f", s.name, got, off*100, middle)
		}
		t.Logf("%-28s %4.0f: cl100k %d, o200k %d, Claude 2 %d", s.name, got, s.cl100k, s.o200k, s.claude2)
		if high/low > 1.67 { // the vocabularies are further apart than a quarter either way
			continue
		}
		for vocabulary, want := range map[string]int64{"cl100k_base": s.cl100k, "o200k_base": s.o200k} {
			if off := got/float64(want) - 1; math.Abs(off) > 0.25 && want > 20 {
				t.Errorf("%s: %v is %.0f%% off %s, %d", s.name, got, off*100, vocabulary, want)
			}
		}
	}
}

// A quarter of the bytes, the rule of thumb, counts a Chinese or Japanese text
// far too low; the estimate does not.
func TestEstimateOfWideScripts(t *testing.T) {
	for _, s := range samples {
		if s.name != "Chinese" && s.name != "Japanese" && s.name != "Korean" {
			continue
		}
		got, byRunes := tokens.Estimate(s.text), int64(len([]rune(s.text))/4)
		if got < 2*byRunes || got < min(s.cl100k, s.o200k, s.claude2)*3/4 {
			t.Errorf("%s: %d, a quarter of the characters is %d", s.name, got, byRunes)
		}
	}
}

func TestEstimateSmall(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "a": 1, " ": 1, "ok": 1, "\n": 1, "你": 1, "你好": 2, "\xff": 2, "👍": 2, "hello": 1, "hello world": 2, strings.Repeat("word ", 100): 100,
		strings.Repeat("好", 100): 90, strings.Repeat("の", 100): 87, strings.Repeat("한", 100): 93, strings.Repeat("7", 100): 60, strings.Repeat("д", 100): 44,
		strings.Repeat("é", 100): 60, strings.Repeat("。", 100): 82, strings.Repeat("ह", 100): 95, strings.Repeat("ع", 100): 75, strings.Repeat("–", 100): 70,
		strings.Repeat("𠀀", 100): 90, strings.Repeat("😀", 100): 190,
	} {
		if got := tokens.Estimate(text); got != want {
			t.Errorf("%.20q: got %d, want %d", text, got, want)
		}
	}
}

// A text costs no more than its halves do, but for rounding, and no text of
// any bytes gives a negative number.
func TestEstimateAddsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		b := make([]byte, r.IntN(60))
		for i := range b {
			b[i] = byte(r.IntN(256))
			if r.IntN(2) == 0 {
				b[i] &= 0x7f
			}
		}
		text := string(b)
		whole := tokens.Estimate(text)
		if whole < 0 || (whole == 0) != (text == "") || whole > 2*int64(len(text))+1 {
			t.Fatalf("%q: %d", text, whole)
		}
		runes := []rune(strings.ToValidUTF8(text, "?"))
		at := r.IntN(len(runes) + 1)
		both := tokens.Estimate(string(runes[:at])) + tokens.Estimate(string(runes[at:]))
		if sum := tokens.Estimate(string(runes)); sum > both+1 || sum < both-2 {
			t.Fatalf("%q: %d, its halves %d", string(runes), sum, both)
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	for _, s := range samples[:3] {
		text := strings.Repeat(s.text, 1<<20/len(s.text))
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				tokens.Estimate(text)
			}
		})
	}
}
