package codex_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
)

const benchThread = "01a1f74a-8405-76b1-8a8a-3693c07b98fc"

func deltaLine(method, item, delta string) []byte {
	return fmt.Appendf(nil, `{"method":"item/%s","params":{"threadId":%q,"turnId":"01a1f74a-8414-7da2-8ce1-a6670ed5694b","itemId":%q,"delta":%s},"emittedAtMs":1795150218346}`,
		method, benchThread, item, delta)
}

func itemLine(event, typ, item, rest string) []byte {
	return fmt.Appendf(nil, `{"method":"item/%s","params":{"item":{"type":%q,"id":%q%s},"threadId":%q,"turnId":"01a1f74a-8414-7da2-8ce1-a6670ed5694b"},"emittedAtMs":1}`,
		event, typ, item, rest, benchThread)
}

// BenchmarkDelta is one streamed delta through the splitter and the translator, the line that nearly everything of a busy
// server is made of.
func BenchmarkDelta(b *testing.B) {
	b.Run("text", func(b *testing.B) { benchmark(b, "agentMessage", "agentMessage/delta", `"I will look."`) })
	b.Run("escaped", func(b *testing.B) { benchmark(b, "agentMessage", "agentMessage/delta", `"I will\nlook."`) })
	b.Run("output", func(b *testing.B) {
		benchmark(b, "commandExecution", "commandExecution/outputDelta", `"tick 2\n"`)
	})
}

func benchmark(b *testing.B, typ, method, delta string) {
	spec := adapters.Spec{NativeSessionID: benchThread, Resume: true}
	s, tr := codex.Agent{}.Splitter(spec), codex.Agent{}.Translator(adapters.Spec{NativeSessionID: benchThread, Child: true})
	var split adapters.Split
	var out adapters.Output
	s.Start(&split)
	for range 8 {
		s.Join(adapters.Spec{NativeSessionID: "other", Resume: true}, &split)
	}
	s.Join(spec, &split)
	tr.Start(&out)
	feed := func(line []byte) {
		split.Parts, split.Lines = split.Parts[:0], split.Lines[:0]
		out.Drafts, out.Lines = out.Drafts[:0], out.Lines[:0]
		s.Line(line, &split)
		for _, p := range split.Parts {
			tr.Line(p.Line, &out)
		}
	}
	const each = 1000 // deltas of an item, before the limit of one text is reached
	b.ReportAllocs()
	n := 0
	var line, end []byte
	for b.Loop() {
		if n%each == 0 {
			feed(end)
			id := fmt.Sprintf("msg_%d", n)
			feed(itemLine("started", typ, id, `,"text":"","status":"inProgress"`))
			line, end = deltaLine(method, id, delta), itemLine("completed", typ, id, `,"text":"","status":"completed"`)
		}
		feed(line)
		if len(out.Drafts) != 1 {
			b.Fatalf("%d drafts", len(out.Drafts))
		}
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkLongOutput is a command that says a lot: deltas beyond the limit, and all of it again at the end. The cost per byte
// must not grow with the output.
func BenchmarkLongOutput(b *testing.B) {
	for _, size := range []int{87 << 10, 349 << 10, 1396 << 10} {
		b.Run(fmt.Sprintf("%dkB", size>>10), func(b *testing.B) {
			line := strings.Repeat("x", 99) + `\n`
			delta := deltaLine("commandExecution/outputDelta", "call_1", `"`+line+`"`)
			all := strings.Repeat(line, size/100)
			start := itemLine("started", "commandExecution", "call_1", `,"status":"inProgress","source":"unifiedExecStartup"`)
			end := itemLine("completed", "commandExecution", "call_1", `,"status":"completed","exitCode":0,"aggregatedOutput":"`+all+`"`)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				tr := codex.Agent{}.Translator(adapters.Spec{NativeSessionID: benchThread, Child: true})
				var out adapters.Output
				tr.Start(&out)
				tr.Line(start, &out)
				for range size / 100 {
					out.Drafts = out.Drafts[:0]
					tr.Line(delta, &out)
				}
				tr.Line(end, &out)
			}
		})
	}
}
