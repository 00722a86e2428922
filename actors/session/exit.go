package session

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// agentExited closes what was open and decides what comes next. Exit code, end of output and who asked for it came in one
// value, so there is no race to lose.
func (s *State) agentExited(x adapters.Exit) {
	ready, stop := s.link.wasReady, s.link.stop
	s.settings.agentGone(&s.writer)
	requested := x.Requested || s.link.phase == linkStopping
	s.link.phase, s.link.adapter, s.link.stop = linkNone, AdapterRef{}, stopNone
	busy := s.turn != nil
	told := busy || requested && stop != stopUnready // a turn that was lost says so itself
	why, hint := describe(x), stderrHint(x)
	if stop == stopUnready {
		why = fmt.Sprintf("it was not ready after %d s", startGrace/time.Second)
	}
	switch {
	case s.meta.SubAgent && !requested && x.Clean():
		s.closeAll(protocol.TurnInterrupted, protocol.CauseParent, "sub-agent ended", "")
	case requested && stop != stopStuck && stop != stopUnready:
		s.closeAll(protocol.TurnInterrupted, s.stopper(stop), "agent stopped", "")
	case s.link.interrupting:
		s.closeAll(protocol.TurnInterrupted, s.asker(), "agent ended by the interrupt: "+why, "")
	default:
		s.closeAll(s.limits.LostTurn, protocol.CauseLost, "agent exited: "+why, hint)
	}
	s.queue.agentGone(&s.writer)
	s.link.state, s.link.interrupting = "", false
	s.orphaned()
	switch {
	case stop == stopEnd:
		s.finish(protocol.EndTerminated, "", "")
	case stop == stopMissing:
		s.finish(protocol.EndError, "the agent does not have its session "+s.nativeID, "Name one that the agent has in this folder.")
	case stop == stopPark && (len(s.queue.waiting) == 0 || s.draining()):
		s.answerPark(true)
	case stop == stopPark: // a prompt came meanwhile
		s.answerPark(false)
		s.startAgent(0)
	case s.meta.SubAgent && !requested && x.Clean():
		s.finish(protocol.EndCompleted, "", "")
	case s.meta.SubAgent: // passive: only its parent's agent brings it back
	case !s.limits.Restartable:
	case x.Drained && stop == stopNone: // it is put away next, with what waits
	case x.Held:
		s.agentHeld(why)
	case requested && stop == stopNone && len(s.queue.waiting) == 0:
	case stop == stopNone && x.Clean() && ready && !busy && len(s.queue.waiting) == 0:
		s.finish(protocol.EndCompleted, "", "")
	default:
		s.restart(why, hint, ready, told)
	}
}

// stopper says for whose sake the agent was stopped.
func (s *State) stopper(stop stopCause) protocol.TurnCause {
	switch {
	case s.link.interrupting, stop == stopEnd:
		return s.asker()
	case s.meta.SubAgent && stop == stopNone: // with the connection that it has of its parent
		return protocol.CauseParent
	default:
		return protocol.CauseDaemon
	}
}

// asker says who wanted the turn to stop. A session that was rebuilt meanwhile does not know: mostly a client.
func (s *State) asker() protocol.TurnCause { return cmp.Or(s.link.because, protocol.CauseUser) }

// causeOf is what an end of a turn is put down to that somebody has asked for.
func causeOf(by string) protocol.TurnCause {
	switch by {
	case ByParent:
		return protocol.CauseParent
	case byDaemon:
		return protocol.CauseDaemon
	default:
		return protocol.CauseUser
	}
}

// restart starts the agent again where that makes sense: it can go on with its own session, it has worked before, and it
// has not failed too often without a completed turn between. told says that the log need not say why the agent has gone; where
// the session ends with it, its end does.
func (s *State) restart(why, hint string, ready, told bool) {
	s.link.failures++
	switch {
	case !s.limits.Resumable:
		s.finish(protocol.EndError, "agent exited: "+why, hint)
	case !ready && (s.nativeID == "" || s.begunBefore()): // without what it was made for it is nothing
		s.finish(protocol.EndError, "agent did not start: "+why, hint)
	case s.link.failures > s.limits.Restarts:
		s.finish(protocol.EndError, fmt.Sprintf("agent exited %d times without a completed turn, last: %s", s.link.failures, why), hint)
	default:
		if !told {
			s.agentLost(why, hint, ready)
		}
		if !ready && s.link.failures >= giveUpResuming && !s.link.anew {
			s.link.anew = true
			s.notice(s.turnID(), &protocol.SystemData{
				Level: "warning", Kind: "resume_failed",
				Text: "The agent does not start with its earlier session (" + why + "); it is started with a new one and does not know what was said before.",
			})
		}
		s.startAgent(backoff(s.link.failures))
	}
}

// agentLost says in the log that the agent has gone between two turns; of starts that fail in the same way one after the other, once.
func (s *State) agentLost(why, hint string, ready bool) {
	text := "agent exited: "
	if !ready {
		text = "agent did not start: "
	}
	if text += why; hint != "" {
		text += "\n" + hint
	}
	if text == s.link.unready {
		return
	}
	if !ready {
		s.link.unready = text
	}
	s.notice(s.turnID(), &protocol.SystemData{Level: "error", Kind: protocol.KindAgentLost, Text: text})
}

// agentHeld says that the agent is not started as things are. The session stays, and so does what waits: the next prompt tries again, and
// GoOn.
func (s *State) agentHeld(why string) {
	if text := "agent was not started: " + why; text != s.link.unready {
		s.link.unready = text
		s.notice(s.turnID(), &protocol.SystemData{Level: "error", Kind: protocol.KindAgentLost, Text: text})
	}
}

// goOn starts the agent for what waits.
func (s *State) goOn() {
	if s.end == nil && s.link.phase == linkNone && len(s.queue.waiting) > 0 && !s.meta.SubAgent {
		s.startAgent(0)
	}
}

// giveUpResuming is how often in a row an agent may fail to start with its own session, which may be lost (one that was
// killed before it had written anything), until it is started without.
const giveUpResuming = 3

// backoff doubles from half a second to half a minute. The supervisor adds the jitter.
func backoff(failures int) time.Duration {
	return min(30*time.Second, 500*time.Millisecond<<min(failures-1, 6))
}

func describe(x adapters.Exit) string {
	switch {
	case x.Error != "":
		return x.Error
	case x.Signal != "":
		return "signal " + x.Signal
	default:
		return fmt.Sprintf("exit status %d", x.Code)
	}
}

func stderrHint(x adapters.Exit) string {
	if len(x.Stderr) == 0 {
		return ""
	}
	return "standard error ended with: " + strings.Join(x.Stderr[max(0, len(x.Stderr)-5):], "\n")
}
