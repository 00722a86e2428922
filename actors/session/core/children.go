package core

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// childBegan makes a sub-agent a session of its own.
func (s *work) childBegan(d adapters.ChildBegan) {
	if d.NativeID == "" {
		s.link.dropped++
		return
	}
	c := protocol.ChildSession{ChildSessionID: ChildID(s.id, d.NativeID), Title: d.Title, NativeSessionID: d.NativeID}
	if last, _ := s.ids.last(s.link.incarnation); d.Entry != 0 && uint32(d.Entry) <= last {
		c.EntryID = s.link.entry(d.Entry).id()
	}
	s.working()
	c = s.family.began(&s.writer, c)
	s.do(AdoptChild{ChildID: c.ChildSessionID, NativeID: d.NativeID, Title: c.Title, Policy: s.policy})
}

// A child's request has an id of its own in the root's log.

func childRequestID(id, child string) string { return id + "@" + child }

// childAsks shows a child's request in the root's log. It is the child's all the same: only the child resolves it.
func (s *work) childAsks(child string, asked protocol.RequestOpened, apart bool) {
	r := asked
	r.RequestID = childRequestID(asked.RequestID, child)
	if _, was := s.requests.resolved.get(r.RequestID); was || s.requests.open[r.RequestID] != nil || s.end != nil {
		return
	}
	r.SessionID, r.TurnID, r.EntryID = child, s.turn.ID(), s.family.children[child].EntryID
	s.emit(&r)
	s.requests.open[r.RequestID].apart = apart
}

// childReport takes the child's whole truth.
func (s *work) childReport(in *ChildReport) {
	open := map[string]bool{}
	for _, r := range in.Open {
		open[childRequestID(r.RequestID, in.ChildID)] = true
		s.childAsks(in.ChildID, r, in.Apart)
	}
	for _, p := range in.Resolved {
		if !open[childRequestID(p.RequestID, in.ChildID)] {
			s.closeRequests(s.requests.childResolved(in.ChildID, p)...)
		}
	}
	s.closeRequests(s.requests.childGone(in.ChildID, open)...)
}

// childResolved is the end of a child's request here; nil: it is not open.
func (q *requests) childResolved(child string, resolved protocol.RequestResolved) []*protocol.RequestResolved {
	p := resolved
	p.RequestID = childRequestID(resolved.RequestID, child)
	if q.open[p.RequestID] == nil {
		return nil
	}
	return []*protocol.RequestResolved{&p}
}

// childGone are the ends of what a child has open in the root's log, but for some.
func (q *requests) childGone(child string, but map[string]bool) []*protocol.RequestResolved {
	return q.cancelled(byDaemon, func(r *request) bool { return r.SessionID == child && !but[r.RequestID] })
}

// askAskers asks those whose requests are open here, in the session with an id, whether they still are.
func (q *requests) askAskers(w *writer, id string) {
	asked := map[string]bool{}
	for _, r := range q.list() {
		if r.SessionID != "" && !asked[r.SessionID] {
			asked[r.SessionID] = true
			w.do(ToSession{r.SessionID, &TellRoot{Wake: true, Root: id}})
		}
	}
}

// passOn gives an answer to the child that asked; its word is the caller's answer.
func (r *request) passOn(w *writer, in *Resolve) {
	passed := *in
	passed.RequestID = strings.TrimSuffix(in.RequestID, "@"+r.SessionID)
	w.do(PassOn{Ticket: uint64(in.Ticket), SessionID: r.SessionID, Answer: &passed})
}

// report tells the root what the session has open.
func (q *requests) report(w *writer, of *about) {
	if !of.hasRoot() {
		return
	}
	in := &ChildReport{ChildID: of.id, Resolved: q.lately()}
	for _, r := range q.list() {
		if r.SessionID == "" && r.Kind != protocol.RequestCallerTool {
			in.Open = append(in.Open, r)
		}
	}
	w.do(ToRoot{in})
}

// adopt takes up a sub-agent whose lane is there.
func (s *life) adopt() {
	if !s.meta.SubAgent || s.link.phase != linkNone {
		return
	}
	if s.end != nil {
		s.end = nil // the status event says so
	}
	s.startAgent(StartAgent{})
}

// orphaned closes the queue of a sub-agent whose connection is gone: nobody starts it again but its parent's agent.
func (s *life) orphaned() {
	if s.meta.SubAgent {
		s.queue.clear(&s.writer, protocol.RemovedUnconnected)
	}
}
