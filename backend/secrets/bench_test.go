package secrets

import (
	"strings"
	"testing"
)

// Texts of one megabyte each, made of sentences that hold no credential.
var (
	plainEnglish = filled("The tide came in before noon and the boats turned slowly at their moorings. " +
		"Nobody had told the harbour master, who was reading, that the ferry would be early; " +
		"he put down his cup, looked at the sky and went out. \"You should have called,\" he said. ")
	plainChinese = filled("潮水在中午之前就涨上来了，小船在泊位上慢慢地转着方向。没有人告诉港口的管理员渡轮会提前到，" +
		"他正在看书，于是放下杯子，抬头看了看天，走了出去。“你应该先打个电话的，”他说。")
	plainMixed = filled("周三下午 3 点把 weekly report 发给大家，别用 PDF，用 Markdown 就好；deploy 只能在周二做。")
	plainLog   = filled("2026-03-02T09:00:01Z INFO served path=/api/sessions/7ecc52ca-06be-4235-9a18-114dd3219a5f status=200 bytes=10423 took=12ms\n")
	plainCode  = filled("for i, row := range rows {\n\tif row.Count == 0 {\n\t\tcontinue // nothing to add\n\t}\n\ttotal += row.Count * unit\n}\n")
	base64Run  = filled("iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAIAAAC6s0uzAAAgAElEQVR4nOzdd1xT1/8/8JOEkRAgjLCHIEOGoKKCu9aFo9a9rVr3" +
		"nq1VW21tHW2t1dZaR1tXtbZu66y7uHGjoqCyZO8QyM7vj/v55scHIUC4yQ3k/fzDB9yce+5bDLxyz7n3XJZGoyEAAAAANC42yAUAAABYIgQwAAAAAxDAAAAA")
)

func filled(sentence string) string {
	return strings.Repeat(sentence, 1<<20/len(sentence)+1)
}

func BenchmarkMask(b *testing.B) {
	talk := strings.Repeat("so the wifi password is "+fake("sunny", "-", "day", "42")+", tell them. and the tokens were cheap. ", 1<<14)
	for name, text := range map[string]string{
		"english": plainEnglish, "chinese": plainChinese, "mixed": plainMixed, "log": plainLog, "code": plainCode,
		"base64": base64Run, "credentials": talk,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Mask(text)
			}
		})
	}
}

func BenchmarkSecretKey(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		SecretKey("gatewayAuthToken")
	}
}
