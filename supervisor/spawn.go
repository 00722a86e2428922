package supervisor

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// checkParent looks at the session that a new one is to work for, and gives it what goes down from there: the owner, and to one that
// the parent's agent makes also the policy and, where it names none, the folder. An agent must not get around its limits by
// making others.
func (s *state) checkParent(n *NewSession) error {
	if n.ParentID == "" {
		return nil
	}
	parent := s.members[n.ParentID]
	if parent == nil || len(parent.deleting) > 0 {
		return &protocol.Problem{
			Code: protocol.CodeSessionNotFound, Detail: "The parent session is not there.", Hint: protocol.TermListSessions + " lists the sessions.",
		}
	}
	if parent.summary.Status.State.Ended() {
		return &protocol.Problem{
			Code: protocol.CodeSessionEnded, Detail: "The parent session has ended.", Hint: "Name one that has not, or none.",
		}
	}
	n.Owner = parent.summary.Owner
	if !n.Spawned {
		return nil
	}
	n.Policy = parent.summary.Policy
	if n.Cwd == "" {
		n.Cwd = parent.summary.Cwd
	}
	if depth := s.spawnDepth(parent) + 1; depth > s.cfg.SpawnDepth {
		return &protocol.Problem{
			Code:   protocol.CodeForbidden,
			Detail: fmt.Sprintf("Sessions that agents make may work for each other %d deep, and this one would be below.", s.cfg.SpawnDepth),
			Hint:   "Do the work here, or leave it to the session above.",
		}
	}
	root, active := s.root(parent), 0
	for _, x := range append(s.kin.all(root), root) {
		if x.summary.Spawned && !x.summary.Status.State.Ended() && s.root(x) == root {
			active++
		}
	}
	if active >= s.cfg.SpawnLimit {
		return &protocol.Problem{
			Code: protocol.CodeOverloaded, Detail: fmt.Sprintf("%d sessions that agents made here have not ended, which is the limit.", active),
			Hint: "End those that have done their work (" + protocol.TermEndSession + "), or send further messages to them.",
		}
	}
	return nil
}

// checkFolder refuses a folder in which the policy that goes down to a new session would mean something else: patterns of paths count
// from the session's folder (spec §4.10).
func (s *state) checkFolder(n *NewSession) error {
	if !n.Spawned || n.Cwd == s.members[n.ParentID].summary.Cwd || !relativeRules(n.Policy) {
		return nil
	}
	return &protocol.Problem{
		Code: protocol.CodeForbidden, Detail: "The session's policy has rules about paths below its folder, which would mean others elsewhere.",
		Hint: "Leave cwd out: the new session then works in the same folder.",
	}
}

func relativeRules(p *protocol.Policy) bool {
	return p != nil && slices.ContainsFunc(p.Rules, func(r protocol.PolicyRule) bool {
		kind := protocol.ToolKind(strings.ToLower(r.Tool))
		return kind != protocol.ToolExecute && kind != protocol.ToolFetch && strings.Trim(r.Pattern, "*") != "" && !path.IsAbs(r.Pattern)
	})
}

// spawnDepth is how many sessions that agents made stand above and at a session, up to the one that a client made.
func (s *state) spawnDepth(x *member) int {
	depth := 0
	for range maxDepth {
		if x.summary.Spawned {
			depth++
		}
		p := s.members[x.summary.ParentSessionID]
		if !dependent(x) || p == nil {
			break
		}
		x = p
	}
	return depth
}

// checkMCP refuses to give the MCP server to an agent that cannot be given it.
func (s *state) checkMCP(n *NewSession) error {
	switch {
	case !n.MCP:
		return nil
	case !s.agents[n.Agent].agent.Capabilities().MCP:
		return &protocol.Problem{
			Code: protocol.CodeNotSupported, Detail: "The agent " + n.Agent + " takes no MCP server.",
			Hint: protocol.TermListAgents + " says which do (" + protocol.TermMCPCapability + ").",
		}
	case n.Endpoint != nil:
		return &protocol.Problem{
			Code: protocol.CodeNotSupported, Detail: "An agent that runs already is given no MCP server.",
			Hint: "Leave out mcp, or endpoint; or put the daemon's MCP server into the agent's own configuration.",
		}
	case s.cfg.Grant == nil:
		return &protocol.Problem{
			Code: protocol.CodeUnavailable, Detail: "The daemon listens on no port of this machine, so agents do not reach its MCP server.",
			Hint: "Start it with --listen 127.0.0.1:7433.",
		}
	}
	return nil
}

// tellChildren tells a session's new actor of those that work for it: it may have missed the first time. Those that have agents of
// their own may also have asked something while it had no actor, and come to an end: they say what they have open, and what became of
// them.
func (s *state) tellChildren(x *member) {
	for _, c := range s.kin.all(x) {
		if c.summary.ParentSessionID == x.summary.ID && !c.summary.SubAgent && c.creating == nil {
			x.ref.Send(session.Say(&session.ChildSpawned{ChildID: c.summary.ID, Title: c.summary.Title}))
		}
		if c != x && c.pid != nil && !c.stopping && s.root(c) == x && s.connected(c) != x {
			c.ref.Send(session.Say(&session.TellRoot{}))
		}
		if c.pid != nil && !c.stopping && s.worksFor(c, x) {
			c.ref.Send(session.Say(&session.TellNews{}))
		}
	}
}
