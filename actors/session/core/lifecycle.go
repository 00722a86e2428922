package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// After these the shell says that something is overdue.
const (
	InterruptGrace = 10 * time.Second
	StartGrace     = time.Minute // from the process to the agent's first sign that it takes prompts
)

// stopGrace is how long an agent may take to end by itself.
const stopGrace = 5 * time.Second

func (s *life) begin(in *Begin) {
	s.emit(&protocol.SessionStart{SessionID: s.id, AgentBackend: in.Agent, Metadata: in.Metadata})
	if in.NativeID != "" {
		s.emit(&protocol.SessionMeta{NativeSessionID: &in.NativeID})
	}
	if in.Mode != "" {
		s.settings.want(&s.writer, SettingMode, in.Mode)
	}
	if in.Start {
		s.startAgent(StartAgent{})
	}
}

// recover closes what an earlier daemon left open. Nothing that was shown is taken back: the log goes on.
func (s *life) recover(in *Recover) {
	if in.Epoch > s.epochs.Newest() {
		s.emit(&protocol.Epoch{Epoch: in.Epoch, Reason: in.Reason})
	}
	s.link.incarnation = max(s.ids.incarnation, in.Incarnation)
	if in.Told {
		s.news.known()
	}
	defer s.requests.report(&s.writer, &s.about)
	if s.end != nil {
		return
	}
	if !s.status.State.Ended() {
		s.closeAll(protocol.TurnInterrupted, protocol.CauseDaemon, in.Reason, "")
	}
	s.queue.agentGone(&s.writer)
	if s.status.State.Ended() { // killed between the status and the session_end
		s.finish(endOf(s.status.State), in.Reason, "")
		return
	}
	s.requests.askAskers(&s.writer, s.id)
	s.orphaned()
	s.judge() // the daemon may have been killed before it wrote that a limit is reached
	s.goOn(in.Resume)
}

// rejoin takes up the running agent where the journal leaves off. Facts that the lost actor knew beyond the log are read from the
// status; the prompt of a turn is told again, since the adapter passes each prompt on once.
func (s *life) rejoin(in *Rejoin) {
	s.link.incarnation, s.link.adapter, s.link.batch, s.link.rejoined = in.Incarnation, in.Adapter, in.Batch, true
	if s.end != nil {
		return // the exit was taken: the adapter learns it from Attach
	}
	s.link.phase = linkReady
	switch s.status.State {
	case protocol.StateStarting:
		s.link.phase = linkStarting
	case protocol.StateQueued:
		if s.turn == nil {
			s.link.phase = linkStarting
		}
	case protocol.StateInterrupting:
		s.link.interrupting = true
		s.link.tell(&s.writer, adapters.Interrupt{})
		s.do(WatchInterrupt{TurnID: s.turn.ID()})
	case protocol.StateResponding, protocol.StateRetrying, protocol.StateCompacting:
		s.link.state = s.status.State
	default:
		if s.turn != nil {
			s.link.state = protocol.StateResponding
		}
	}
	s.link.wasReady = s.link.phase == linkReady
	if !s.link.wasReady {
		s.do(WatchStart{Incarnation: in.Incarnation})
	}
	s.tellAgain()
}

