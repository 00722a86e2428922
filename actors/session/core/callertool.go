package core

import (
	"fmt"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A caller tool is a tool that a client offers to the session's agent. A call of it is a request of the log like any other, but
// for three things: the agent's tool runs meanwhile, so the state does not say that anybody is waited for; no policy answers
// it; and the agent hears the answer over the daemon's MCP server, where it has asked. What a call has given is in the log as
// the agent's own tool call has it.

// Messages about calls of caller tools.
type (
	// CallTool asks a client to carry out a tool that it offers. The answer comes when the request is resolved, however it is:
	// errors are refusals of the call itself.
	CallTool struct {
		Ticket[ToolAnswer]
		Key       uint64 // for CancelCall; no two calls have one
		CallerID  string
		Tool      string        // as the caller has named it
		Arguments string        // JSON text, an object
		Within    time.Duration // for an answer
	}

	// CancelCall says that nobody waits for a call's answer any more, or, with Failure, why the caller will not give one.
	CancelCall struct {
		Key     uint64
		Failure string
	}
)

// ToolAnswer answers CallTool.
type ToolAnswer struct {
	Outcome protocol.Outcome // answered, failed, expired or cancelled
	Result  []byte           // of answered: JSON
	Message string           // of the others: why
}

// maxCalls is how many calls of caller tools may be open at once.
const maxCalls = 64

func (s *work) callTool(in *CallTool) {
	if err := s.requests.refuseCall(&s.link, s.end != nil); err != nil {
		refuse(&s.writer, in.Ticket, err)
		return
	}
	s.working()
	r := &protocol.RequestOpened{
		RequestID: protocol.CallID(s.ids.call + 1), Kind: protocol.RequestCallerTool, TurnID: s.turn.ID(),
		ToolName: protocol.CallerToolName(in.CallerID, in.Tool), Title: fmt.Sprintf("The agent calls %s, a tool of %s.", in.Tool, in.CallerID),
		CallerID: in.CallerID, Arguments: in.Arguments, Deadline: s.now + in.Within.Milliseconds(),
	}
	s.emit(r)
	s.requests.open[r.RequestID].call = in
	watchRequest(&s.writer, r)
}

// refuseCall says why no call can be opened.
func (q *requests) refuseCall(l *link, ended bool) error {
	switch {
	case ended:
		return &protocol.Problem{Code: protocol.CodeSessionEnded, Detail: "The session has ended.", Hint: "Its agent should have, too."}
	case l.phase == linkNone:
		return &protocol.Problem{
			Code: protocol.CodeConflict, Detail: "The session has no agent that could call a tool.", Hint: "Send a prompt: it starts the agent.",
		}
	}
	open := q.calls()
	if open < maxCalls {
		return nil
	}
	return &protocol.Problem{
		Code: protocol.CodeOverloaded, Detail: fmt.Sprintf("%d calls of callers' tools are open.", open), Hint: "Wait for some of them.",
	}
}

// callCancelled is the end of a call that nobody waits for, or that failed; nil: it is not open.
func (q *requests) callCancelled(in *CancelCall) []*protocol.RequestResolved {
	p := protocol.RequestResolved{RequestID: q.call(in.Key), Outcome: protocol.OutcomeCancelled, By: byAgent}
	if p.RequestID == "" {
		return nil
	}
	if in.Failure != "" {
		p.Outcome, p.Message, p.By = protocol.OutcomeFailed, in.Failure, byDaemon
	}
	return []*protocol.RequestResolved{&p}
}

// answerCall gives the agent's tool what has become of its call.
func (r *request) answerCall(w *writer, p *protocol.RequestResolved) {
	a := ToolAnswer{Outcome: p.Outcome, Result: r.result, Message: p.Message}
	answer(w, r.call.Ticket, a)
}

// checkResult refuses what is no answer to the call of a caller tool.
func checkResult(in *Resolve) (protocol.Outcome, error) {
	hasResult := in.Result != nil
	switch {
	case len(in.Answers) > 0, in.Option != "":
	case hasResult && (in.Outcome == "" || in.Outcome == protocol.OutcomeAnswered):
		return protocol.OutcomeAnswered, nil
	case !hasResult && in.Outcome == protocol.OutcomeFailed && in.Message != "", !hasResult && in.Outcome == protocol.OutcomeCancelled:
		return in.Outcome, nil
	}
	return "", misfit("This is no answer to the call of a tool.", protocol.TermSendResult)
}
