package session

import (
	"fmt"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	interruptGrace = 10 * time.Second
	stopGrace      = 5 * time.Second
)

func (s *State) begin(in *Begin) {
	s.emit(&protocol.SessionStart{SessionID: s.id, AgentBackend: in.Agent, Metadata: in.Metadata})
	if in.Start {
		s.startAgent(0)
	}
}

// recover closes what an earlier daemon left open. Nothing that was shown is taken back: the log goes on.
func (s *State) recover(in *Recover) {
	if in.Epoch > s.epoch {
		s.emit(&protocol.Epoch{Epoch: in.Epoch, Reason: in.Reason})
	}
	s.link.incarnation = s.ids.incarnation
	if s.end != nil {
		return
	}
	if !s.status.State.Ended() {
		s.closeAll(protocol.TurnInterrupted, in.Reason, "")
	}
	for i := range s.queue {
		s.queue[i].Sent = false
	}
	s.dropNative()
	if s.status.State.Ended() { // killed between the status and the session_end
		s.finish(endOf(s.status.State), in.Reason, "")
		return
	}
	if in.Resume {
		s.startAgent(0)
	}
}

// rejoin takes up the running agent where the journal leaves off. What the lost actor knew beyond the log is read from the
// status; the prompt of a turn is told again, since the adapter passes each prompt on once.
func (s *State) rejoin(in *Rejoin) {
	s.link.incarnation, s.link.adapter, s.link.batch = in.Incarnation, in.Adapter, in.Batch
	s.link.phase = linkReady
	switch s.status.State {
	case protocol.StateStarting:
		s.link.phase = linkStarting
	case protocol.StateInterrupting:
		s.link.interrupting = true
		s.tell(adapters.Interrupt{})
	case protocol.StateResponding, protocol.StateRetrying, protocol.StateCompacting:
		s.link.state = s.status.State
	default:
		if s.turn != nil && s.status.State != protocol.StateQueued {
			s.link.state = protocol.StateResponding
		}
	}
	if s.turn == nil {
		return
	}
	s.turn.began = s.status.State != protocol.StateQueued
	if p := s.turn.prompt; p != nil && !s.turn.began {
		s.tell(adapters.Prompt{ID: p.PromptID, Text: p.Text, Images: imageRefs(p.Images)})
	}
}

func endOf(st protocol.State) protocol.EndReason {
	switch st {
	case protocol.StateCompleted:
		return protocol.EndCompleted
	case protocol.StateFailed:
		return protocol.EndError
	default:
		return protocol.EndTerminated
	}
}

// startAgent asks for the next incarnation. Whether it resumes is a fact of the log: the agent has a session of its own.
func (s *State) startAgent(delay time.Duration) {
	if !s.limits.Restartable {
		return
	}
	s.link.incarnation++
	s.link.phase, s.link.adapter, s.link.batch, s.link.began = linkStarting, AdapterRef{}, 0, 0
	s.link.state, s.link.interrupting, s.link.stop, s.link.last = "", false, stopNone, nil
	spec := adapters.Spec{SessionID: s.id, NativeSessionID: s.nativeID, Cwd: s.meta.Cwd}
	if spec.Resume = s.limits.Resumable && s.nativeID != ""; !spec.Resume {
		spec.Model = s.meta.Model // a session that is resumed knows its own model
	}
	s.do(StartAgent{Incarnation: s.link.incarnation, Delay: delay, Spec: spec})
}

func (s *State) agentStarted(in *AgentStarted) {
	if in.Incarnation != s.link.incarnation {
		return // replaced meanwhile; whoever replaced it has stopped it
	}
	s.link.adapter = in.Adapter
	if s.link.phase == linkNone { // a recording, or this actor is new and the adapter is not
		s.link.phase = linkStarting
	}
	if s.link.phase == linkStopping {
		s.do(ToAdapter{s.link.adapter, &StopAgent{Grace: stopGrace}})
	}
}

func (s *State) ready(d adapters.Ready) {
	if s.link.phase == linkStarting {
		s.link.phase = linkReady
	}
	var m protocol.SessionMeta
	note := func(to **string, old, now string) {
		if now != "" && now != old {
			*to = &now
		}
	}
	note(&m.NativeSessionID, s.nativeID, d.NativeSessionID)
	note(&m.AgentVersion, s.version, d.Version)
	note(&m.Model, s.meta.Model, d.Model)
	note(&m.Mode, s.mode, d.Mode)
	if m.NativeSessionID != nil || m.AgentVersion != nil || m.Model != nil || m.Mode != nil {
		s.emit(&m)
		s.do(Announce{})
	}
	s.dispatch() // before anybody sees an idle session with prompts waiting
}

func (s *State) metaChanged(m protocol.SessionMeta) {
	same := func(p **string, old string) {
		if *p != nil && **p == old {
			*p = nil
		}
	}
	same(&m.Title, s.meta.Title)
	same(&m.Model, s.meta.Model)
	same(&m.Mode, s.mode)
	same(&m.NativeSessionID, s.nativeID)
	same(&m.AgentVersion, s.version)
	if m.Title == nil && m.Model == nil && m.Mode == nil && m.NativeSessionID == nil && m.AgentVersion == nil &&
		m.Labels == nil && m.Capabilities == nil {
		return
	}
	s.emit(&m)
	s.do(Announce{})
}

func (s *State) change(in *Change) {
	s.metaChanged(protocol.SessionMeta{Title: in.Title, Labels: in.Labels})
	s.do(Answer{func() { in.Send(Done{}) }})
}

