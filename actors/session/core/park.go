package core

import (
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// stopAgent asks the agent to end; with none running the consequence comes at once.
func (s *life) stopAgent(cause stopCause) {
	if s.link.stop != stopEnd {
		s.link.stop = cause
	}
	switch s.link.phase {
	case linkNone:
		s.link.stop = stopNone
		if cause == stopEnd {
			s.closeAll(protocol.TurnInterrupted, s.link.asker(), "session ended", "")
			s.finish(protocol.EndTerminated, "", "")
		} else {
			s.link.answerParks(&s.writer, true)
		}
	case linkStarting, linkReady:
		if s.link.phase = linkStopping; s.link.adapter == nil {
			s.do(CancelStart{Incarnation: s.link.incarnation}) // agentStarted stops it, should it come all the same
			return
		}
		s.do(StopAgent{To: s.link.adapter, Grace: s.limits.Grace()})
	case linkStopping:
	}
}

// park makes the session passive. A session at work refuses, unless the daemon itself ends; so does one with a command in the
// background, and a sub-agent that is connected.
func (s *life) park(in *Park) {
	if !in.Drain && s.atWork() {
		answer(&s.writer, in.Ticket, Parked{})
		return
	}
	s.link.parks = append(s.link.parks, in)
	s.stopAgent(stopPark)
}

func (s *life) atWork() bool {
	return s.turn != nil || len(s.queue.waiting) > 0 || len(s.requests.open) > 0 || len(s.entries.open) > 0 ||
		s.link.phase == linkStarting || s.link.phase == linkStopping ||
		(s.link.phase == linkReady && (!s.limits.Resumable || s.meta.SubAgent)) || s.status.State.Busy()
}
