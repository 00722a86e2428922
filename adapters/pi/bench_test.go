package pi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
)

// BenchmarkDelta is one streamed delta, the line that nearly everything of a busy session is made of.
func BenchmarkDelta(b *testing.B) {
	line := []byte(`{"type":"message_update","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,` +
		`"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"I will look.\n"}}`)
	benchmark(b, line)
}

// BenchmarkRepeatedDelta is a delta of Pi 0.73, with a message of so many deltas behind it. The cost must not grow with it.
func BenchmarkRepeatedDelta(b *testing.B) {
	for _, n := range []int{100, 400, 1600} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			message := `{"role":"assistant","content":[{"type":"text","text":"` + strings.Repeat("I will look.", n) + `"}]}`
			benchmark(b, []byte(`{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"I will look.",`+
				`"partial":`+message+`},"message":`+message+`}`))
		})
	}
}

func benchmark(b *testing.B, line []byte) {
	start := []byte(`{"type":"message_start","message":{"role":"assistant"}}`)
	tr := pi.Agent{}.Translator(adapters.Spec{})
	var out adapters.Output
	b.ReportAllocs()
	b.ReportMetric(0, "lines/s")
	n := 0
	for b.Loop() {
		if n%1000 == 0 { // a new message, before the limit of one text is reached
			tr.Line(start, &out)
		}
		out.Drafts = out.Drafts[:0]
		tr.Line(line, &out)
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
}
