package core

import (
	"time"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// families passes messages between sessions that work for one another. A sub-agent is a session that lives on its parent's connection: it is made when
// the parent's agent tells of it, has no process and no client of its own, and ends with its parent. A spawned session is one that its parent's agent
// made over the daemon's MCP server: it has a process of its own, and ends with its parent as well.
type families struct{ moves }

// adopt takes up a sub-agent: its session is made, or told that its connection is there again.
func (s *families) adopt(in *AdoptChild) {
	parent, x := s.members.get(in.Parent), s.members.byID[in.Child.ChildID]
	if parent == nil || parent.ended() || s.draining {
		return
	}
	if in.Child.Again && !in.Unclaimed {
		return // it has its connection, or that is gone
	}
	switch {
	case x != nil && (x.linked != 0 || x.wanted > 0 || x.deleted()):
	case s.members.workingChildren(s.members.connected(parent)) >= s.cfg.MaxChildren:
		s.out.add(TooMany{in.Parent, s.cfg.MaxChildren})
	case x == nil:
		s.createChild(parent, &in.Child)
	default:
		s.deliver(x, Letter{Input: &session.Adopt{}})
	}
}

// createChild makes the session of a sub-agent. Where its log cannot be written there is no session, and the parent goes on without it.
func (s *families) createChild(parent *member, c *session.AdoptChild) {
	up := parent.summary
	meta := protocol.Metadata{Cwd: up.Cwd, Title: c.Title, ParentSessionID: up.ID, SubAgent: true, Policy: c.Policy, Owner: up.Owner}
	s.birth(c.ChildID, up.Agent, &meta, Key{}, session.Begin{Agent: up.Agent, Metadata: meta, Start: true, NativeID: c.NativeID}, newMember(nil))
}

// birth begins a session.
func (s *families) birth(id, agent string, meta *protocol.Metadata, key Key, begin session.Begin, x *member) {
	now := s.now.UTC().Truncate(time.Millisecond)
	x.making, x.boot, x.durability = true, s.cfg.Boot, s.cfg.Durability
	x.summary = &session.Summary{
		ID: id, Agent: agent, Cwd: meta.Cwd, Title: meta.Title, Model: meta.Model, AskedModel: meta.Model, Labels: meta.Labels,
		ParentSessionID: meta.ParentSessionID, SubAgent: meta.SubAgent, Policy: meta.Policy, NativeSessionID: begin.NativeID,
		Owner: meta.Owner, Via: meta.Via, Spawned: meta.Spawned, MCP: meta.MCP, Budget: meta.Budget,
		Created: now, Updated: now, Epoch: 1,
		Status: protocol.Status{State: protocol.StateStarting, AgentStatus: protocol.AgentQueued},
	}
	s.join(x)
	s.out.add(Make{ID: id, Life: s.begin(x), Key: key, Begin: begin})
	s.begun(x)
}

// passToRoot sends to the root session. One without an actor misses nothing: it asks when it starts.
func (s *families) passToRoot(in *ToRoot) {
	x := s.members.byID[in.ID]
	if x == nil {
		return
	}
	root := s.members.root(x)
	if root == x || !root.live || dependent(root) {
		return
	}
	apart := s.members.connected(x) != root
	switch body := in.Message.(type) {
	case *session.ChildAsks:
		body.Apart = apart
	case *session.ChildReport:
		body.Apart = apart
	default:
	}
	s.tell(root, in.Message)
}

// passToSession sends to another session, started where it was passive.
func (s *families) passToSession(in *ToSession) {
	x := s.members.byID[in.ID]
	tell, isTell := in.Letter.Input.(*session.TellRoot)
	gone := x == nil || x.deleted() || !x.live && s.putAside(x) != nil
	switch {
	case s.draining && isNews(in.Letter.Input):
		s.tellLater(in.Letter.Input)
		s.out.add(Lose{in.Letter})
	case gone && isTell && tell.Wake: // it was not there to be told when that happened
		if root := s.members.byID[tell.Root]; root != nil && root.live {
			s.tell(root, &session.ChildGone{ChildID: in.ID})
		}
		s.out.add(Lose{in.Letter})
	case gone, isTell && !tell.Wake && !x.live, isNews(in.Letter.Input) && !x.live && x.ended():
		s.out.add(Lose{in.Letter})
	default:
		s.deliver(x, in.Letter)
	}
}

// isNews says that a message tells of another session: one that has ended needs none.
func isNews(in session.Input) bool {
	switch in.(type) {
	case *session.ChildNews, *session.PromptSettled:
		return true
	default:
		return false
	}
}

// tellLater has a session send its news again when a later daemon starts: in a drain the receiver may take nothing any more.
func (s *families) tellLater(news session.Input) {
	from := ""
	switch in := news.(type) {
	case *session.ChildNews:
		from = in.ChildID
	case *session.PromptSettled:
		from = in.SessionID
	default:
	}
	if x := s.members.byID[from]; x != nil && !x.untold {
		x.untold = true
		s.note(x)
	}
}
