package core

import (
	"bytes"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// frames folds a log as clients do, to hold the frame of the state against it.
type frames struct{ whole protocol.SessionState }

// step has the frame of the state that lives, and that of one that was restored, be what of the fold is not over.
func (w *frames) step(t interface{ Fatalf(string, ...any) }, live, restored *State, events []protocol.Event) {
	for i := range events {
		e, err := protocol.Decode(protocol.Append(nil, &events[i]))
		if err != nil {
			t.Fatalf("%v", err)
		}
		w.whole.Apply(&e)
	}
	var want protocol.SessionState // a fold changes what it holds
	if err := want.UnmarshalJSON(w.whole.AppendJSON(nil)); err != nil {
		t.Fatalf("%v", err)
	}
	told := protocol.Told{Turns: len(want.Turns), Entries: len(want.Entries), Requests: len(want.Requests)}
	want.Entries = slices.DeleteFunc(want.Entries, func(x *protocol.EntryState) bool { return !x.Open })
	want.Requests = slices.DeleteFunc(want.Requests, func(r *protocol.RequestState) bool { return r.Resolved != nil })
	if n := len(want.Turns); n > 0 {
		newest := want.Turns[n-1]
		want.Turns = slices.DeleteFunc(want.Turns, func(x *protocol.TurnState) bool { return x.EndSeq > 0 && x != newest })
	}
	for _, x := range want.Turns {
		x.Entries = slices.DeleteFunc(x.Entries, func(id string) bool { return !want.Entry(id).Open })
	}
	for _, s := range []*State{live, restored} {
		got := FrameOf(s)
		if a, b := want.AppendJSON(nil), got.State.AppendJSON(nil); !bytes.Equal(a, b) || got.Told != told {
			t.Fatalf("%+v of the fold is not over\n%s\nand the frame says %+v\n%s", told, a, got.Told, b)
		}
	}
}
