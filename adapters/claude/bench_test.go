package claude_test

import (
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
)

// event is a line of the stream as the program writes it.
func event(body string) []byte {
	return fmt.Appendf(nil, `{"type":"stream_event","event":%s,"session_id":"b1266c04-b04c-4b76-9ec9-3866cffcf718",`+
		`"parent_tool_use_id":null,"uuid":"c8b2d78a-ef6c-4cdf-90c7-65cf8d263302","api_message_id":"msg_1"}`, body)
}

var (
	textLine = event(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I will look at the code.\n"}}`)
	jsonLine = event(`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"command\":\"go test"}}`)
)

// BenchmarkDelta is one streamed delta through splitter and translator, the line that nearly everything of a busy session is
// made of.
func BenchmarkDelta(b *testing.B) {
	benchmark(b, textLine, `{"type":"text","text":""}`)
}

// BenchmarkArguments is a delta of a tool's arguments.
func BenchmarkArguments(b *testing.B) {
	benchmark(b, jsonLine, `{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}`)
}

func benchmark(b *testing.B, line []byte, block string) {
	split := claude.Agent{}.Splitter(adapters.Spec{})
	var s adapters.Split
	var out adapters.Output
	split.Start(&s)
	split.Join(adapters.Spec{}, &s)
	tr := claude.Agent{}.Translator(adapters.Spec{})
	feed := func(line []byte) {
		s.Parts, out.Drafts = s.Parts[:0], out.Drafts[:0]
		split.Line(line, &s)
		for _, p := range s.Parts {
			tr.Line(p.Line, &out)
		}
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if n%1000 == 0 { // a new message, before the limit of one text is reached
			feed(event(`{"type":"message_start","message":{"id":"msg_1"}}`))
			feed(event(`{"type":"content_block_start","index":0,"content_block":` + block + `}`))
		}
		feed(line)
		if len(out.Drafts) == 0 {
			b.Fatal("no draft for a delta")
		}
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
}
