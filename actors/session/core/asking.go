package core

import (
	"path"

	"github.com/ringmaster-agents/ringmaster/actors/session/policy"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// requestOpened asks for an answer: the policy first, then everybody.
func (s *work) requestOpened(d adapters.RequestOpened) {
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
	var by policy.Source
	decided := false
	if r.Guarded = d.Guarded; !d.Guarded {
		var action protocol.PolicyAction
		action, by = policy.Decide(s.policy, &policy.Request{RequestOpened: &r, Folder: s.meta.Cwd, Leads: d.Leads, Limit: s.limits.MaxText})
		v, decided = policy.Answer(action, &r)
	}
	if o := s.entries.open[r.EntryID]; o != nil && r.Kind == protocol.RequestApproval && o.isToolCall() && (!decided || o.tool == protocol.ToolPending) {
		s.emit(&protocol.EntryDelta{EntryID: r.EntryID, Delta: &protocol.StatusChange{Status: protocol.ToolAwaitingApproval}}) // its item comes first
	}
	if decided {
		s.emit(&r)
		s.answerByPolicy(&r, v, by, "")
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
func (s *work) answerByPolicy(r *protocol.RequestOpened, v policy.Verdict, of policy.Source, message string) {
	s.closeRequests(&protocol.RequestResolved{
		RequestID: r.RequestID, Outcome: v.Outcome, Option: v.Option, Message: message, By: byPolicy, Rule: int64(of.Rule), Mode: of.Mode,
	})
	s.link.tellAnswer(&s.writer, r.RequestID, adapters.Answer{Outcome: v.Outcome, Option: v.Option, Message: message})
	if v.Stop && s.turn != nil {
		s.link.interrupt(&s.writer, &s.queue, s.turn.id, protocol.CauseUser)
	}
}

// closeRequests takes outcomes. A tool call that was allowed goes on; for any other outcome the agent says what becomes of it.
func (s *work) closeRequests(outcomes ...*protocol.RequestResolved) {
	for _, p := range outcomes {
		r := s.requests.open[p.RequestID]
		s.emit(p)
		switch {
		case r.call != nil:
			r.answerCall(&s.writer, p)
		case s.hasRoot() && r.own():
			s.do(ToRoot{&ChildResolved{ChildID: s.id, Resolved: *p}})
		}
		o := s.entries.open[r.EntryID]
		if p.Outcome != protocol.OutcomeAllowed || r.SessionID != "" || o == nil || o.tool != protocol.ToolAwaitingApproval {
			continue
		}
		if !s.requests.approvalsOf(r.EntryID) {
			s.emit(&protocol.EntryDelta{EntryID: r.EntryID, Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
		}
	}
}

func (s *work) requestOverdue(in *RequestOverdue) {
	r := s.requests.open[in.RequestID]
	switch {
	case r == nil, r.SessionID != "", r.Deadline == 0:
	case r.Default == "":
		s.closeRequests(&protocol.RequestResolved{RequestID: in.RequestID, Outcome: protocol.OutcomeExpired, By: byDaemon})
	default:
		v, ok := policy.Answer(r.Default, &r.RequestOpened)
		if !ok { // it cannot be allowed once
			v, _ = policy.Answer(protocol.PolicyDeny, &r.RequestOpened)
		}
		s.answerByPolicy(&r.RequestOpened, v, policy.Source{}, "Nobody answered in time.")
	}
}

// resolve takes a client's answer: the first one wins. The event is written before the agent hears it. What a child asked, the
// child decides.
func (s *work) resolve(in *Resolve) {
	r := s.requests.open[in.RequestID]
	if r == nil {
		err := s.requests.missing(in.RequestID)
		refuse(&s.writer, in.Ticket, err)
		return
	}
	if r.SessionID != "" {
		r.passOn(&s.writer, in)
		return
	}
	outcome, option, err := checkAnswer(&r.RequestOpened, in)
	if err != nil {
		refuse(&s.writer, in.Ticket, err)
		return
	}
	r.result = in.Result
	s.closeRequests(&protocol.RequestResolved{
		RequestID: in.RequestID, Outcome: outcome, Option: option, Answers: in.Answers, Message: in.Message, By: in.By,
	})
	s.link.tellAnswer(&s.writer, in.RequestID, adapters.Answer{Outcome: outcome, Option: option, Answers: in.Answers, Message: in.Message})
	answer(&s.writer, in.Ticket, Resolution{outcome, option})
}
