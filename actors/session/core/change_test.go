package core

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func change(t *testing.T, w *world, labels map[string]*string) error {
	t.Helper()
	c := &Change{Labels: labels}
	w.step(c)
	_, err := answered(t, c.Ticket)
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

// TestGivenTitleStays: what the agent calls its session counts only where nobody gave a title, and as long as nobody does; also in a session
// that is rebuilt from its log.
func TestGivenTitleStays(t *testing.T) {
	type step struct {
		who, title, want string
		events           int
	}
	for _, c := range []struct {
		name  string
		meta  protocol.Metadata
		steps []step
	}{
		{"none given", protocol.Metadata{}, []step{{"agent", "a", "a", 1}, {"agent", "b", "b", 1}, {"agent", "b", "b", 0}}},
		{"at creation", protocol.Metadata{Title: "g"}, []step{{"agent", "a", "g", 0}, {"client", "g", "g", 0}, {"agent", "b", "g", 0}}},
		{"by a lead", protocol.Metadata{Title: "g", ParentSessionID: "p", Spawned: true}, []step{{"agent", "a", "g", 0}}},
		{"a sub-agent's", protocol.Metadata{Title: "g", ParentSessionID: "p", SubAgent: true}, []step{{"agent", "a", "a", 1}, {"client", "c", "c", 1}, {"agent", "b", "c", 0}}},
		{"later", protocol.Metadata{}, []step{{"agent", "a", "a", 1}, {"client", "c", "c", 1}, {"agent", "b", "c", 0}, {"client", "d", "d", 1}, {"agent", "b", "d", 0}}},
		{"the agent's own", protocol.Metadata{}, []step{{"agent", "a", "a", 1}, {"client", "a", "a", 1}, {"agent", "b", "a", 0}}},
		{"given back", protocol.Metadata{Title: "g"}, []step{{"client", "", "", 1}, {"agent", "a", "a", 1}, {"agent", "b", "b", 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.step(&Begin{Agent: "pi", Metadata: c.meta, Start: true})
			w.attach()
			w.say(adapters.Ready{})
			for i, s := range c.steps {
				before := len(w.log)
				if s.who == "agent" {
					w.say(adapters.MetaChanged{Meta: protocol.SessionMeta{Title: &s.title, TitleGiven: true}})
				} else {
					in := &Change{Title: &s.title}
					w.step(in)
					if _, err := answered(t, in.Ticket); err != nil {
						t.Fatal(err)
					}
				}
				if got, events := w.core.meta.Title, len(w.log)-before; got != s.want || events != s.events {
					t.Errorf("step %d: the title is %q after %d events, want %q after %d", i, got, events, s.want, s.events)
				}
				again := New("s1", testLimits())
				for i := range w.log {
					again.Replay(&w.log[i])
				}
				if again.meta.Title != s.want || again.titled != w.core.titled {
					t.Errorf("step %d: rebuilt, the title is %q, given %t, and was %q, %t", i, again.meta.Title, again.titled, s.want, w.core.titled)
				}
			}
		})
	}
}
