package opencode_test

import (
	"bytes"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
)

// FuzzLines feeds lines and commands in any order to a splitter and its translators: the drafts keep the rules. A line that
// begins with "<" was sent by somebody else, one with "!" is a command of the session that joined.
func FuzzLines(f *testing.F) {
	conformance.Seeds(f, "testdata/recordings/*.jsonl", 12<<10, "!interrupt\n!answer\n!prompt\n!leave\n", func(line []byte) bool {
		return len(line) < 1500 && !bytes.Contains(line, []byte(`"plugin.added"`))
	})
	f.Add([]byte("!prompt\n" + `{"http":"answer","n":1,"status":200,"body":{"id":"ses_1"}}` + "\n!prompt\n" + `{"http":"stream","state":"lost"}` + "\n" +
		`{"http":"stream","state":"open"}` + "\n" + `{"http":"answer","n":5,"status":200,"body":{"ses_1":{"type":"busy"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		spec := adapters.Spec{Cwd: "/w", Resume: len(text)%3 == 0}
		if spec.Resume {
			spec.NativeSessionID, spec.Known = "ses_1", []string{"prt_1"}
		}
		b := &bench{tb: t, splitter: opencode.Agent{}.Splitter(spec), lanes: map[adapters.Lane]*actor{}}
		own := b.join(spec)
		for line := range conformance.FuzzedLines(text) {
			switch {
			case bytes.HasPrefix(line, []byte("<")):
				b.do(func(s *adapters.Split) { b.splitter.Sent(line[1:], s) })
			case string(line) == "!interrupt":
				own.command(adapters.Interrupt{})
			case string(line) == "!answer":
				own.command(adapters.Answer{Key: 1, Outcome: "answered", Answers: [][]string{{"x"}}})
			case string(line) == "!prompt":
				own.command(adapters.Prompt{ID: "1", Text: "x", Steer: true})
			case string(line) == "!leave":
				b.do(func(s *adapters.Split) { b.splitter.Leave(own.lane, s) })
				delete(b.lanes, own.lane)
			default:
				b.do(func(s *adapters.Split) { b.splitter.Line(line, s) })
			}
		}
		for _, a := range b.all {
			a.tell(func(out *adapters.Output) { a.tr.Exit(adapters.Exit{}, out) })
		}
	})
}

// bench is a splitter with the translators of its lanes, without an agent.
type bench struct {
	tb       testing.TB
	splitter adapters.Splitter
	lanes    map[adapters.Lane]*actor
	all      []*actor
	written  [][]byte // to the agent
}

// actor is one session of a bench.
type actor struct {
	bench  *bench
	lane   adapters.Lane
	parent adapters.Lane
	native string
	tr     adapters.Translator
	ledger conformance.Ledger
	said   []adapters.Draft
	over   bool
}

func (b *bench) join(spec adapters.Spec) *actor {
	b.tb.Helper()
	var split adapters.Split
	a := &actor{bench: b, lane: b.splitter.Join(spec, &split), tr: opencode.Agent{}.Translator(spec), native: spec.NativeSessionID}
	b.lanes[a.lane] = a
	b.all = append(b.all, a)
	b.pass(&split)
	a.tell(a.tr.Start)
	return a
}

func (b *bench) do(call func(*adapters.Split)) {
	b.tb.Helper()
	var split adapters.Split
	call(&split)
	b.pass(&split)
}

func (b *bench) line(line string) {
	b.tb.Helper()
	b.do(func(s *adapters.Split) { b.splitter.Line([]byte(line), s) })
}

func (b *bench) pass(split *adapters.Split) {
	b.tb.Helper()
	b.written = append(b.written, split.Lines...)
	for _, p := range split.Parts {
		a := b.lanes[p.Lane]
		switch {
		case p.Born != nil:
			if a != nil {
				b.tb.Fatalf("lane %d is born twice", p.Lane)
			}
			a = &actor{bench: b, lane: p.Lane, parent: p.Born.Parent, native: p.Born.NativeID}
			a.tr = opencode.Agent{}.Translator(adapters.Spec{NativeSessionID: a.native, Child: a.parent != 0})
			b.lanes[p.Lane] = a
			b.all = append(b.all, a)
			a.tell(a.tr.Start)
		case a == nil || a.over:
			if a != nil {
				b.tb.Fatalf("a part for lane %d, which is over", p.Lane)
			}
		case p.Over:
			a.over = true
		case p.Sent:
			a.tell(func(out *adapters.Output) { a.tr.Sent(p.Line, out) })
		default:
			a.tell(func(out *adapters.Output) { a.tr.Line(p.Line, out) })
		}
	}
}

func (a *actor) tell(call func(*adapters.Output)) {
	a.bench.tb.Helper()
	var out adapters.Output
	call(&out)
	for _, d := range out.Drafts {
		if problem := a.ledger.Take(d); problem != "" {
			a.bench.tb.Fatalf("%s: %s", conformance.Describe(d), problem)
		}
	}
	a.said = append(a.said, out.Drafts...)
	for _, line := range out.Lines {
		a.bench.do(func(s *adapters.Split) { a.bench.splitter.Say(a.lane, line, s) })
	}
}

func (a *actor) command(c adapters.Command) {
	a.bench.tb.Helper()
	a.tell(func(out *adapters.Output) { a.tr.Command(c, out) })
}
