package pi_test

import (
	"bytes"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// FuzzLine feeds lines and commands in any order: the drafts keep the rules. A line that begins with "<" was sent by
// somebody else, one with "!" is a command of the session.
func FuzzLine(f *testing.F) {
	conformance.Seeds(f, "testdata/recordings/*.jsonl", 4<<10, "!interrupt\n!answer\n!prompt\n", nil)
	f.Fuzz(func(t *testing.T, text []byte) {
		tr := pi.Agent{}.Translator(adapters.Spec{Resume: len(text)%2 == 0, Unbound: []adapters.Unbound{
			{ID: "e1", Type: protocol.EntryUserMessage, Text: "Hi"}, {ID: "e2", Type: protocol.EntryAssistantMessage, Text: "a"}, {ID: "e3", Type: protocol.EntryToolCall, CallID: "c1"},
		}})
		var l conformance.Ledger
		say := func(call func(out *adapters.Output)) {
			var out adapters.Output
			call(&out)
			for _, d := range out.Drafts {
				if problem := l.Take(d); problem != "" {
					t.Fatalf("%s: %s", conformance.Describe(d), problem)
				}
			}
		}
		say(tr.Start)
		for line := range conformance.FuzzedLines(text) {
			say(func(out *adapters.Output) {
				switch {
				case bytes.HasPrefix(line, []byte("<")):
					tr.Sent(line[1:], out)
				case string(line) == "!interrupt":
					tr.Command(adapters.Interrupt{}, out)
				case string(line) == "!answer":
					tr.Command(adapters.Answer{Key: 1, Outcome: "answered", Answers: [][]string{{"x"}}}, out)
				case string(line) == "!prompt":
					tr.Command(adapters.Prompt{ID: "1", Text: "x", Steer: true}, out)
				default:
					tr.Line(line, out)
				}
			})
		}
		say(func(out *adapters.Output) { tr.Exit(adapters.Exit{}, out) })
	})
}
