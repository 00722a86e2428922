package droid_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/droid"
)

// notified is a line of 0.225 as it is on the wire.
func notified(notification string) []byte {
	return []byte(`{"jsonrpc":"2.0","type":"notification","factoryApiVersion":"1.0.0","factoryProtocolVersion":"1.220.0",` +
		`"method":"droid.session_notification","params":{"sessionId":"b239249b-7bb2-4123-a244-4833e6675f09","notification":` + notification +
		`},"_meta":{"traceparent":"00-46db1f80bab6310734c78f3cd1187cf1-4ca472ab321daf20-01"}}`)
}

// BenchmarkDelta is one streamed delta, the line that nearly everything of a busy session is made of.
func BenchmarkDelta(b *testing.B) {
	delta := notified(`{"type":"assistant_text_delta","messageId":"a861ad6b-8663-4dfe-97ae-89806f1510b1","blockIndex":0,"textDelta":"I will look.\n"}`)
	retract := notified(`{"type":"assistant_message_retracted","messageId":"a861ad6b-8663-4dfe-97ae-89806f1510b1"}`)
	tr := droid.Agent{}.Translator(adapters.Spec{})
	var out adapters.Output
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if n%1000 == 0 { // a new message, before the limit of one text is reached
			tr.Line(retract, &out)
		}
		out.Drafts = out.Drafts[:0]
		tr.Line(delta, &out)
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkOutput is a command whose output is repeated whole with every new line. The cost of a byte on the wire must not grow
// with the output.
func BenchmarkOutput(b *testing.B) {
	for _, n := range []int{50, 200, 800} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			lines := outputLines(n)
			size := 0
			for _, l := range lines {
				size += len(l)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				tr := droid.Agent{}.Translator(adapters.Spec{})
				var out adapters.Output
				for _, l := range lines {
					out.Drafts = out.Drafts[:0]
					tr.Line(l, &out)
				}
			}
		})
	}
}

func outputLines(n int) [][]byte {
	lines := [][]byte{notified(`{"type":"tool_call","toolUse":{"id":"x1","name":"Execute","input":{"command":"make"}}}`)}
	for i := range n {
		full, _ := json.Marshal(strings.Repeat("cc -O2 -c main.c -o main.o\n", i+1))
		lines = append(lines, notified(`{"type":"tool_progress_update","toolUseId":"x1","toolName":"Execute","update":{"type":"status","text":"…","fullOutput":`+string(full)+`}}`))
	}
	return lines
}

// What goes into the log of a repeated output is the output once.
func TestRepeatedOutputIsLinear(t *testing.T) {
	c := standing(t, adapters.Spec{})
	for _, l := range outputLines(500) {
		c.line(string(l))
	}
	said := 0
	for _, d := range of[adapters.EntryChanged](c.said) {
		said += len(text(d))
	}
	if want := 500 * len("cc -O2 -c main.c -o main.o\n"); said != want {
		t.Errorf("%d bytes of output, want %d", said, want)
	}
}
