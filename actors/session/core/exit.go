package core

import (
	"fmt"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// agentExited closes what was open and decides what comes next. Exit code, end of output and whether it was asked for came in one
// value, so there is no race to lose.
func (s *life) agentExited(x adapters.Exit) {
	ready, stop := s.link.wasReady, s.link.stop
	s.settings.agentGone(&s.writer)
	requested := x.Requested || s.link.phase == linkStopping
	s.link.gone()
	busy := s.turn != nil
	told := busy || requested && stop != stopUnready // a turn that was lost says so itself
	why, hint := describe(x), stderrHint(x)
	if stop == stopUnready {
		why = fmt.Sprintf("it was not ready after %d s", StartGrace/time.Second)
	}
	switch {
	case s.meta.SubAgent && !requested && x.Clean():
		s.closeAll(protocol.TurnInterrupted, protocol.CauseParent, "sub-agent ended", "")
	case requested && stop != stopStuck && stop != stopUnready:
		s.closeAll(protocol.TurnInterrupted, s.link.stopper(stop, s.meta.SubAgent), "agent stopped", "")
	case s.link.interrupting:
		s.closeAll(protocol.TurnInterrupted, s.link.asker(), "agent ended by the interrupt: "+why, "")
	default:
		s.closeAll(s.limits.lostTurn(), protocol.CauseLost, "agent exited: "+why, hint)
	}
	s.queue.agentGone(&s.writer)
	s.link.rests()
	s.orphaned()
	switch {
	case stop == stopEnd:
		s.finish(protocol.EndTerminated, "", "")
	case stop == stopMissing:
		s.finish(protocol.EndError, "the agent does not have its session "+s.nativeID, "Name one that the agent has in this folder.")
	case stop == stopPark && (len(s.queue.waiting) == 0 || s.held() || s.link.draining()):
		s.link.answerParks(&s.writer, true)
	case stop == stopPark: // a prompt came meanwhile
		s.link.answerParks(&s.writer, false)
		s.startAgent(StartAgent{})
	case s.meta.SubAgent && !requested && x.Clean():
		s.finish(protocol.EndCompleted, "", "")
	case s.meta.SubAgent: // passive: only its parent's agent brings it back
	case !s.limits.Restartable:
	case x.Drained && stop == stopNone: // it is put away next, with what waits
	case x.Held:
		s.link.held(&s.writer, s.turn.ID(), why)
	case requested && stop == stopNone && len(s.queue.waiting) == 0:
	case stop == stopNone && x.Clean() && ready && !busy && len(s.queue.waiting) == 0:
		s.finish(protocol.EndCompleted, "", "")
	default:
		s.restart(why, hint, ready, told)
	}
}

// restart starts the agent again where that makes sense: it can go on with its own session, it has worked before, and it
// has not failed too often without a completed turn between. told says that the log need not say why the agent has gone; where
// the session ends with it, its end does.
func (s *life) restart(why, hint string, ready, told bool) {
	s.link.failures++
	switch {
	case !s.limits.Resumable:
		s.finish(protocol.EndError, "agent exited: "+why, hint)
	case !ready && (s.nativeID == "" || s.link.begunBefore(&s.about)): // it was made to go on with that session of the agent's
		s.finish(protocol.EndError, "agent did not start: "+why, hint)
	case s.link.failures > s.limits.Restarts:
		s.finish(protocol.EndError, fmt.Sprintf("agent exited %d times without a completed turn, last: %s", s.link.failures, why), hint)
	default:
		if !told {
			s.link.lost(&s.writer, s.turn.ID(), why, hint, ready)
		}
		if !ready && s.link.failures >= giveUpResuming && !s.link.anew {
			s.link.anew = true
			s.notice(s.turn.ID(), &protocol.SystemData{
				Level: "warning", Kind: "resume_failed",
				Text: "The agent does not start with its earlier session (" + why + "); it is started with a new one and does not know what was said before.",
			})
		}
		s.startAgent(StartAgent{Delay: backoff(s.link.failures)})
	}
}

// goOn starts the agent for what waits, or even where nothing does.
func (s *life) goOn(even bool) {
	if (even || len(s.queue.waiting) > 0) && s.end == nil && s.link.phase == linkNone && !s.meta.SubAgent {
		s.startAgent(StartAgent{Unasked: true})
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
