package session

import (
	"path"

	"github.com/ringmaster-agents/ringmaster/actors/session/policy"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// requestOpened asks for an answer: the policy first, then everybody.
func (s *State) requestOpened(d adapters.RequestOpened) {
	r := d.Request
	r.RequestID = protocol.RequestID(s.link.incarnation, uint32(d.Key))
	if _, last := s.ids.last(s.link.incarnation); uint32(d.Key) <= last {
		s.link.dropped++
		return
	}
	s.working()
	r.TurnID, r.EntryID, r.SessionID, r.Deadline, r.Default = s.turn.ID(), "", "", 0, ""
	if id := s.link.entry(d.Entry).id(); d.Entry != 0 && s.entries.open[id] != nil {
		r.EntryID = id
	}
	if r.Cwd != "" && s.meta.Cwd != "" && path.Clean(r.Cwd) == path.Clean(s.meta.Cwd) {
		r.Cwd = ""
	}
	if r.Cwd != "" { // before all else, where no long text hides it
		r.Text = "In " + r.Cwd + ", which is not the session's folder:\n\n" + r.Text
	}
	var v policy.Verdict
	decided := false
	if !d.Guarded {
		v, decided = policy.Answer(policy.Decide(s.policy, &policy.Request{
			RequestOpened: &r, Folder: s.meta.Cwd, Leads: d.Leads, Limit: s.limits.MaxText,
		}), &r)
	}
	if o := s.entries.open[r.EntryID]; o != nil && r.Kind == protocol.RequestApproval && o.isToolCall() && (!decided || o.tool == protocol.ToolPending) {
		s.emit(&protocol.EntryDelta{EntryID: r.EntryID, Delta: &protocol.StatusChange{Status: protocol.ToolAwaitingApproval}}) // its item comes first
	}
	if decided {
		s.emit(&r)
		s.answerByPolicy(&r, v, "")
		return
	}
	setDeadline(&s.writer, &r, d.Within, s.policy)
	if d.Guarded && r.Default == protocol.PolicyAllow {
		r.Default = protocol.PolicyDeny
	}
	s.emit(&r)
	if s.hasRoot() {
		s.do(ToRoot{&ChildAsks{ChildID: s.id, Request: r}})
	}
}

// answerByPolicy answers a request that is open, in the log and towards the agent.
func (s *State) answerByPolicy(r *protocol.RequestOpened, v policy.Verdict, message string) {
	s.closeRequest(&protocol.RequestResolved{
		RequestID: r.RequestID, Outcome: v.Outcome, Option: v.Option, Message: message, By: byPolicy,
	})
	s.link.tellAnswer(&s.writer, r.RequestID, adapters.Answer{Outcome: v.Outcome, Option: v.Option, Message: message})
	if v.Stop && s.turn != nil {
		s.stopTurn(protocol.CauseUser)
	}
}

// closeRequest takes an outcome. A tool call that was allowed goes on; for any other outcome the agent says what becomes of it.
func (s *State) closeRequest(p *protocol.RequestResolved) {
	r := s.requests.open[p.RequestID]
	s.emit(p)
	switch {
	case r.call != nil:
		s.answerCall(r, p)
	case s.hasRoot() && r.SessionID == "":
		s.do(ToRoot{&ChildResolved{ChildID: s.id, Resolved: *p}})
	}
	o := s.entries.open[r.EntryID]
	if p.Outcome != protocol.OutcomeAllowed || r.SessionID != "" || o == nil || o.tool != protocol.ToolAwaitingApproval {
		return
	}
	if s.requests.approvalsOf(r.EntryID) {
		return
	}
	s.emit(&protocol.EntryDelta{EntryID: r.EntryID, Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
}

func (s *State) requestOverdue(in *RequestOverdue) {
	r := s.requests.open[in.RequestID]
	switch {
	case r == nil, r.SessionID != "", r.Deadline == 0:
	case r.Default == "":
		s.closeRequest(&protocol.RequestResolved{RequestID: in.RequestID, Outcome: protocol.OutcomeExpired, By: byDaemon})
	default:
		v, ok := policy.Answer(r.Default, &r.RequestOpened)
		if !ok { // it cannot be allowed once
			v, _ = policy.Answer(protocol.PolicyDeny, &r.RequestOpened)
		}
		s.answerByPolicy(&r.RequestOpened, v, "Nobody answered in time.")
	}
}

// requestClosed takes the agent's word that it waits no more. After an answer of ours there is nothing open any more.
func (s *State) requestClosed(d adapters.RequestClosed) {
	id := protocol.RequestID(s.link.incarnation, uint32(d.Key))
	if s.requests.open[id] == nil {
		return
	}
	by := byAgent
	if s.link.interrupting && d.Outcome == protocol.OutcomeCancelled {
		by = byDaemon // the interrupt withdrew it
	}
	s.closeRequest(&protocol.RequestResolved{RequestID: id, Outcome: d.Outcome, Option: d.Option, Answers: d.Answers, By: by})
}

// resolve takes a client's answer: the first one wins. The event is written before the agent hears it. What a child asked, the
// child decides.
func (s *State) resolve(in *Resolve) {
	r := s.requests.open[in.RequestID]
	if r == nil {
		err := s.requests.missing(in.RequestID)
		s.answer(in, func() { in.Fail(err) })
		return
	}
	if r.SessionID != "" {
		s.passOn(r, in)
		return
	}
	outcome, option, err := checkAnswer(&r.RequestOpened, in)
	if err != nil {
		s.answer(in, func() { in.Fail(err) })
		return
	}
	r.result = in.Result
	s.closeRequest(&protocol.RequestResolved{
		RequestID: in.RequestID, Outcome: outcome, Option: option, Answers: in.Answers, Message: in.Message, By: in.By,
	})
	s.link.tellAnswer(&s.writer, in.RequestID, adapters.Answer{Outcome: outcome, Option: option, Answers: in.Answers, Message: in.Message})
	s.answer(in, func() { in.Send(Resolution{outcome, option}) })
}

// cancelRequests closes what nobody can answer any more, in the order of asking: the agent's own requests, and with children
// also those of its sub-agents. Spawned sessions have agents of their own, which go on.
func (s *State) cancelRequests(by string, children bool) {
	for _, r := range s.requests.list() {
		if r.SessionID == "" || children && !s.requests.open[r.RequestID].apart {
			s.closeRequest(&protocol.RequestResolved{RequestID: r.RequestID, Outcome: protocol.OutcomeCancelled, By: by})
		}
	}
}
