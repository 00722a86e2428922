package terminal

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/reason"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxAsks bounds the open requests that are kept.
const maxAsks = 100

// asks is what a log has asked, beside the policy that answers or leaves it to a person.
type asks struct {
	policy *protocol.Policy
	known  bool // the log has said which policy there is: it was read from its beginning, or has changed it since
	open   []protocol.RequestOpened
	why    string // of the newest request, a person is asked: told behind the next event, since that may be the policy's answer
	of     string // the request that is about
}

// start takes the policy of a session that begins.
func (a *asks) start(p *protocol.Policy) { *a = asks{policy: p, known: true} }

// change takes another policy; nil: it stays.
func (a *asks) change(p *protocol.Policy) {
	if p != nil {
		a.policy, a.known = p, true
	}
}

// opened takes a request. One of a session below has that session's policy, which this log does not tell.
func (a *asks) opened(q *protocol.RequestOpened) {
	if len(a.open) < maxAsks {
		a.open = append(a.open, *q)
	}
	a.why, a.of = "", q.RequestID
	if a.known && q.SessionID == "" || q.Kind != protocol.RequestApproval {
		a.why = Cut(Visible(reason.Asked(q, a.policy)), 200)
	}
}

// resolved takes an answer, and says what of the policy has given it; empty: it was not the policy, or nobody knows.
func (a *asks) resolved(r *protocol.RequestResolved) (by string) {
	if a.of == r.RequestID {
		a.why = ""
	}
	for i := range a.open {
		q := &a.open[i]
		if q.RequestID != r.RequestID {
			continue
		}
		var of *protocol.Policy
		if a.known && q.SessionID == "" {
			of = a.policy
		}
		by = reason.Decided(r, of)
		a.open = append(a.open[:i], a.open[i+1:]...)
		return by
	}
	return ""
}

// settled says why a person is asked, once it is clear that a person is: what came behind the request was not its answer.
func (a *asks) settled(next *protocol.Event) (why string) {
	if r, is := next.Payload.(*protocol.RequestResolved); is && r.RequestID == a.of {
		return ""
	}
	why, a.why = a.why, ""
	return why
}

// deadline says what happens when nobody answers, of the request for which it happens first; empty: the agent waits.
func (a *asks) deadline(nowMs int64) string {
	var first *protocol.RequestOpened
	for i := range a.open {
		if q := &a.open[i]; q.Deadline > 0 && (first == nil || q.Deadline < first.Deadline) {
			first = q
		}
	}
	if first == nil {
		return ""
	}
	return reason.Deadline(first, time.UnixMilli(nowMs))
}
