package session

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func change(t *testing.T, w *world, labels map[string]*string) error {
	t.Helper()
	c := &Change{Reply: ask.NewReply[Done](), Labels: labels}
	w.step(c)
	_, err := answer(t, c.Reply)
	return err
}

// TestLabelsAreMerged: two clients that each set a label of their own, from what both read before, lose neither.
func TestLabelsAreMerged(t *testing.T) {
	w := newWorld(t)
	ready(w)
	core, edge, empty := "core", "edge", ""
	for i, c := range []struct {
		patch map[string]*string
		want  map[string]string // of the event; nil: there is none
	}{
		{map[string]*string{"team": &core}, map[string]string{"team": "core"}},
		{map[string]*string{"tier": &edge}, map[string]string{"team": "core", "tier": "edge"}},
		{map[string]*string{"tier": &edge, "gone": nil}, nil},
		{map[string]*string{"tier": nil, "note": &empty}, map[string]string{"team": "core", "note": ""}},
		{map[string]*string{"team": nil, "note": nil}, map[string]string{}},
		{nil, nil},
	} {
		from := len(w.log)
		if err := change(t, w, c.patch); err != nil {
			t.Fatal(err)
		}
		if c.want == nil {
			wantTypes(t, w, from)
			continue
		}
		wantTypes(t, w, from, "session_meta")
		if m := w.log[from].Payload.(*protocol.SessionMeta); m.Labels == nil || !maps.Equal(m.Labels, c.want) {
			t.Fatalf("patch %d gives %v", i, m.Labels)
		}
	}
}

func TestTooManyLabels(t *testing.T) {
	w := newWorld(t)
	ready(w)
	value := "v"
	for i := range MaxLabels {
		if err := change(t, w, map[string]*string{fmt.Sprint(i): &value}); err != nil {
			t.Fatal(err)
		}
	}
	from := len(w.log)
	var problem *protocol.Problem
	if err := change(t, w, map[string]*string{"one more": &value}); !errors.As(err, &problem) || problem.Code != protocol.CodeInvalidRequest {
		t.Fatalf("%v", err)
	}
	wantTypes(t, w, from)
	if err := change(t, w, map[string]*string{"one more": &value, "0": nil}); err != nil {
		t.Fatal(err)
	}
}

// TestReasonOfAnEnd: what a client gives as the reason is in the log, before the end.
func TestReasonOfAnEnd(t *testing.T) {
	w := newWorld(t)
	from := len(w.log)
	w.step(&Begin{Agent: "pi"})
	w.step(&End{Reason: "done for today"})
	wantTypes(t, w, from, "session_start", "status:idle", "entry_start", "entry_end", "status:terminated", "session_end")
	if d := w.log[2].Payload.(*protocol.EntryStart).Data.(*protocol.SystemData); d.Kind != "end_asked" || d.Text != "done for today" {
		t.Fatalf("%+v", d)
	}
	w.step(&End{Reason: "again"})
	wantTypes(t, w, from+6)
}
