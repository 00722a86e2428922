package droid_test

import (
	"bytes"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/droid"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// FuzzLine feeds lines and commands in any order: the drafts keep the rules, and their texts are bounded by the input. A line
// that begins with "<" was sent by somebody else, one with "!" is a command of the session.
func FuzzLine(f *testing.F) {
	conformance.Seeds(f, "testdata/recordings/*.jsonl", 12<<10, "!interrupt\n!allow\n!answer\n!prompt\n!model\n!mode\n", nil)
	f.Fuzz(func(t *testing.T, text []byte) {
		tr := droid.Agent{}.Translator(adapters.Spec{SessionID: sessionID, NativeSessionID: "N", Resume: len(text)%2 == 0, Known: []string{"u1"}})
		var l conformance.Ledger
		said := 0
		say := func(call func(out *adapters.Output)) {
			var out adapters.Output
			call(&out)
			for _, d := range out.Drafts {
				if problem := l.Take(d); problem != "" {
					t.Fatalf("%s: %s", conformance.Describe(d), problem)
				}
				if c, ok := d.(adapters.EntryChanged); ok {
					if a, ok := c.Delta.(*protocol.TextAppend); ok {
						said += len(a.Text)
					}
				}
			}
		}
		say(tr.Start)
		for line := range conformance.FuzzedLines(text) {
			say(func(out *adapters.Output) { feed(tr, line, out) })
		}
		say(func(out *adapters.Output) { tr.Exit(adapters.Exit{}, out) })
		if said > 3*len(text) {
			t.Fatalf("%d bytes of text from %d bytes", said, len(text))
		}
	})
}

func feed(tr adapters.Translator, line []byte, out *adapters.Output) {
	commands := map[string]adapters.Command{
		"!interrupt": adapters.Interrupt{},
		"!allow":     adapters.Answer{Key: 1, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowAlways},
		"!answer":    adapters.Answer{Key: 1, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"x"}}},
		"!prompt":    adapters.Prompt{ID: "p1", Text: "x", Steer: true},
		"!model":     adapters.SetModel{ID: "s1", Model: "m"},
		"!mode":      adapters.SetMode{ID: "s2", Mode: "spec"},
	}
	switch cmd, ok := commands[string(line)]; {
	case ok:
		tr.Command(cmd, out)
	case bytes.HasPrefix(line, []byte("<")):
		tr.Sent(line[1:], out)
	default:
		tr.Line(line, out)
	}
}
