package core

import (
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestStragglers: whatever the adapter of an agent that was replaced still says, under whatever number, and what is said of its start
// changes nothing, and takes no number from the agent that runs.
// Proves: O1, C48, T12
func TestStragglers(t *testing.T) {
	begins := func(w *world) {
		w.attach()
		w.say(adapters.Ready{NativeSessionID: "native"})
		w.step(prompt("two", ""))
		w.say(adapters.TurnBegan{}, text(1))
	}
	for name, since := range map[string]func(w *world){
		"before the new agent runs": func(*world) {},
		"while it starts":           (*world).attach,
		"while it works":            begins,
		"when it is idle again":     func(w *world) { begins(w); w.say(adapters.TurnEnded{Status: protocol.TurnCompleted}) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ready(w)
			w.step(prompt("one", ""))
			w.say(adapters.TurnBegan{}, text(1))
			old, said := w.incarnation, w.batch
			w.exit(adapters.Exit{Code: -1, Signal: "killed"})
			since(w)
			from, status := len(w.log), w.core.status
			for _, in := range []Input{&AgentStarted{Incarnation: old}, &StartOverdue{Incarnation: old}} {
				if effects := w.step(in); len(effects) > 0 {
					t.Fatalf("%T has effects: %+v", in, effects)
				}
			}
			for number := uint64(1); number <= max(said, w.batch)+3; number++ {
				for _, b := range []Batch{
					{Drafts: []adapters.Draft{adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: "late"}}, adapters.EntryClosed{Key: 1}}},
					{Drafts: []adapters.Draft{adapters.TurnBegan{}, text(2)}},
					{Drafts: []adapters.Draft{adapters.TurnEnded{Status: protocol.TurnCompleted}}},
					{Exit: &adapters.Exit{}},
				} {
					b.Incarnation, b.Number = old, number
					if effects := w.step(&b); len(effects) > 0 {
						t.Fatalf("%+v has effects: %+v", b, effects)
					}
				}
			}
			if len(w.log) > from || w.core.status != status {
				t.Fatalf("%v: %s", w.types(from), w.text())
			}
			if w.running {
				w.say(adapters.TurnBegan{}, text(5), adapters.TurnEnded{Status: protocol.TurnCompleted})
				if !slices.Contains(w.types(from), "turn_end") {
					t.Fatalf("the agent that runs is not heard: %v", w.types(from))
				}
			}
		})
	}
}