// tellAgain passes on what the lost actor may have decided and not told: prompts and answers, each of which the adapter
// passes on once. Interrupts may come twice. The newest children's sessions are asked for again, and what the children have open, since
// their words may have been lost with it.
func (s *life) tellAgain() {
	s.family.adoptAgain(&s.writer, s.policy)
	s.requests.askAskers(&s.writer, s.id)
	s.family.ask(&s.writer)
	s.requests.report(&s.writer, &s.about)
	for _, r := range s.requests.list() {
		switch {
		case r.SessionID != "":
		case r.Kind == protocol.RequestCallerTool: // nobody waits for its answer any more
			s.closeRequests(&protocol.RequestResolved{RequestID: r.RequestID, Outcome: protocol.OutcomeCancelled, By: byDaemon})
		case r.Deadline > 0:
			watchRequest(&s.writer, &r)
		}
	}
	for _, r := range s.requests.answered {
		s.link.tellAnswer(&s.writer, r.RequestID, adapters.Answer{Outcome: r.Outcome, Option: r.Option, Answers: r.Answers, Message: r.Message})
	}
	if s.turn == nil {
		return
	}
	s.turn.began = s.status.State != protocol.StateQueued
	if p := s.turn.prompt; p != nil && p.PromptID != "" && !s.turn.began {
		s.link.tell(&s.writer, adapters.Prompt{ID: p.PromptID, Text: p.Text, Images: imageRefs(p.Images)})
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

// startAgent asks for the next incarnation, unless prompts wait for room in a budget; start says when. It resumes where the log has a session of the agent's
// own.
func (s *life) startAgent(start StartAgent) {
	if !s.limits.Restartable || s.held() && !s.meta.SubAgent {
		return
	}
	s.link.begin()
	s.above.unpriced.Begin()
	start.Incarnation = s.link.incarnation
	spec := &start.Spec
	*spec = adapters.Spec{
		SessionID: s.id, NativeSessionID: s.nativeID, Cwd: s.meta.Cwd, MaxText: s.limits.MaxText, Child: s.meta.SubAgent,
	}
	spec.Resume = s.limits.Resumable && s.nativeID != "" && !s.link.anew && !spec.Child
	spec.Recall = spec.Resume && s.named
	s.settings.begin(spec)
	s.do(start)
}

func (s *life) agentStarted(in *AgentStarted) {
	if in.Incarnation != s.link.incarnation {
		return // it was replaced meanwhile, and stopped by that
	}
	if s.end != nil {
		s.do(StopAgent{To: in.Adapter})
		return
	}
	s.link.adapter = in.Adapter
	if s.link.phase == linkNone { // a recording, or this actor is new and the adapter is not
		s.link.phase = linkStarting
	}
	if s.link.phase == linkStopping {
		s.do(StopAgent{To: s.link.adapter, Grace: s.limits.Grace()})
		return
	}
	if in.WithoutMCP {
		s.notice(s.turn.ID(), &protocol.SystemData{
			Level: "warning", Kind: "mcp_unavailable",
			Text: "The agent runs without the daemon's MCP server: the daemon listens on no port of this machine.",
		})
	}
	s.do(WatchStart{Incarnation: in.Incarnation})
}

// startOverdue ends an agent that runs and never gets ready: prompts would wait for it for ever. One that works all the
// same gets more time.
func (s *life) startOverdue(in *StartOverdue) {
	if in.Incarnation != s.link.incarnation || s.link.phase != linkStarting {
		return
	}
	if s.turn != nil {
		s.do(WatchStart{Incarnation: in.Incarnation})
		return
	}
	s.stopAgent(stopUnready)
}

func (s *life) ready(d adapters.Ready) {
	first := s.link.ready()
	var m protocol.SessionMeta
	note := func(to **string, old, now string) {
		if now != "" && now != old {
			*to = &now
		}
	}
	note(&m.NativeSessionID, s.nativeID, d.NativeSessionID)
	if m.NativeSessionID != nil && first && s.link.begunBefore(&s.about) {
		s.stopAgent(stopMissing)
		return
	}
	note(&m.AgentVersion, s.version, d.Version)
	note(&m.Model, s.meta.Model, d.Model)
	note(&m.Mode, s.settings.mode, d.Mode)
	s.settings.ready(&m, d)
	s.metaChanged(m)
	s.dispatch() // before anybody sees an idle session with prompts waiting
}

func (s *work) metaChanged(m protocol.SessionMeta) {
	if m, ok := s.unknown(m, &s.settings); ok {
		s.emit(&m)
		s.do(Announce{})
	}
}

// closeAll ends entries, requests and the turn: no agent is there any more.
func (s *work) closeAll(status protocol.TurnStatus, cause protocol.TurnCause, reason, hint string) {
	s.entries.close(&s.writer, reason, nothing)
	s.closeRequests(s.requests.cancelled(byDaemon, (*request).bound)...)
	s.endTurn(status, cause, reason, hint)
}

// closeTurn ends what belongs to the turn.
func (s *work) closeTurn(status protocol.TurnStatus, cause protocol.TurnCause, reason, hint string) {
	s.entries.close(&s.writer, reason, outliving(&s.link, s.turn.ID(), nil))
	s.closeRequests(s.requests.cancelled(byDaemon, (*request).own)...)
	s.endTurn(status, cause, reason, hint)
}

func (s *work) endTurn(status protocol.TurnStatus, cause protocol.TurnCause, reason, hint string) {
	if s.turn != nil {
		end := &protocol.TurnEnd{TurnID: s.turn.id, Status: status, Hint: hint}
		if status != protocol.TurnCompleted {
			end.Cause, end.Error = cause, reason
		}
		s.emit(end)
	}
	s.link.rests()
}

// finish ends the incarnation of the session: the status first, then session_end, and nothing after it.
func (s *life) finish(reason protocol.EndReason, problem, hint string) {
	if s.end != nil {
		return
	}
	s.queue.clear(&s.writer, protocol.RemovedByEnd)
	s.closeRequests(s.requests.cancelled(byDaemon, (*request).whoever)...) // of sessions that work for this one: they end with it
	state := protocol.StateTerminated
	switch reason {
	case protocol.EndCompleted:
		state = protocol.StateCompleted
	case protocol.EndError:
		state = protocol.StateFailed
	case protocol.EndTerminated:
	}
	if s.status.State != state {
		s.turnTo(&protocol.Status{State: state, AgentStatus: state.AgentStatus()})
	}
	s.emit(&protocol.SessionEnd{Reason: reason, Error: problem, Hint: hint})
	s.do(Announce{})
	s.do(Over{})
	s.link.answerEnds(&s.writer)
	s.link.answerParks(&s.writer, true)
}

func (s *life) endSession(in *End) {
	if s.end != nil {
		answer(&s.writer, in.Ticket, Done{})
		return
	}
	if in.Reason != "" {
		s.notice(s.turn.ID(), &protocol.SystemData{Level: "info", Kind: "end_asked", Text: in.Reason})
	}
	s.link.ends = append(s.link.ends, in)
	if !s.link.interrupting {
		s.link.because = causeOf(in.By)
	}
	s.stopAgent(stopEnd)
}
