package codex_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// seeds are the beginnings of all recordings and rollout files, with commands behind them.
func seeds(f *testing.F) {
	conformance.Seeds(f, "testdata/r*/*.jsonl", 6<<10,
		"!steer\n!answer\n!deny\n!interrupt\n!prompt\n!model\n!mode\n!leave\n!join\n"+lostLine+"\n!prompt\n!answer\n"+openLine+"\n!interrupt\n!steer\n", nil)
}

// commands are what a line with "!" asks for.
var commands = map[string]adapters.Command{
	"!prompt":    adapters.Prompt{ID: "1", Text: "x", Images: []adapters.Image{{Ref: "r", MediaType: "image/png", Data: []byte("x")}}},
	"!steer":     adapters.Prompt{ID: "2", Text: "x", Steer: true},
	"!interrupt": adapters.Interrupt{},
	"!answer":    adapters.Answer{Key: 1, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"x"}}},
	"!deny":      adapters.Answer{Key: 1, Outcome: protocol.OutcomeDenied},
	"!model":     adapters.SetModel{ID: "3", Model: "m"},
	"!mode":      adapters.SetMode{ID: "4", Mode: "plan"},
}

// output checks what one call said, and that it is bounded by what the calls so far were given.
func output(t *testing.T, l *conformance.Ledger, out *adapters.Output, given int) {
	t.Helper()
	size := 0
	for _, d := range out.Drafts {
		if problem := l.Take(d); problem != "" {
			t.Fatalf("%s: %s", conformance.Describe(d), problem)
		}
		size += len(conformance.Describe(d))
	}
	if size > 64<<10+64*given {
		t.Fatalf("%d bytes of drafts of %d bytes", size, given)
	}
	for _, line := range out.Lines {
		if bytes.ContainsAny(line, "\r\n") {
			t.Fatalf("a line with a line break: %q", line)
		}
	}
}

// FuzzTranslator feeds lines and commands in any order: the drafts keep the rules.
func FuzzTranslator(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		spec := adapters.Spec{Resume: len(text)%2 == 0, NativeSessionID: "x", Child: len(text)%7 == 0}
		if i := strings.Index(string(text), `"threadId":"`); i >= 0 && len(text) > i+60 {
			spec.NativeSessionID = strings.Split(string(text[i+12:i+60]), `"`)[0]
		}
		if len(text)%3 == 0 {
			spec.Known = []string{"msg_fake_0002"}
		}
		tr := codex.Agent{}.Translator(spec)
		l := conformance.Ledger{Interleaves: true}
		given := 0
		say := func(call func(out *adapters.Output)) {
			var out adapters.Output
			call(&out)
			output(t, &l, &out, given)
		}
		say(tr.Start)
		for line := range conformance.FuzzedLines(text) {
			given += len(line)
			say(func(out *adapters.Output) {
				switch {
				case bytes.HasPrefix(line, []byte("<")):
					tr.Sent(line[1:], out)
				case commands[string(line)] != nil:
					tr.Command(commands[string(line)], out)
				default:
					tr.Line(line, out)
				}
			})
		}
		say(func(out *adapters.Output) { tr.Exit(adapters.Exit{}, out) })
	})
}

// FuzzSplitter feeds lines to a connection with two sessions: parts are for lanes that are there, and their translators keep
// the rules.
func FuzzSplitter(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		c := newWire(t)
		c.do(func(out *adapters.Split) { c.s.Start(out) })
		first := c.join(adapters.Spec{Cwd: "/w"})
		for line := range conformance.FuzzedLines(text) {
			c.given += len(line)
			switch {
			case bytes.HasPrefix(line, []byte("<")):
				c.do(func(out *adapters.Split) { c.s.Sent(line[1:], out) })
			case string(line) == "!leave":
				c.do(func(out *adapters.Split) { c.s.Leave(first, out) })
			case string(line) == "!join":
				first = c.join(adapters.Spec{Resume: true, NativeSessionID: "x"})
			case commands[string(line)] != nil:
				for lane := range c.newest + 1 {
					c.command(lane, commands[string(line)])
				}
			default:
				c.do(func(out *adapters.Split) { c.s.Line(line, out) })
			}
		}
	})
}
