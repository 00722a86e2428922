package claude_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
)

// FuzzLine feeds lines and commands in any order through the splitter: the lanes are those that were given, and the drafts of
// each keep the rules. A line that begins with "<" was sent by somebody else, one with "!" is a command to the session,
// one with "?" the same to its newest sub-agent.
func FuzzLine(f *testing.F) {
	conformance.Seeds(f, "testdata/*/*.jsonl", 12<<10, "!prompt\n!interrupt\n!allow\n!answer\n!model\n?interrupt\n?deny\n!leave", func(line []byte) bool {
		return len(line) < 2<<10
	})
	f.Fuzz(func(t *testing.T, text []byte) {
		d := newDrive(t, len(text)%2 == 0)
		for line := range conformance.FuzzedLines(text) {
			d.input(line)
		}
		for lane := range d.lanes {
			d.call(lane, func(tr adapters.Translator, out *adapters.Output) { tr.Exit(adapters.Exit{}, out) })
		}
	})
}

// drive is a splitter with its lanes.
type drive struct {
	t       testing.TB
	split   adapters.Splitter
	lanes   map[adapters.Lane]adapters.Translator
	ledgers map[adapters.Lane]*conformance.Ledger
	over    map[adapters.Lane]bool
	newest  adapters.Lane
}

func newDrive(t testing.TB, resume bool) *drive {
	d := &drive{
		t: t, split: claude.Agent{}.Splitter(adapters.Spec{}), lanes: map[adapters.Lane]adapters.Translator{},
		ledgers: map[adapters.Lane]*conformance.Ledger{}, over: map[adapters.Lane]bool{},
	}
	var s adapters.Split
	d.split.Start(&s)
	spec := adapters.Spec{SessionID: "s", Resume: resume, MaxText: 500}
	d.begin(d.split.Join(spec, &s), spec)
	d.take(&s)
	return d
}

func (d *drive) begin(lane adapters.Lane, spec adapters.Spec) {
	if lane != d.newest+1 {
		d.t.Fatalf("lane %d after %d", lane, d.newest)
	}
	d.newest = lane
	d.lanes[lane] = claude.Agent{}.Translator(spec)
	d.ledgers[lane] = new(conformance.Ledger)
	d.call(lane, adapters.Translator.Start)
}

func (d *drive) take(s *adapters.Split) {
	for _, p := range s.Parts {
		switch {
		case p.Born != nil:
			if d.lanes[p.Born.Parent] == nil || d.over[p.Born.Parent] || p.Born.NativeID == "" {
				d.t.Fatalf("lane %d is born of nobody: %+v", p.Lane, *p.Born)
			}
			d.begin(p.Lane, adapters.Spec{SessionID: "c", NativeSessionID: p.Born.NativeID, Child: true, MaxText: 500})
		case d.lanes[p.Lane] == nil || d.over[p.Lane]:
			d.t.Fatalf("lane %d is not there: %+v", p.Lane, p)
		case p.Over:
			d.over[p.Lane] = true
			d.call(p.Lane, func(tr adapters.Translator, out *adapters.Output) { tr.Exit(adapters.Exit{}, out) })
			delete(d.lanes, p.Lane)
		case p.Sent:
			d.call(p.Lane, func(tr adapters.Translator, out *adapters.Output) { tr.Sent(p.Line, out) })
		default:
			d.call(p.Lane, func(tr adapters.Translator, out *adapters.Output) { tr.Line(p.Line, out) })
		}
	}
}

func (d *drive) call(lane adapters.Lane, call func(tr adapters.Translator, out *adapters.Output)) {
	tr := d.lanes[lane]
	if tr == nil {
		return
	}
	var out adapters.Output
	call(tr, &out)
	for _, draft := range out.Drafts {
		if problem := d.ledgers[lane].Take(draft); problem != "" {
			d.t.Fatalf("lane %d: %s: %s", lane, conformance.Describe(draft), problem)
		}
	}
	for _, line := range out.Lines {
		var s adapters.Split
		d.split.Say(lane, line, &s)
		d.take(&s)
	}
}

func (d *drive) input(line []byte) {
	var s adapters.Split
	lane, mark := adapters.Lane(1), byte(0)
	if len(line) > 0 {
		mark = line[0]
	}
	switch mark {
	case '<':
		d.split.Sent(line[1:], &s)
	case '?', '!':
		if mark == '?' {
			lane = d.newest
		}
		if string(line[1:]) == "leave" {
			if d.lanes[lane] != nil && lane > 1 {
				d.split.Leave(lane, &s)
				delete(d.lanes, lane)
				d.over[lane] = true
			}
			break
		}
		if cmd := command(string(line[1:])); cmd != nil {
			d.call(lane, func(tr adapters.Translator, out *adapters.Output) { tr.Command(cmd, out) })
		}
	default:
		d.split.Line(line, &s)
	}
	d.take(&s)
}

func command(word string) adapters.Command {
	switch word {
	case "prompt":
		return adapters.Prompt{ID: "1", Text: "x", Steer: true}
	case "interrupt":
		return adapters.Interrupt{}
	case "allow":
		return adapters.Answer{Key: 1, Outcome: "allowed", Option: "allow_always"}
	case "deny":
		return adapters.Answer{Key: 1, Outcome: "denied", Option: "deny_stop"}
	case "answer":
		return adapters.Answer{Key: 2, Outcome: "answered", Answers: [][]string{{"x"}}}
	case "model":
		return adapters.SetModel{ID: "m", Model: "x"}
	case "mode":
		return adapters.SetMode{ID: "o", Mode: "x"}
	}
	return nil
}
