package core

import (
	"cmp"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// link is the connection to the agent, as far as it is known.
type link struct {
	incarnation uint32 // of the newest adapter; 0: none yet
	phase       linkPhase
	stop        stopCause
	wasReady    bool // also while it is being ended
	rejoined    bool // batches that made no events may be missing before the next one
	anew        bool // the agent's own session is given up: it is not resumed
	adapter     Adapter
	batch       uint64 // number of the newest batch taken

	interrupting bool           // the running turn was told to stop
	parked       bool           // answered: the actor is about to be stopped, and takes nothing more
	state        protocol.State // responding, retrying, compacting: what the agent says it does; empty: nothing
	retryAt      int64
	because      protocol.TurnCause // why the turn, or the agent, was told to stop
	failures     int                // exits since the last completed turn
	unready      string             // what was said last of a start that failed; empty: it was ready since
	ends         []*End
	parks        []*Park
	dropped      uint64   // drafts that fit nothing
	waived       []string // keys of notices that are wanted no more, and have not come

	silence silence
}

type linkPhase uint8

const (
	linkNone     linkPhase = iota // no agent runs
	linkStarting                  // asked for, not ready
	linkReady
	linkStopping // asked to end
)

// stopCause says why the agent was asked to end.
type stopCause uint8

const (
	stopNone    stopCause = iota
	stopEnd               // the session ends
	stopPark              // the session stays, passive
	stopStuck             // it did not heed an interrupt
	stopUnready           // it did not get ready
	stopMissing           // it does not have its session that a client named
)

// begin makes it that of the next incarnation, which is asked for.
func (l *link) begin() {
	l.incarnation++
	l.phase, l.wasReady, l.adapter, l.batch = linkStarting, false, nil, 0
	l.state, l.interrupting, l.stop, l.rejoined = "", false, stopNone, false
}

// ready notes that the agent takes prompts, and says whether it is the first time of this incarnation.
func (l *link) ready() (first bool) {
	if first = l.phase == linkStarting; first {
		l.phase, l.wasReady, l.anew, l.unready = linkReady, true, false, ""
	}
	return first
}

// gone notes that no agent runs any more.
func (l *link) gone() { l.phase, l.adapter, l.stop = linkNone, nil, stopNone }

// starting says that an agent is on its way; one that is ended because it does not get ready is until it is gone.
func (l *link) starting() bool {
	return l.phase == linkStarting || l.phase == linkStopping && l.stop == stopUnready
}

// unconnected says that a session is a sub-agent that nobody here can start.
func (l *link) unconnected(of *about) bool { return of.meta.SubAgent && l.phase == linkNone }

// begunBefore says that a client named the session of the agent's that a session is to go on with, and that the agent was not heard of yet.
func (l *link) begunBefore(of *about) bool { return of.named && l.incarnation == 1 }

// rests says that nothing of a turn, or of what belongs to none, is at work.
func (l *link) rests() { l.state, l.interrupting = "", false }

// phaseChanged takes what the agent says it does; of an unknown word it says so.
func (l *link) phaseChanged(d adapters.PhaseChanged, now int64, inTurn bool) {
	switch d.State {
	case protocol.StateRetrying:
		l.state, l.retryAt = d.State, now+d.RetryAt
	case protocol.StateCompacting:
		l.state = d.State
	case protocol.StateResponding: // back at work; that a turn is at work at all is told by its first work event
		if l.state != "" {
			l.state = d.State
		}
		if !inTurn {
			l.state = ""
		}
	case protocol.StateIdle:
		l.state = ""
	default:
		l.dropped++
	}
}

// asker is the cause that an interrupted turn is put down to. A session that was rebuilt meanwhile does not know it: mostly it was a client.
func (l *link) asker() protocol.TurnCause { return cmp.Or(l.because, protocol.CauseUser) }

// stopper says for whose sake the agent was stopped.
func (l *link) stopper(stop stopCause, subAgent bool) protocol.TurnCause {
	switch {
	case l.interrupting, stop == stopEnd:
		return l.asker()
	case subAgent && stop == stopNone: // with the connection that it has of its parent
		return protocol.CauseParent
	default:
		return protocol.CauseDaemon
	}
}

// tell passes a command on to the agent.
func (l *link) tell(w *writer, c adapters.Command) { w.tell(l.adapter, c) }

// hasten says that somebody waits for the agent, where one was asked for.
func (l *link) hasten(w *writer) {
	if l.phase == linkStarting {
		w.do(HastenStart{})
	}
}

// interrupt tells the agent to stop a turn, once.
func (l *link) interrupt(w *writer, q *queue, turnID string, because protocol.TurnCause) {
	if l.interrupting || l.phase == linkNone {
		return
	}
	l.interrupting, l.because = true, because
	q.takeBackSteers(w)
	l.tell(w, adapters.Interrupt{})
	w.do(WatchInterrupt{TurnID: turnID})
}

// tellAnswer passes an answer on, where the agent that asked still runs.
func (l *link) tellAnswer(w *writer, requestID string, a adapters.Answer) {
	incarnation, key, ok := protocol.ParseRequestID(requestID)
	if ok && incarnation == l.incarnation {
		a.Key = adapters.RequestKey(key)
		l.tell(w, a)
	}
}

// lost says in the log, in a turn or in none, that the agent has gone; of starts that fail in the same way one after the other, once.
func (l *link) lost(w *writer, turnID, why, hint string, ready bool) {
	text := "agent exited: "
	if !ready {
		text = "agent did not start: "
	}
	if text += why; hint != "" {
		text += "\n" + hint
	}
	if text == l.unready {
		return
	}
	if !ready {
		l.unready = text
	}
	w.notice(turnID, &protocol.SystemData{Level: "error", Kind: protocol.KindAgentLost, Text: text})
}

// held says that the agent is not started as things are. The session stays, and so does what waits: the next prompt tries again, and
// GoOn.
func (l *link) held(w *writer, turnID, why string) {
	if text := "agent was not started: " + why; text != l.unready {
		l.unready = text
		w.notice(turnID, &protocol.SystemData{Level: "error", Kind: protocol.KindAgentLost, Text: text})
	}
}

// draining says that the daemon's own end waits for this session.
func (l *link) draining() bool {
	return slices.ContainsFunc(l.parks, func(p *Park) bool { return p.Drain })
}

// answerParks tells those that wanted the session passive.
func (l *link) answerParks(w *writer, parked bool) {
	l.parked = parked && len(l.parks) > 0
	for _, p := range l.parks {
		answer(w, p.Ticket, Parked{Parked: parked})
	}
	l.parks = nil
}

// answerEnds tells those that wanted the session to end.
func (l *link) answerEnds(w *writer) {
	for _, e := range l.ends {
		answer(w, e.Ticket, Done{})
	}
	l.ends = nil
}

// entry names an entry of the running agent.
func (l *link) entry(k adapters.EntryKey) entryOf { return entryOf{l.incarnation, k} }

// bound writes how the agent's own log names an entry: of this incarnation by its key, of an earlier one by its id.
func (l *link) bound(w *writer, made *ids, d adapters.EntryBound) {
	id := d.ID
	if d.Key != 0 {
		id = l.entry(d.Key).id()
	}
	incarnation, key, ok := protocol.ParseEntryID(id)
	if last, _ := made.last(l.incarnation); !ok || (incarnation == l.incarnation) != (d.Key != 0) || incarnation > l.incarnation ||
		d.Key != 0 && key > last {
		l.dropped++
		return
	}
	w.emit(&protocol.EntryMeta{EntryID: id, PersistentID: d.PersistentID})
}
