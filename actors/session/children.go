package session

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// childBegan makes a sub-agent a session of its own.
func (s *State) childBegan(d adapters.ChildBegan) {
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

// adoptAgain repeats what the lost actor may not have come to: the newest children's sessions; and asks what the children have
// open, since their words may have been lost with it.
func (s *State) adoptAgain() {
	s.family.adoptAgain(&s.writer, s.policy)
	s.askAskers()
	s.family.ask(&s.writer)
}

// askAskers asks those whose requests are open here whether they still are.
func (s *State) askAskers() {
	asked := map[string]bool{}
	for _, r := range s.requests.list() {
		if r.SessionID != "" && !asked[r.SessionID] {
			asked[r.SessionID] = true
			s.do(ToSession{r.SessionID, &TellRoot{Wake: true, Root: s.id}})
		}
	}
}

// A child's request has an id of its own in the root's log.

func childRequestID(id, child string) string { return id + "@" + child }

// childAsks shows a child's request in the root's log. It is the child's all the same: only the child resolves it.
func (s *State) childAsks(child string, asked protocol.RequestOpened, apart bool) {
	r := asked
	r.RequestID = childRequestID(asked.RequestID, child)
	if _, was := s.requests.resolved.get(r.RequestID); was || s.requests.open[r.RequestID] != nil || s.end != nil {
		return
	}
	r.SessionID, r.TurnID, r.EntryID = child, s.turn.ID(), s.family.children[child].EntryID
	s.emit(&r)
	s.requests.open[r.RequestID].apart = apart
}

func (s *State) childResolved(child string, resolved protocol.RequestResolved) {
	p := resolved
	p.RequestID = childRequestID(resolved.RequestID, child)
	if s.requests.open[p.RequestID] != nil {
		s.closeRequest(&p)
	}
}

// childReport takes the child's whole truth.
func (s *State) childReport(in *ChildReport) {
	open := map[string]bool{}
	for _, r := range in.Open {
		open[childRequestID(r.RequestID, in.ChildID)] = true
		s.childAsks(in.ChildID, r, in.Apart)
	}
	for _, p := range in.Resolved {
		if !open[childRequestID(p.RequestID, in.ChildID)] {
			s.childResolved(in.ChildID, p)
		}
	}
	s.dropChildRequests(in.ChildID, open)
}

// dropChildRequests closes what a child has open in the root's log, but for some.
func (s *State) dropChildRequests(child string, but map[string]bool) {
	for _, r := range s.requests.list() {
		if r.SessionID == child && !but[r.RequestID] {
			s.closeRequest(&protocol.RequestResolved{RequestID: r.RequestID, Outcome: protocol.OutcomeCancelled, By: byDaemon})
		}
	}
}

// passOn gives an answer to the child that asked; its word is the caller's answer.
func (s *State) passOn(r *request, in *Resolve) {
	passed := *in
	passed.RequestID = strings.TrimSuffix(in.RequestID, "@"+r.SessionID)
	s.do(ToSession{r.SessionID, &passed})
}

// report tells the root what this session has open.
func (s *State) report() {
	if !s.hasRoot() {
		return
	}
	in := &ChildReport{ChildID: s.id, Resolved: s.requests.lately()}
	for _, r := range s.requests.list() {
		if r.SessionID == "" && r.Kind != protocol.RequestCallerTool {
			in.Open = append(in.Open, r)
		}
	}
	s.do(ToRoot{in})
}

func (s *State) tellRoot() {
	s.report()
	s.family.ask(&s.writer)
}

// adopt takes up a sub-agent whose lane is there.
func (s *State) adopt() {
	if !s.meta.SubAgent || s.link.phase != linkNone {
		return
	}
	if s.end != nil {
		s.end = nil // the status event says so
	}
	s.startAgent(0)
}

// orphaned closes the queue of a sub-agent whose connection is gone: nobody starts it again but its parent's agent.
func (s *State) orphaned() {
	if s.meta.SubAgent {
		s.queue.clear(&s.writer, protocol.RemovedUnconnected)
	}
}
