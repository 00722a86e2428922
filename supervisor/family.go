package supervisor

import (
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/connection"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A sub-agent is a session that lives on its parent's connection: it is made when the parent's agent tells of it, has no
// process and no client of its own, and ends with its parent. A spawned session is one that its parent's agent made over the
// daemon's MCP server: it has a process of its own, and ends with its parent as well.

// Messages between sessions of a family.
type (
	// adoptChild is session.Host's AdoptChild.
	adoptChild struct {
		parent string
		child  session.AdoptChild
	}
	// toRoot is session.Host's ToRoot.
	toRoot struct {
		id   string
		body session.ChildMessage
	}
	// toSession is session.Host's ToSession.
	toSession struct {
		id   string
		body session.Message
	}
)

func (*adoptChild) message() {}
func (*toRoot) message()     {}
func (*toSession) message()  {}

// Undelivered implements ask.Undeliverable: a question in it is answered.
func (m *toSession) Undelivered(error) { ask.Undelivered(m.body) }

// maxDepth bounds how far a sub-agent's ancestors are followed.
const maxDepth = 64

// adopt takes up a sub-agent: its session is made, or told that its connection is there again.
func (s *state) adopt(m *adoptChild) {
	parent, x := s.members[m.parent], s.members[m.child.ChildID]
	if parent == nil || len(parent.deleting) > 0 || parent.summary.Status.State.Ended() || s.draining {
		return
	}
	if m.child.Again && !s.unclaimed(parent, m.child.NativeID) {
		return // it has its connection, or that is gone
	}
	switch {
	case x != nil && (x.link != nil || x.wanted > 0 || len(x.deleting) > 0):
	case s.workingChildren(s.connected(parent)) >= s.cfg.MaxChildren:
		s.cfg.Log.Warn("too many sub-agents", zap.String("session", m.parent), zap.Int("limit", s.cfg.MaxChildren))
	case x == nil:
		s.createChild(parent, &m.child)
	default:
		s.deliver(x, session.Say(&session.Adopt{}))
	}
}

// takeUpAgain takes up a sub-agent that began again before the connection that it had was put away.
func (s *state) takeUpAgain(x *member) {
	if parent := x.summary.ParentSessionID; x.summary.SubAgent {
		s.adopt(&adoptChild{parent, session.AdoptChild{ChildID: x.summary.ID, NativeID: x.summary.NativeSessionID, Again: true}})
	}
}

// unclaimed says that a sub-agent's connection waits for its session.
func (s *state) unclaimed(parent *member, native string) bool {
	if parent.link == nil {
		return false
	}
	f, ok := parent.link.conn.(connection.Family)
	return ok && f.Unclaimed(native)
}

// createChild makes the session of a sub-agent. What cannot be written must not exist; the parent goes on without it.
func (s *state) createChild(parent *member, c *session.AdoptChild) {
	meta := protocol.Metadata{
		Cwd: parent.summary.Cwd, Title: c.Title, ParentSessionID: parent.summary.ID, SubAgent: true, Policy: c.Policy,
		Owner: parent.summary.Owner,
	}
	now := s.cfg.Now().UTC().Truncate(time.Millisecond)
	x := &member{making: true, boot: s.boot, durability: s.cfg.Durability, summary: session.Summary{
		ID: c.ChildID, Agent: parent.summary.Agent, Cwd: meta.Cwd, Title: meta.Title, ParentSessionID: meta.ParentSessionID,
		SubAgent: true, Owner: meta.Owner, Policy: meta.Policy, NativeSessionID: c.NativeID, Created: now, Updated: now, Epoch: 1,
		Status: protocol.Status{State: protocol.StateStarting, AgentStatus: protocol.AgentQueued},
	}}
	s.join(x)
	s.health.sessions.Add(1)
	agent, native := parent.summary.Agent, c.NativeID
	s.spawn(x, s.makes(c.ChildID, nil), s.begins(session.Begin{Agent: agent, Metadata: meta, Start: true, NativeID: native}))
}

// startChild gives a sub-agent its connection, which its parent's carries.
func (s *state) startChild(x *member, m *startAgent, spec adapters.Spec) {
	var conn adapters.Conn
	ok := false
	if p := s.members[x.summary.ParentSessionID]; p != nil && p.link != nil {
		if parent, is := p.link.conn.(adapters.Parent); is {
			conn, ok = parent.Child(spec.NativeSessionID)
		}
	}
	if !ok {
		x.wanted = 0
		s.failStart(x, m.effect.Incarnation, adapters.Exit{Code: -1, Error: "the sub-agent's connection is gone"})
		return
	}
	if given := s.connected(x).given; given != "" { // one process, the same tools; its token is nobody's affair here
		spec.MCP = &adapters.MCPServer{Name: given}
	}
	x.process = true
	s.processes++
	self, id := s.self, m.id
	s.agentLaunched(&launched{id: id, effect: m.effect, spec: spec, conn: &watched{conn, func() { self.Send(&processGone{id}) }}})
}

// root is the session that a sub-agent or a spawned session works for in the end, or the last one that is there: people answer
// there what is asked below.
func (s *state) root(x *member) *member {
	for range maxDepth {
		p := s.members[x.summary.ParentSessionID]
		if !dependent(x) || p == nil {
			break
		}
		x = p
	}
	return x
}

// worksFor says that a session works for another one, directly or at any depth.
func (s *state) worksFor(x, other *member) bool {
	for range maxDepth {
		p := s.members[x.summary.ParentSessionID]
		if p == nil {
			return false
		}
		if p == other {
			return true
		}
		x = p
	}
	return false
}

// dependent says that a session ends with its parent.
func dependent(x *member) bool { return x.summary.SubAgent || x.summary.Spawned }

// connected is the session that has the connection of a sub-agent.
func (s *state) connected(x *member) *member {
	for range maxDepth {
		p := s.members[x.summary.ParentSessionID]
		if !x.summary.SubAgent || p == nil {
			break
		}
		x = p
	}
	return x
}

// workingChildren counts the sub-agents of a connection that are at work, or about to be connected. Those of some agents stay connected
// as long as their parent, and do nothing.
func (s *state) workingChildren(of *member) int {
	n := 0
	for _, x := range append(s.kin.all(of), of) {
		working := x.wanted > 0 || x.link != nil && x.summary.Status.State != protocol.StateIdle
		if x.summary.SubAgent && working && s.connected(x) == of {
			n++
		}
	}
	return n
}

// childrenOf are a session's own sub-agents and the sessions that its agent made.
func (s *state) childrenOf(id string) []*member {
	var list []*member
	for x := range s.kin.below[id] {
		if dependent(x) && len(x.deleting) == 0 {
			list = append(list, x)
		}
	}
	return list
}

// endChildren ends what a session that has ended leaves behind.
func (s *state) endChildren(x *member) {
	for _, c := range s.childrenOf(x.summary.ID) {
		s.endChild(c)
	}
}

func (s *state) endChild(x *member) {
	if !x.summary.Status.State.Ended() && !s.draining {
		s.deliver(x, session.Say(&session.End{Reason: "the session that it works for has ended", By: session.ByParent}))
	}
}

// orphaned says that the session with which this one ends has ended, or is not there.
func (s *state) orphaned(x *member) bool {
	if !dependent(x) || x.summary.Status.State.Ended() {
		return false
	}
	p := s.members[x.summary.ParentSessionID]
	return p == nil || p.summary.Status.State.Ended()
}

// childGone tells the root that a session below it reports nothing any more.
func (s *state) childGone(x *member) {
	if root := s.root(x); dependent(x) && root != x && root.pid != nil {
		root.ref.Send(session.Say(&session.ChildGone{ChildID: x.summary.ID}))
	}
}

// passToRoot sends to the root session. One without an actor misses nothing: it asks when it starts.
func (s *state) passToRoot(m *toRoot) {
	x := s.members[m.id]
	if x == nil {
		return
	}
	root := s.root(x)
	if root == x || root.pid == nil || dependent(root) {
		return
	}
	apart := s.connected(x) != root
	switch body := m.body.(type) {
	case *session.ChildAsks:
		body.Apart = apart
	case *session.ChildReport:
		body.Apart = apart
	default:
	}
	root.ref.Send(session.Say(m.body))
}

// passToSession sends to another session, started where it was passive.
func (s *state) passToSession(m *toSession) {
	x := s.members[m.id]
	tell, isTell := session.InputOf(m.body).(*session.TellRoot)
	gone := x == nil || len(x.deleting) > 0 || x.pid == nil && s.putAside(x) != nil
	switch {
	case s.draining && isNews(m.body):
		s.tellLater(m.body)
	case gone && isTell && tell.Wake: // it was not there to be told when that happened
		if root := s.members[tell.Root]; root != nil && root.pid != nil {
			root.ref.Send(session.Say(&session.ChildGone{ChildID: m.id}))
		}
	case gone, isTell && !tell.Wake && x.pid == nil, isNews(m.body) && x.pid == nil && x.summary.Status.State.Ended():
		ask.Undelivered(m.body)
	default:
		s.deliver(x, m.body)
	}
}

// isNews says that a message tells of another session: one that has ended needs none.
func isNews(m session.Message) bool {
	switch session.InputOf(m).(type) {
	case *session.ChildNews, *session.PromptSettled:
		return true
	default:
		return false
	}
}

// tellLater has a session tell its news when a later daemon starts: those that it goes to may take nothing any more.
func (s *state) tellLater(m session.Message) {
	from := ""
	switch in := session.InputOf(m).(type) {
	case *session.ChildNews:
		from = in.ChildID
	case *session.PromptSettled:
		from = in.SessionID
	default:
	}
	if x := s.members[from]; x != nil && !x.untold {
		x.untold = true
		s.note(x)
	}
}

// deliver sends a message to a session's actor, started where it was passive; one that is being put away gets it afterwards.
func (s *state) deliver(x *member, m session.Message) {
	switch {
	case s.draining && (x.pid == nil || x.stopping), x.pid == nil && s.putAside(x) != nil:
		ask.Undelivered(m)
	case x.pid != nil && !x.takes(s.draining):
		x.letters = append(x.letters, m)
	default:
		if x.pid == nil {
			s.activate(x)
		}
		x.ref.Send(m)
	}
}

// deliverLetters sends what waited while the session was being put away.
func (s *state) deliverLetters(x *member) {
	waiting := x.letters
	x.letters = nil
	for _, m := range waiting {
		if len(x.deleting) > 0 {
			ask.Undelivered(m)
			continue
		}
		s.deliver(x, m)
	}
}

// busyFamilies are the sessions that have a sub-agent at work, at any depth: putting them away would end it.
func (s *state) busyFamilies() map[*member]bool {
	busy := map[*member]bool{}
	for _, x := range s.members {
		if !x.summary.SubAgent || x.pid == nil || !x.summary.Status.State.Busy() {
			continue
		}
		for p := s.members[x.summary.ParentSessionID]; p != nil && !busy[p]; p = s.members[p.summary.ParentSessionID] {
			busy[p] = true
			if !p.summary.SubAgent {
				break
			}
		}
	}
	return busy
}
