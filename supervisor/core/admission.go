package core

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/endpoint"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
)

// admission checks a new session that a client wants. It refuses what the agent cannot do, what is over the daemon's limits, and what would get
// around a parent's limits. It changes nothing but the wish, into which it fills what a session inherits from its parent.
type admission struct {
	cfg     *Config
	members *members
	agents  *agents
	budgets *budgets
	roots   []string
}

// refuse gives the first reason; nil: there is none.
func (s *admission) refuse(n *NewSession, w workdir.Place) error {
	if s.agents.known[n.Agent] == nil {
		return s.agents.unknown()
	}
	if err := checkName("model", n.Model); err != nil {
		return err
	}
	if err := s.checkMode(n); err != nil {
		return err
	}
	if err := s.checkAttach(n); err != nil {
		return err
	}
	if err := s.checkParent(n); err != nil {
		return err
	}
	if err := s.budgets.refusesOwner(n.Owner, n.ParentID != ""); err != nil {
		return err
	}
	if err := s.checkMCP(n); err != nil {
		return err
	}
	if err := w.Settle(s.roots, &n.Cwd); err != nil {
		return err
	}
	if err := s.checkFolder(n); err != nil {
		return err
	}
	if active := s.members.kin.active; active >= s.cfg.MaxSessions {
		return &protocol.Problem{
			Code: protocol.CodeOverloaded, Detail: fmt.Sprintf("%d sessions have not ended, which is the limit.", active),
			Hint: "End sessions with " + protocol.TermEndSession + ".",
		}
	}
	return nil
}

// checkMode refuses a mode where the agent has no modes to choose.
func (s *admission) checkMode(n *NewSession) error {
	if n.Mode != "" && !s.agents.known[n.Agent].capabilities.Modes {
		return &protocol.Problem{
			Code: protocol.CodeNotSupported, Detail: "The agent " + n.Agent + " has no modes to choose.",
			Hint: "Leave mode out; " + protocol.TermListAgents + " says which agents have some.",
		}
	}
	return checkName("mode", n.Mode)
}

// checkName refuses what an agent could take for something else on its command line than the name of a model or a mode.
func checkName(what, name string) error {
	if strings.HasPrefix(name, "-") || len(name) > 256 || strings.ContainsFunc(name, unicode.IsControl) {
		return &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "This is no name of a " + what + ".",
			Hint: "Names have at most 256 bytes, no control characters, and do not begin with a hyphen.",
		}
	}
	return nil
}

// checkAttach refuses to attach to an agent that cannot be attached to, to continue an agent's own session where the agent cannot, and two sessions on
// one session of the agent's.
func (s *admission) checkAttach(n *NewSession) error {
	capabilities := s.agents.known[n.Agent].capabilities
	if n.Endpoint != nil {
		if !capabilities.Attach {
			return &protocol.Problem{
				Code: protocol.CodeNotSupported, Detail: "The agent " + n.Agent + " cannot be attached to.",
				Hint: "Leave out endpoint: the daemon starts the agent.",
			}
		}
		if err := endpoint.Check(n.Endpoint, s.cfg.AttachHosts); err != nil {
			return err
		}
	}
	if n.NativeSessionID == "" {
		return nil
	}
	if !capabilities.Resume {
		return &protocol.Problem{
			Code: protocol.CodeNotSupported, Detail: "The agent " + n.Agent + " cannot go on with a session of its own.",
			Hint: "Leave out " + protocol.TermNativeSessionID + ".",
		}
	}
	if len(n.NativeSessionID) > 256 || strings.HasPrefix(n.NativeSessionID, "-") || strings.ContainsFunc(n.NativeSessionID, notInNativeID) ||
		strings.Trim(n.NativeSessionID, ".") == "" {
		return &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "This is no id of an agent's session.",
			Hint: "At most 256 letters, digits, and . _ : -; a hyphen does not begin it, and it is more than dots.",
		}
	}
	for _, x := range s.members.onNative(n.Agent, n.NativeSessionID) {
		if !x.ended() && !x.deleted() {
			which := ""
			if n.Owner == "" || n.Owner == x.summary.Owner { // an owner must not learn of other owners' sessions
				which = ": " + x.summary.ID
			}
			return &protocol.Problem{
				Code: protocol.CodeConflict, Detail: "Another session works with this session of the agent" + which + ".",
				Hint: "Use that one, or end it first.",
			}
		}
	}
	return nil
}

// notInNativeID keeps ids from being taken for paths or options.
func notInNativeID(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._:-", r)
}

// checkParent looks at the session that a new one is to work for, and fills in what the new one inherits: the owner, and where the parent's
// agent makes it also the policy and, where it names none, the folder. An agent must not get around its limits by making sessions.
func (s *admission) checkParent(n *NewSession) error {
	if n.ParentID == "" {
		return nil
	}
	parent := s.members.get(n.ParentID)
	if parent == nil {
		return &protocol.Problem{
			Code: protocol.CodeSessionNotFound, Detail: "The parent session is not there.", Hint: protocol.TermListSessions + " lists the sessions.",
		}
	}
	if parent.ended() {
		return &protocol.Problem{
			Code: protocol.CodeSessionEnded, Detail: "The parent session has ended.", Hint: "Name one that has not, or none.",
		}
	}
	if err := s.budgets.refuses(parent.summary); err != nil {
		return err
	}
	n.Owner = parent.summary.Owner
	if !n.Spawned {
		return nil
	}
	n.Policy = parent.summary.Policy
	if n.Cwd == "" {
		n.Cwd = parent.summary.Cwd
	}
	if depth := s.members.spawnDepth(parent) + 1; depth > s.cfg.SpawnDepth {
		return &protocol.Problem{
			Code:   protocol.CodeForbidden,
			Detail: fmt.Sprintf("Sessions that agents make may work for each other %d deep, and this one would be below.", s.cfg.SpawnDepth),
			Hint:   "Do the work here, or leave it to the session above.",
		}
	}
	root, active := s.members.root(parent), 0
	for _, x := range append(s.members.kin.all(root), root) {
		if x.summary.Spawned && !x.ended() && s.members.root(x) == root {
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

// checkFolder refuses a folder in which an inherited policy would mean something else: patterns of relative paths count from the
// session's folder (spec §4.10).
func (s *admission) checkFolder(n *NewSession) error {
	if !n.Spawned || n.Cwd == s.members.byID[n.ParentID].summary.Cwd || !relativeRules(n.Policy) {
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

// checkMCP refuses to give the MCP server to an agent that cannot be given it.
func (s *admission) checkMCP(n *NewSession) error {
	switch {
	case !n.MCP:
		return nil
	case !s.agents.known[n.Agent].capabilities.MCP:
		return &protocol.Problem{
			Code: protocol.CodeNotSupported, Detail: "The agent " + n.Agent + " takes no MCP server.",
			Hint: protocol.TermListAgents + " says which do (" + protocol.TermMCPCapability + ").",
		}
	case n.Endpoint != nil:
		return &protocol.Problem{
			Code: protocol.CodeNotSupported, Detail: "An agent that runs already is given no MCP server.",
			Hint: "Leave out mcp, or endpoint; or put the daemon's MCP server into the agent's own configuration.",
		}
	case !s.cfg.Grants:
		return &protocol.Problem{
			Code: protocol.CodeUnavailable, Detail: "The daemon listens on no port of this machine, so agents do not reach its MCP server.",
			Hint: "Start it with --listen 127.0.0.1:7433.",
		}
	}
	return nil
}
