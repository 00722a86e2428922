package opencode

import (
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A turn rests when no message of it lacks its end, and is otherwise asked about, once, and not for ever.
func TestTurnRests(t *testing.T) {
	var out adapters.Output
	one := turn{phase: protocol.StateIdle}
	if over, settle := one.rests(); over || settle {
		t.Error("a turn that is not on is over")
	}
	one.begin(nil, &out)
	one.open["msg_1"] = true
	for i, want := range [][2]bool{{false, true}, {false, false}, {true, false}} {
		if over, settle := one.rests(); [2]bool{over, settle} != want {
			t.Errorf("idle for the %d. time: over %t, settle %t", i+1, over, settle)
		}
	}
	if one.closed("msg_2") || !one.closed("msg_1") {
		t.Error("it ends with another message than its own")
	}
}

func TestTurnEndsAs(t *testing.T) {
	for _, c := range []struct {
		name string
		turn turn
		want adapters.TurnEnded
	}{
		{"with an answer", turn{finish: "stop", denied: true}, adapters.TurnEnded{Status: protocol.TurnCompleted}},
		{"by an abort, whatever failed then", turn{aborted: true, problem: "x"}, adapters.TurnEnded{Status: protocol.TurnInterrupted}},
		{"by a failure", turn{problem: "x"}, adapters.TurnEnded{Status: protocol.TurnError, Error: "x"}},
		{"lost", turn{guess: true, open: map[string]bool{"m": true}}, adapters.TurnEnded{
			Status: protocol.TurnInterrupted, Error: "the agent broke off within a message", Lost: true,
		}},
		{"by a refusal", turn{finish: "tool-calls", denied: true}, adapters.TurnEnded{
			Status: protocol.TurnInterrupted, Error: "a request was refused, which stops the agent",
		}},
		{"after its calls", turn{finish: "tool-calls"}, adapters.TurnEnded{
			Status: protocol.TurnInterrupted, Error: "the agent stopped after its tool calls",
		}},
	} {
		one := c.turn
		one.on = true
		if end, ok := one.end(); !ok || end.Status != c.want.Status || end.Error != c.want.Error || end.Lost != c.want.Lost {
			t.Errorf("%s: %+v", c.name, end)
		}
		if _, again := one.end(); again || one.ended != c.turn.problem {
			t.Errorf("%s: behind its end: %+v", c.name, one)
		}
	}
}

// Prompts of the same text are known again in the order of sending; what was accepted and is no message is refused.
func TestPromptsAreKnownByText(t *testing.T) {
	var p prompts
	for _, id := range []string{"1", "2", "3"} {
		p.send(adapters.Prompt{ID: id, Text: "again"}, "/x", nil, "")
	}
	u := waiting{text: "again"}
	if p.match(&u); u.command != "1" {
		t.Errorf("the first is %q", u.command)
	}
	p.waiting[0].accepted = true
	if !p.lost(true) {
		t.Error("an accepted prompt that is no message is not lost")
	}
	var out adapters.Output
	p.refuseLost(&httpline.Answer{Status: 200}, &out)
	refused, ok := out.Drafts[0].(adapters.PromptAnswered)
	if len(out.Drafts) != 1 || !ok || refused.ID != "2" || refused.Result != adapters.PromptRefused || len(p.waiting) != 1 {
		t.Errorf("refused %v, and %v wait", out.Drafts, p.waiting)
	}
}

// What events say of the status before the newest message of a snapshot is about the turn before it.
func TestReleaseDropsOldNews(t *testing.T) {
	h := history{user: "msg_2"}
	for _, line := range []string{
		`{"type":"session.status","properties":{"status":{"type":"idle"}}}`, `{"type":"session.updated"}`,
		`{"type":"message.updated","properties":{"info":{"id":"msg_2"}}}`, `{"type":"session.status","properties":{"status":{"type":"busy"}}}`,
	} {
		e, _ := readEvent([]byte(line))
		if h.hold(e, []byte(line)) {
			t.Fatal("four lines are too many")
		}
	}
	var kinds []string
	for _, line := range h.release() {
		e, _ := readEvent(line)
		kinds = append(kinds, e.kind)
	}
	if !slices.Equal(kinds, []string{"session.updated", "message.updated", "session.status"}) || h.status != "busy" || len(h.release()) != 0 {
		t.Errorf("released %v, status %s", kinds, h.status)
	}
}

func TestHoldIsBounded(t *testing.T) {
	var h history
	line := []byte(`{"type":"x","y":"` + strings.Repeat("y", 1<<20) + `"}`)
	for i := range 20 {
		if h.hold(event{kind: "x"}, line) {
			if i != 15 {
				t.Errorf("full with %d MiB", i+1)
			}
			return
		}
	}
	t.Error("never full")
}

// A call that gets no answer at all is made three times; one of a recording never.
func TestCallsAreMadeAgain(t *testing.T) {
	c := calls{pending: map[uint64]call{}, folder: "/w x"}
	var out adapters.Output
	lost := func(n uint64) *httpline.Answer { return &httpline.Answer{N: n, Error: "EOF"} }
	c.ask(call{method: "GET", path: "/a", query: "b=1"}, &out)
	for n := uint64(1); ; n++ {
		one, ok := c.take(lost(n))
		if _, twice := c.take(lost(n)); !ok || twice {
			t.Fatalf("call %d: %t, once more %t", n, ok, twice)
		}
		if !c.again(lost(n), one, &out) {
			break
		}
	}
	if len(out.Lines) != 3 || !strings.Contains(string(out.Lines[2]), `"n":3,"after":500,"method":"GET","path":"/a?directory=%2Fw+x\u0026b=1"`) {
		t.Errorf("made %s", out.Lines)
	}
	c.heard(9, call{})
	if one, _ := c.take(lost(9)); c.again(lost(9), one, &out) {
		t.Error("a call of somebody else's is made")
	}
}

// Events of a session that is not known wait up to a bound, and what is beyond it is not forgotten.
func TestEarlyEventsAreBounded(t *testing.T) {
	e := earlyEvents{lines: map[string][][]byte{}, spilled: map[string]bool{}}
	half := make([]byte, maxEarlySize/2)
	for _, session := range []string{"b", "a", "a", "c"} {
		e.keep(session, half)
	}
	if got := e.sessions(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("events of %v", got)
	}
	if n := len(e.take("a")); n != 1 || len(e.take("a")) != 0 {
		t.Errorf("%d events of a", n)
	}
	if !e.misses("a") || e.misses("a") || e.misses("b") || !e.misses("c") {
		t.Error("missing are others than the second of a and the one of c")
	}
}
