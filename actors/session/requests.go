package session

import (
	"fmt"
	"sort"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// requestGrace is how long after a deadline the agent's own word is waited for.
const requestGrace = time.Second

func (s *State) requestOpened(d adapters.RequestOpened) {
	r := d.Request
	r.RequestID = protocol.RequestID(s.link.incarnation, uint32(d.Key))
	if _, last := s.ids.last(s.link.incarnation); uint32(d.Key) <= last {
		s.link.dropped++
		return
	}
	s.working()
	r.TurnID = s.turnID()
	if d.Within > 0 {
		r.Deadline = s.now + d.Within
		s.watchRequest(&r)
	}
	if id := s.entryID(d.Entry); d.Entry != 0 && s.entries[id] != nil {
		r.EntryID = id
	}
	s.emit(&r)
	if o := s.entries[r.EntryID]; o != nil && r.Kind == protocol.RequestApproval && isToolCall(o) {
		s.emit(&protocol.EntryDelta{EntryID: r.EntryID, Delta: &protocol.StatusChange{Status: protocol.ToolAwaitingApproval}})
	}
}

func isToolCall(o *entry) bool {
	_, is := o.start.Data.(*protocol.ToolCallData)
	return is
}

// closeRequest takes an outcome. A tool call that was allowed goes on; for any other outcome the agent says what becomes of it.
func (s *State) closeRequest(p *protocol.RequestResolved) {
	r := s.opened[p.RequestID]
	s.emit(p)
	o := s.entries[r.EntryID]
	if p.Outcome != protocol.OutcomeAllowed || o == nil || o.tool != protocol.ToolAwaitingApproval {
		return
	}
	for _, other := range s.opened {
		if other.EntryID == r.EntryID && other.Kind == protocol.RequestApproval {
			return
		}
	}
	s.emit(&protocol.EntryDelta{EntryID: r.EntryID, Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
}

// watchRequest looks at a request again when its deadline has passed: not every agent says that it went on without an answer.
func (s *State) watchRequest(r *protocol.RequestOpened) {
	left := time.Duration(max(0, r.Deadline-s.now)) * time.Millisecond
	s.do(WatchRequest{RequestID: r.RequestID, After: left + requestGrace})
}

func (s *State) requestOverdue(in *RequestOverdue) {
	if s.opened[in.RequestID] != nil {
		s.emit(&protocol.RequestResolved{RequestID: in.RequestID, Outcome: protocol.OutcomeExpired, By: byDaemon})
	}
}

// requestClosed takes the agent's word that it waits no more. After an answer of ours there is nothing open any more.
func (s *State) requestClosed(d adapters.RequestClosed) {
	id := protocol.RequestID(s.link.incarnation, uint32(d.Key))
	if s.opened[id] == nil {
		return
	}
	by := byAgent
	if s.link.interrupting && d.Outcome == protocol.OutcomeCancelled {
		by = byDaemon // the interrupt withdrew it
	}
	s.closeRequest(&protocol.RequestResolved{RequestID: id, Outcome: d.Outcome, Option: d.Option, Answers: d.Answers, By: by})
}

// resolve takes a client's answer: the first one wins. The event is written before the agent hears it.
func (s *State) resolve(in *Resolve) {
	r := s.opened[in.RequestID]
	if r == nil {
		err := s.unknownRequest(in.RequestID)
		s.answer(in, func() { in.Fail(err) })
		return
	}
	if err := checkAnswer(&r.RequestOpened, in); err != nil {
		s.answer(in, func() { in.Fail(err) })
		return
	}
	incarnation, key, _ := protocol.ParseRequestID(in.RequestID)
	s.closeRequest(&protocol.RequestResolved{
		RequestID: in.RequestID, Outcome: in.Outcome, Option: in.Option, Answers: in.Answers, Message: in.Message, By: in.By,
	})
	if incarnation == s.link.incarnation {
		s.tell(adapters.Answer{
			Key: adapters.RequestKey(key), Outcome: in.Outcome, Option: in.Option, Answers: in.Answers, Message: in.Message,
		})
	}
	s.answer(in, func() { in.Send(Done{}) })
}

func (s *State) unknownRequest(id string) error {
	if by, was := s.resolved[id]; was {
		return &protocol.Problem{
			Code: protocol.CodeRequestAlreadyResolved, By: by,
			Detail: fmt.Sprintf("The request was resolved by %s.", by),
			Hint:   "The first answer wins; the log has it as request_resolved.",
		}
	}
	return &protocol.Problem{
		Code: protocol.CodeRequestNotFound, Detail: "No such request.",
		Hint: "GET /sessions/{id}/requests lists what is open.",
	}
}

// checkAnswer refuses an answer that does not fit the question, before the agent can choke on it.
func checkAnswer(r *protocol.RequestOpened, in *Resolve) error {
	bad := func(detail, hint string) error {
		return &protocol.Problem{Code: protocol.CodeInvalidRequest, Detail: detail, Hint: hint}
	}
	if in.Outcome == protocol.OutcomeCancelled {
		return nil
	}
	if r.Kind == protocol.RequestApproval {
		if in.Outcome != protocol.OutcomeAllowed && in.Outcome != protocol.OutcomeDenied {
			return bad("An approval is allowed or denied.", `Send {"outcome":"allowed"} or {"outcome":"denied"}.`)
		}
		for _, o := range r.Options {
			if in.Option == "" || o.ID == in.Option {
				return nil
			}
		}
		if len(r.Options) > 0 {
			return bad("The agent does not support this answer.", "The request lists its options.")
		}
		return nil
	}
	if in.Outcome != protocol.OutcomeAnswered {
		return bad("A question is answered or cancelled.", `Send {"outcome":"answered","answers":[["…"]]}.`)
	}
	if len(in.Answers) != len(r.Questions) {
		return bad(fmt.Sprintf("Questions: %d, answers: %d.", len(r.Questions), len(in.Answers)),
			"answers has one list for each question, in order.")
	}
	for i, q := range r.Questions {
		if len(in.Answers[i]) == 0 || (len(in.Answers[i]) > 1 && !q.Multiple) {
			return bad(fmt.Sprintf("Question %d takes one answer.", i+1), "Only questions with multiple take more than one, and none takes nothing.")
		}
		if q.FreeText {
			continue
		}
		for _, a := range in.Answers[i] {
			if !hasOption(q.Options, a) {
				return bad(fmt.Sprintf("Question %d has no such option.", i+1), "Answers are ids of the question's options.")
			}
		}
	}
	return nil
}

func hasOption(options []protocol.Option, id string) bool {
	for _, o := range options {
		if o.ID == id {
			return true
		}
	}
	return false
}

// cancelRequests closes what nobody can answer any more, in the order of asking.
func (s *State) cancelRequests(by string) {
	ids := make([]string, 0, len(s.opened))
	for id := range s.opened {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return s.opened[ids[i]].order < s.opened[ids[j]].order })
	for _, id := range ids {
		s.emit(&protocol.RequestResolved{RequestID: id, Outcome: protocol.OutcomeCancelled, By: by})
	}
}
