package core

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// writer is where the parts of a state say what they have decided: events, which are numbered, dated and applied at once, and effects.
type writer struct {
	created int64 // Unix ms of the first event
	time    int64 // of the newest event
	seq     uint64

	now  int64 // Unix ms of the step
	up   int64 // ms that have passed, however the clock was set meanwhile
	out  []protocol.Event
	todo []Effect

	of interface{ apply(e *protocol.Event) } // what was emitted
}

// emit makes an event of a payload and applies it.
func (w *writer) emit(p protocol.Payload) {
	w.seq++
	w.time = max(w.time, w.now)
	if w.seq == 1 {
		w.created = w.time
	}
	w.out = append(w.out, protocol.Event{Seq: w.seq, Time: w.time, Payload: p})
	w.of.apply(&w.out[len(w.out)-1])
}

// do adds an effect.
func (w *writer) do(e Effect) { w.todo = append(w.todo, e) }

// tell adds a command to an agent.
func (w *writer) tell(agent Adapter, c adapters.Command) { w.do(Tell{To: agent, Command: c}) }

// answer adds the answer to a question.
func answer[T Value](w *writer, to Ticket[T], v T) { w.do(Answer{Ticket: uint64(to), Value: v}) }

// refuse adds the answer to a question that is refused.
func refuse[T Value](w *writer, to Ticket[T], err error) { w.do(Answer{Ticket: uint64(to), Err: err}) }

// notice adds a system entry of the daemon or the agent, in a turn or in none. Its id is unique: it names the seq of the entry's start.
func (w *writer) notice(turnID string, d *protocol.SystemData) {
	id := protocol.DaemonEntryID(w.seq + 1)
	w.emit(&protocol.EntryStart{TurnID: turnID, EntryID: id, EntryType: protocol.EntrySystem, Data: d})
	w.emit(&protocol.EntryEnd{TurnID: turnID, EntryID: id, EntryType: protocol.EntrySystem, Data: d})
}
