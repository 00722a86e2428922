package protocol_test

import (
	"bytes"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestFrameForgets: a frame forgets what is over and counts it. What names a turn that is forgotten brings none back, and a copy goes its own way.
func TestFrameForgets(t *testing.T) {
	var f protocol.Frame
	seq := uint64(0)
	apply := func(list ...protocol.Payload) {
		for _, p := range list {
			seq++
			f.Apply(&protocol.Event{Seq: seq, Time: int64(seq), Payload: p})
		}
	}
	entry := func(turn, id string) (protocol.Payload, protocol.Payload) {
		d := &protocol.SystemData{Text: "x"}
		return &protocol.EntryStart{TurnID: turn, EntryID: id, EntryType: protocol.EntrySystem, Data: d},
			&protocol.EntryEnd{TurnID: turn, EntryID: id, EntryType: protocol.EntrySystem, Data: d}
	}
	start, end := entry("t1", "e1")
	late, lateEnd := entry("t1", "e2")
	apply(
		&protocol.TurnStart{TurnID: "t1"}, start, end, &protocol.RequestOpened{RequestID: "r1"}, &protocol.RequestResolved{RequestID: "r1"},
		&protocol.TurnEnd{TurnID: "t1"}, &protocol.TurnStart{TurnID: "t2"}, &protocol.RequestOpened{RequestID: "r2"}, late,
		&protocol.EntryDelta{EntryID: "e2", Delta: &protocol.TextAppend{Text: "more"}},
	)
	if got, want := f.Told, (protocol.Told{Turns: 2, Entries: 2, Requests: 2}); got != want || f.State.Seq != seq {
		t.Errorf("%+v at %d", got, f.State.Seq)
	}
	if s := &f.State; len(s.Turns) != 1 || s.Turns[0].TurnID != "t2" || len(s.Entries) != 1 || len(s.Requests) != 1 || s.Turn("t1") != nil || s.Request("r1") != nil {
		t.Errorf("%s", s.AppendJSON(nil))
	}
	before := f.State.AppendJSON(nil)
	c := f.Clone()
	if got := c.State.AppendJSON(nil); !bytes.Equal(got, before) {
		t.Errorf("the copy is\n%s\nof\n%s", got, before)
	}
	apply(
		lateEnd, &protocol.EntryMeta{EntryID: "e2", PersistentID: "p"}, &protocol.TokenUsage{TurnID: "t2", Usage: protocol.Usage{TotalTokens: 3}, Cost: &protocol.Cost{Total: 1}},
		&protocol.RequestResolved{RequestID: "r2"}, &protocol.TurnEnd{TurnID: "t2"},
	)
	if got := c.State.AppendJSON(nil); !bytes.Equal(got, before) {
		t.Errorf("the copy has become\n%s", got)
	}
	if s := &f.State; len(s.Turns) != 1 || len(s.Entries) != 0 || len(s.Requests) != 0 || f.Told.Turns != 2 {
		t.Errorf("%+v %s", f.Told, s.AppendJSON(nil))
	}
}

// TestCostStaysANumber adds costs that no number holds together: the sum stays as it was.
func TestCostStaysANumber(t *testing.T) {
	var s protocol.SessionState
	for seq := range uint64(3) {
		s.Apply(&protocol.Event{Seq: seq + 1, Payload: &protocol.TokenUsage{Cost: &protocol.Cost{Input: 1e308, Output: 1, Total: 1e308}}})
	}
	if c := s.Usage.Cost; c.Input != 1e308 || c.Output != 3 || c.Total != 1e308 {
		t.Errorf("%+v", c)
	}
}
