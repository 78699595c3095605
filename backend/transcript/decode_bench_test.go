package transcript_test

import (
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// BenchmarkDecode decodes the three kinds of line that make up most of a
// history, without and with texts.
func BenchmarkDecode(b *testing.B) {
	lines := map[string][]byte{
		"user":       []byte(userLine),
		"assistant":  []byte(assistantLine),
		"toolResult": toolResultLine(8000),
	}
	for name, line := range lines {
		for _, texts := range []bool{false, true} {
			b.Run(name+map[bool]string{false: "", true: "+texts"}[texts], func(b *testing.B) {
				d := transcript.Decoder{Texts: texts}
				var ev memory.Event
				b.SetBytes(int64(len(line)))
				b.ReportAllocs()
				for b.Loop() {
					if err := d.Decode(line, &ev); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
