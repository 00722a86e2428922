package core

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// inBackground has an idle session with a command that outlives its turn, as entry 1.
func inBackground(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	ready(w)
	send(t, w, "serve it", "", "")
	w.say(adapters.TurnBegan{}, tool(1, protocol.ToolRunning), tool(2, protocol.ToolRunning), text(3))
	from := len(w.log)
	w.say(adapters.TurnEnded{Status: protocol.TurnCompleted, Running: []adapters.EntryKey{1, 3, 9}}) // 3 is no command, 9 nothing
	wantTypes(t, w, from, "entry_end", "entry_end", "turn_end", "status:idle")
	return w
}

// Proves: I3/background
func TestCommandOutlivesItsTurn(t *testing.T) {
	w := inBackground(t)
	from := len(w.log)
	w.say(adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: "listening\n"}})
	send(t, w, "thanks", "", "")
	w.say(adapters.TurnBegan{}, text(4), adapters.EntryClosed{Key: 4})
	w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted}) // the command is not named again
	w.say(adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: "bye\n"}})
	w.say(adapters.EntryClosed{Key: 1, Data: &protocol.ToolCallData{ToolName: "bash", CallID: "1", Status: protocol.ToolCompleted}})
	wantTypes(t, w, from, "entry_delta", "prompt_queued", "prompt_removed", "turn_start", "status:queued", "status:responding",
		"entry_start", "entry_end", "turn_end", "status:idle", "entry_delta", "entry_end")
	if end := w.log[len(w.log)-1].Payload.(*protocol.EntryEnd); end.TurnID != "t1" || end.Incomplete {
		t.Fatalf("%+v", end)
	}
}

// A turn that is refused, or that the agent ends itself, leaves the command running.
func TestCommandOutlivesARefusedPrompt(t *testing.T) {
	w := inBackground(t)
	send(t, w, "no", "", "")
	w.say(adapters.PromptAnswered{ID: "p2", Result: adapters.PromptRefused, Error: "no"})
	if len(w.core.entries.open) != 1 || w.core.status.State != protocol.StateIdle {
		t.Fatalf("%d entries, %s", len(w.core.entries.open), w.core.status.State)
	}
}

func TestCommandEndsWithTheAgent(t *testing.T) {
	for name, end := range map[string]func(w *world){
		"exit": func(w *world) { w.exit(adapters.Exit{Code: 1}) },
		"end":  func(w *world) { w.step(&End{}); w.exit(adapters.Exit{Requested: true}) },
		"daemon": func(w *world) {
			again := New("s1", testLimits())
			replayInto(again, w)
			w.core = again
			w.step(&Recover{Reason: "daemon restarted"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := inBackground(t)
			from := len(w.log)
			end(w)
			e, ok := w.log[from].Payload.(*protocol.EntryEnd)
			if !ok || !e.Incomplete || e.TurnID != "t1" || e.EntryID != "e1" {
				t.Fatalf("%v", w.types(from))
			}
			if err := w.audit.Settled(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func replayInto(s *State, w *world) {
	for i := range w.log {
		s.Replay(&w.log[i])
	}
}

// A lost actor's successor goes on with it, and it keeps the session from being put away.
func TestCommandInTheBackgroundIsKept(t *testing.T) {
	w := inBackground(t)
	w.replace(w.batch)
	p := &Park{}
	w.step(p)
	if a, err := answered(t, p.Ticket); err != nil || a.Parked {
		t.Fatalf("%+v, %v", a, err)
	}
	from := len(w.log)
	w.say(adapters.EntryClosed{Key: 1})
	wantTypes(t, w, from, "entry_end")
	w.step(p)
	if w.core.link.phase != linkStopping {
		t.Fatal("it is not put away")
	}
}
