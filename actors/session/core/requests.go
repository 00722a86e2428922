package core

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// requests is the part of a state that has the open requests, and knows those that were resolved of late.
type requests struct {
	open     map[string]*request         // by public id
	resolved recent[verdictBy]           // by public id
	answered []*protocol.RequestResolved // by clients, in the running turn, newest last: told again at a rejoin
}

// request is an open request.
type request struct {
	protocol.OpenRequest
	apart  bool      // of a session with an agent of its own: it may outlive this one's
	call   *CallTool // of a caller tool: the question that waits for the answer
	result []byte    // of that: the answer
}

// verdictBy is how a request was resolved.
type verdictBy struct {
	outcome protocol.Outcome
	option  string
	by      string
}

// toldAgain is how many answers of a turn a rejoin passes on again: more than can be under way at once.
const toldAgain = 32

func (q *requests) applyOpened(p *protocol.RequestOpened, seq uint64, at int64, apart bool) {
	put(&q.open, p.RequestID, &request{OpenRequest: protocol.OpenRequest{RequestOpened: *p, Seq: seq, Time: at}, apart: apart})
}

// applyResolved says whether a client, or a policy, has answered the session's own agent.
func (q *requests) applyResolved(p *protocol.RequestResolved, limit int) (answered bool) {
	delete(q.open, p.RequestID)
	q.resolved.put(p.RequestID, verdictBy{p.Outcome, p.Option, p.By}, limit)
	_, _, own := protocol.ParseRequestID(p.RequestID)
	if answered = own && p.By != byAgent && p.By != byDaemon; answered {
		q.answered = append(q.answered[max(0, len(q.answered)-toldAgain+1):], p)
	}
	return answered
}

// list is what is open, in the order of asking.
func (q *requests) list() []protocol.RequestOpened {
	out := make([]protocol.RequestOpened, 0, len(q.open))
	for _, r := range q.waiting() {
		out = append(out, r.RequestOpened)
	}
	return out
}

// waiting is list with the events that have opened them; nil: nothing is open.
func (q *requests) waiting() (list []protocol.OpenRequest) {
	for _, r := range q.open {
		list = append(list, r.OpenRequest)
	}
	slices.SortFunc(list, func(a, b protocol.OpenRequest) int { return cmp.Compare(a.Seq, b.Seq) })
	return list
}

// first is the one that was asked first; nil: none is open. The call of a caller tool is none that the agent waits with: its tool runs.
func (q *requests) first() (first *request) {
	for _, r := range q.open {
		if r.Kind != protocol.RequestCallerTool && (first == nil || r.Seq < first.Seq) {
			first = r
		}
	}
	return first
}

// count is how many open requests are such ones.
func (q *requests) count(such func(*request) bool) (n int) {
	for _, r := range q.open {
		if such(r) {
			n++
		}
	}
	return n
}

// approvalsOf says that the session's own agent waits for an approval of an entry.
func (q *requests) approvalsOf(entryID string) bool {
	return q.count(func(r *request) bool { return r.EntryID == entryID && r.Kind == protocol.RequestApproval && r.own() }) > 0
}

// own is how many the session has of its own: those of a sub-agent are counted by its own session.
func (q *requests) own() int64 { return int64(q.count((*request).own)) }

// calls is how many calls of caller tools are open.
func (q *requests) calls() int {
	return q.count(func(r *request) bool { return r.Kind == protocol.RequestCallerTool })
}

// call is the id of the open call of a caller tool that somebody waits for; empty: there is none.
func (q *requests) call(key uint64) string {
	for id, r := range q.open {
		if r.call != nil && r.call.Key == key {
			return id
		}
	}
	return ""
}

// lately is what was resolved last, newest first: the root may not have heard of it.
func (q *requests) lately() []protocol.RequestResolved {
	var list []protocol.RequestResolved
	for _, id := range slices.Backward(q.resolved.names[max(0, len(q.resolved.names)-toldAgain):]) {
		v := q.resolved.byName[id]
		list = append(list, protocol.RequestResolved{RequestID: id, Outcome: v.outcome, Option: v.option, By: v.by})
	}
	return list
}

// withdrawn is the agent's word that it waits no more; nil: after an answer of ours there is nothing open any more.
func (q *requests) withdrawn(l *link, d adapters.RequestClosed) []*protocol.RequestResolved {
	id := protocol.RequestID(l.incarnation, uint32(d.Key))
	if q.open[id] == nil {
		return nil
	}
	by := byAgent
	if l.interrupting && d.Outcome == protocol.OutcomeCancelled {
		by = byDaemon // the interrupt withdrew it
	}
	return []*protocol.RequestResolved{{RequestID: id, Outcome: d.Outcome, Option: d.Option, Answers: d.Answers, By: by}}
}

// cancelled are the ends of open requests that nobody can answer any more, in the order of asking. which chooses them: (*request).own and the like.
func (q *requests) cancelled(by string, which func(*request) bool) (ends []*protocol.RequestResolved) {
	for _, r := range q.list() {
		if which(q.open[r.RequestID]) {
			ends = append(ends, &protocol.RequestResolved{RequestID: r.RequestID, Outcome: protocol.OutcomeCancelled, By: by})
		}
	}
	return ends
}

// own says that the session's own agent asks.
func (r *request) own() bool { return r.SessionID == "" }

// bound says that the session's own agent asks, or a sub-agent, which goes with it. A spawned session's agent goes on.
func (r *request) bound() bool { return r.own() || !r.apart }

// whoever says yes.
func (r *request) whoever() bool { return true }

// missing says why a request is not open.
func (q *requests) missing(id string) error {
	if v, was := q.resolved.get(id); was {
		return &protocol.Problem{
			Code: protocol.CodeRequestAlreadyResolved, By: v.by,
			Detail: fmt.Sprintf("The request was resolved by %s.", v.by),
			Hint:   "The first answer wins; the log has it as request_resolved.",
		}
	}
	return &protocol.Problem{
		Code: protocol.CodeRequestNotFound, Detail: "No such request.",
		Hint: protocol.TermListRequests + " lists what is open.",
	}
}

// setDeadline takes the nearer one of the agent's own deadline and the policy's. Only the policy's has an answer.
func setDeadline(w *writer, r *protocol.RequestOpened, within int64, p *protocol.Policy) {
	if within > 0 {
		r.Deadline = w.now + within
	}
	if p != nil && p.Deadline > 0 && r.Kind == protocol.RequestApproval && (within <= 0 || p.Deadline < within) {
		r.Deadline, r.Default = w.now+p.Deadline, cmp.Or(p.Default, protocol.PolicyDeny)
	}
	if r.Deadline > 0 {
		watchRequest(w, r)
	}
}

// requestGrace is how long after a deadline the agent's own word is waited for.
const requestGrace = time.Second

// watchRequest has a request looked at again when its deadline has passed: to answer as the policy says, or because not every agent
// says that it went on without an answer.
func watchRequest(w *writer, r *protocol.RequestOpened) {
	left := time.Duration(max(0, r.Deadline-w.now)) * time.Millisecond
	if r.Default == "" && r.Kind != protocol.RequestCallerTool {
		left += requestGrace
	}
	w.do(WatchRequest{RequestID: r.RequestID, After: left})
}