// agentExited closes what was open and decides what comes next. Exit code, end of output and who asked for it came in one
// value, so there is no race to lose.
func (s *State) agentExited(x adapters.Exit) {
	ready, stop := s.link.phase == linkReady, s.link.stop
	requested := x.Requested || s.link.phase == linkStopping
	s.link.phase, s.link.adapter, s.link.stop = linkNone, AdapterRef{}, stopNone
	busy := s.turn != nil
	why, hint := describe(x), stderrHint(x)
	switch {
	case requested && stop != stopStuck:
		s.closeAll(protocol.TurnInterrupted, "agent stopped", "")
	case s.link.interrupting:
		s.closeAll(protocol.TurnInterrupted, "agent ended by the interrupt: "+why, "")
	default:
		s.closeAll(protocol.TurnError, "agent exited: "+why, hint)
	}
	s.dropNative()
	for i := range s.queue {
		s.queue[i].Sent, s.queue[i].native = false, false
	}
	s.link.state, s.link.interrupting = "", false
	switch {
	case stop == stopEnd:
		s.finish(protocol.EndTerminated, "", "")
	case stop == stopPark:
		s.answerPark(true)
	case !s.limits.Restartable:
	case requested && stop == stopNone:
	case stop == stopNone && x.Clean() && ready && !busy && len(s.queue) == 0:
		s.finish(protocol.EndCompleted, "", "")
	default:
		s.restart(why, hint, ready)
	}
}

// restart starts the agent again where that makes sense: it can go on with its own session, it has worked before, and it
// has not failed too often without a completed turn between.
func (s *State) restart(why, hint string, ready bool) {
	s.link.failures++
	switch {
	case !s.limits.Resumable:
		s.finish(protocol.EndError, "agent exited: "+why, hint)
	case !ready && s.nativeID == "":
		s.finish(protocol.EndError, "agent did not start: "+why, hint)
	case s.link.failures > s.limits.Restarts:
		s.finish(protocol.EndError, fmt.Sprintf("agent exited %d times without a completed turn, last: %s", s.link.failures, why), hint)
	default:
		s.startAgent(backoff(s.link.failures))
	}
}

// backoff doubles from half a second to half a minute. The supervisor adds the jitter.
func backoff(failures int) time.Duration {
	return min(30*time.Second, 500*time.Millisecond<<min(failures-1, 6))
}

// closeAll ends entries, requests and the turn.
func (s *State) closeAll(status protocol.TurnStatus, reason, hint string) {
	s.closeEntries(reason)
	s.cancelRequests("daemon")
	if s.turn != nil {
		end := &protocol.TurnEnd{TurnID: s.turn.id, Status: status, Hint: hint}
		if status != protocol.TurnCompleted {
			end.Error = reason
		}
		s.emit(end)
	}
	s.link.state = ""
}

// finish ends the incarnation of the session: the status first, then session_end, and nothing after it.
func (s *State) finish(reason protocol.EndReason, problem, hint string) {
	if s.end != nil {
		return
	}
	for len(s.queue) > 0 {
		s.emit(&protocol.PromptRemoved{PromptID: s.queue[0].ID, Reason: protocol.RemovedCancelled, Error: "session ended"})
	}
	state := protocol.StateTerminated
	switch reason {
	case protocol.EndCompleted:
		state = protocol.StateCompleted
	case protocol.EndError:
		state = protocol.StateFailed
	case protocol.EndTerminated:
	}
	if s.status.State != state {
		s.emit(&protocol.Status{State: state, AgentStatus: state.AgentStatus()})
	}
	s.emit(&protocol.SessionEnd{Reason: reason, Error: problem, Hint: hint})
	s.do(Announce{})
	s.do(Over{})
	for _, reply := range s.link.endReply {
		s.do(Answer{func() { reply(nil) }})
	}
	s.link.endReply = nil
	s.answerPark(true)
}

func (s *State) endSession(in *End) {
	done := func(err error) { in.Done(Done{}, err) }
	if s.end != nil {
		s.do(Answer{func() { done(nil) }})
		return
	}
	s.link.endReply = append(s.link.endReply, done)
	s.stopAgent(stopEnd)
}

// stopAgent asks the agent to end; with none running the consequence comes at once.
func (s *State) stopAgent(cause stopCause) {
	if s.link.stop != stopEnd {
		s.link.stop = cause
	}
	switch s.link.phase {
	case linkNone:
		s.link.stop = stopNone
		if cause == stopEnd {
			s.closeAll(protocol.TurnInterrupted, "session ended", "")
			s.finish(protocol.EndTerminated, "", "")
		} else {
			s.answerPark(true)
		}
	case linkStarting, linkReady:
		if s.link.phase = linkStopping; !s.link.adapter.Valid() {
			s.do(CancelStart{Incarnation: s.link.incarnation}) // agentStarted stops it, should it come all the same
			return
		}
		s.do(ToAdapter{s.link.adapter, &StopAgent{Grace: stopGrace}})
	case linkStopping:
	}
}

// park makes the session passive. A session at work refuses, unless the daemon itself ends.
func (s *State) park(in *Park) {
	if in.Drain {
		s.link.parkReply = append(s.link.parkReply, func(p Parked) { in.Send(p) })
		s.stopAgent(stopPark)
		return
	}
	if s.turn != nil || len(s.queue) > 0 || len(s.opened) > 0 || s.link.phase == linkStarting || s.link.phase == linkStopping ||
		(s.link.phase == linkReady && !s.limits.Resumable) || s.status.State.Busy() {
		s.do(Answer{func() { in.Send(Parked{}) }})
		return
	}
	s.link.parkReply = append(s.link.parkReply, func(p Parked) { in.Send(p) })
	s.stopAgent(stopPark)
}

func (s *State) answerPark(parked bool) {
	for _, reply := range s.link.parkReply {
		s.do(Answer{func() { reply(Parked{Parked: parked}) }})
	}
	s.link.parkReply = nil
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
