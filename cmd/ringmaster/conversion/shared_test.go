package conversion_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/conversion"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// flock is a parrot with many sessions on one connection: lines are "NAME text". "NAME +" begins a session, "NAME +CHILD" a
// sub-agent, "NAME ." ends one; "NAME ?" asks for an approval and "NAME !" has it allowed.
type flock struct{ parrot }

func (flock) Connection(adapters.Spec) string { return "flock" }

func (flock) Splitter(adapters.Spec) adapters.Splitter {
	return &flockSplitter{lanes: map[string]adapters.Lane{}}
}

func (f flock) Translator(s adapters.Spec) adapters.Translator {
	f.parrot.Translator(s)
	return &flockTranslator{spec: s}
}

type flockTranslator struct {
	parrotTranslator
	spec    adapters.Spec
	request adapters.RequestKey
}

func (t *flockTranslator) Start(out *adapters.Output) {
	out.Draft(adapters.Ready{NativeSessionID: t.spec.NativeSessionID})
}

func (t *flockTranslator) Line(line []byte, out *adapters.Output) {
	switch text := string(line); {
	case strings.HasPrefix(text, "+"):
		out.Draft(adapters.ChildBegan{NativeID: text[1:], Title: "the " + text[1:]})
	case text == "?":
		t.request++
		out.Draft(adapters.RequestOpened{Key: t.request, Request: protocol.RequestOpened{
			Kind: protocol.RequestApproval, Title: "May I?", Options: []protocol.Option{{ID: protocol.AllowOnce}},
		}})
	case text == "!":
		out.Draft(adapters.RequestClosed{Key: t.request, Outcome: protocol.OutcomeAllowed})
	default:
		t.parrotTranslator.Line(line, out)
	}
}

type flockSplitter struct {
	newest adapters.Lane
	lanes  map[string]adapters.Lane
}

func (s *flockSplitter) Line(line []byte, out *adapters.Split) {
	name, text, _ := strings.Cut(strings.Trim(string(line), `"`), " ")
	lane := s.lanes[name]
	switch {
	case text == "+", strings.HasPrefix(text, "+"):
		birth := adapters.Birth{NativeID: name}
		if child := text[1:]; child != "" {
			birth, name = adapters.Birth{Parent: lane, NativeID: child}, child
			defer out.To(lane, []byte(text))
		}
		s.newest++
		s.lanes[name] = s.newest
		out.Born(s.newest, birth)
	case text == ".":
		out.Over(lane)
	case lane != 0:
		out.To(lane, []byte(text))
	}
}

func (s *flockSplitter) Sent(line []byte, out *adapters.Split) {
	name, text, _ := strings.Cut(string(line), " ")
	out.Parts = append(out.Parts, adapters.Part{Lane: s.lanes[name], Line: []byte(text), Sent: true})
}

func (*flockSplitter) Start(*adapters.Split)                             {}
func (*flockSplitter) Join(adapters.Spec, *adapters.Split) adapters.Lane { panic("nobody joins") }
func (*flockSplitter) Say(adapters.Lane, []byte, *adapters.Split)        { panic("nobody speaks") }
func (*flockSplitter) Leave(adapters.Lane, *adapters.Split)              { panic("nobody leaves") }

func convertFlock(t *testing.T, lines ...string) [][]protocol.Event {
	t.Helper()
	var in, out bytes.Buffer
	for i, l := range lines {
		dir, text := "out", l
		if sent, ok := strings.CutPrefix(l, "> "); ok {
			dir, text = "in", sent
		}
		in.WriteString(record(i+1, "", dir, text))
	}
	var specs []adapters.Spec
	stats, err := conversion.Convert(&out, &in, conversion.Options{Agent: flock{parrot{&specs}}, Start: time.UnixMilli(1000)})
	all := logs(t, out.Bytes())
	if err != nil || stats.Sessions != len(all) {
		t.Fatalf("%v, %d sessions counted, %d logs", err, stats.Sessions, len(all))
	}
	return all
}

// TestSharedConnection: the sessions of a connection come out each as a log.
func TestSharedConnection(t *testing.T) {
	all := convertFlock(t, "a +", "b +", "> a go", "> b go", "a one", "b two", "a three", "a over", "b over")
	if len(all) != 2 || texts(all[0]) != "one three" || texts(all[1]) != "two" {
		t.Fatalf("%d logs", len(all))
	}
}

func begun(t *testing.T, log []protocol.Event) *protocol.SessionStart {
	t.Helper()
	s, ok := log[0].Payload.(*protocol.SessionStart)
	if !ok {
		t.Fatalf("the first event is %T", log[0].Payload)
	}
	return s
}

// TestSubAgents: a sub-agent's log has the id that its parent's names, ends when it is done, and goes on when it is taken up
// again; what it asks is asked in its root's log as well.
func TestSubAgents(t *testing.T) {
	all := convertFlock(t, "a +", "> a go", "a +kid", "> kid go", "kid one", "kid +grandkid", "> grandkid go", "grandkid ?", "grandkid !",
		"grandkid two", "kid over", "kid .", "grandkid ?", "a three", "a +kid", "> kid again", "kid four", "kid over", "kid .", "a over")
	if len(all) != 3 {
		t.Fatalf("%d logs", len(all))
	}
	a, kid, grandkid := begun(t, all[0]), begun(t, all[1]), begun(t, all[2])
	if !kid.Metadata.SubAgent || kid.Metadata.ParentSessionID != a.SessionID || kid.SessionID != core.ChildID(a.SessionID, "kid") ||
		grandkid.Metadata.ParentSessionID != kid.SessionID || a.Metadata.SubAgent {
		t.Errorf("sessions %+v, %+v, %+v", a, kid, grandkid)
	}
	if texts(all[0]) != "three" || texts(all[1]) != "one four" || texts(all[2]) != "two" {
		t.Errorf("texts %q, %q, %q", texts(all[0]), texts(all[1]), texts(all[2]))
	}
	var ends []protocol.EndReason
	title := ""
	for _, e := range all[1] {
		switch p := e.Payload.(type) {
		case *protocol.SessionEnd:
			ends = append(ends, p.Reason)
		case *protocol.SessionMeta:
			if p.Title != nil {
				title = *p.Title
			}
		}
	}
	if len(ends) != 2 || ends[0] != protocol.EndCompleted || ends[1] != protocol.EndCompleted || title != "the kid" {
		t.Errorf("ends %q, title %q", ends, title)
	}
	told, asked := "", ""
	for _, e := range all[0] {
		switch p := e.Payload.(type) {
		case *protocol.ChildSession:
			told += p.ChildSessionID + " "
		case *protocol.RequestOpened:
			asked += "?" + p.SessionID
		case *protocol.RequestResolved:
			asked += "!" + string(p.Outcome)
		}
	}
	if told != kid.SessionID+" " || asked != "?"+grandkid.SessionID+"!allowed?"+grandkid.SessionID+"!cancelled" {
		t.Errorf("children %q, requests %q", told, asked)
	}
}

// TestCutFamilies: wherever the recording breaks off, every log is well formed.
func TestCutFamilies(t *testing.T) {
	lines := []string{"a +", "> a go", "a +kid", "> kid go", "kid unfinished", "kid ?", "a one", "kid .", "b +", "a +kid", "kid two", "a over"}
	for n := range lines {
		convertFlock(t, lines[:n+1]...)
	}
}
