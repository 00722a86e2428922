package supervisor

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/adapter"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/pace"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/launching"
)

// launch starts a process in a goroutine of its own: fork and exec take milliseconds.
func (s *state) launch(e core.Launch) {
	h, roots := s.homes.of(e.ID), s.roots.All()
	start := &launching.Start{Agent: s.agents[e.Agent], Spec: e.Start.Spec, Session: h.ref, Roots: roots, Fresh: e.Fresh, Unasked: e.Start.Unasked}
	spec := &start.Spec
	spec.Private = s.vault.Folder()
	spec.Program, spec.Version = e.Installation.Program, e.Installation.Version
	spec.Endpoint = e.Endpoint
	marker := fmt.Sprintf("%s/%s/%d", s.instance, e.ID, e.Start.Incarnation)
	spec.Env = append(slices.Clone(s.cfg.Env), adapters.MarkerEnv+"="+marker)
	if h.given = ""; e.MCP && s.cfg.Grant != nil {
		if spec.MCP, h.revoke = s.cfg.Grant(e.ID, e.Owner); spec.MCP != nil {
			h.given = spec.MCP.Name
		}
	}
	turn := launching.NewTurn(s.life)
	h.turn = turn
	self, launcher, life := s.self, s.launcher, s.life
	go func() { // ends with the start, which ends with its context
		m := &launched{id: e.ID, effect: e.Start, roots: len(roots)}
		b := launcher.Launch(life, turn, start)
		if m.spec, m.err, m.up = b.Spec, b.Err, b.Up; b.Err == nil {
			m.conn = &watched{b.Conn, func() {
				b.Up()
				self.Send(&processGone{e.ID})
			}}
		}
		self.Send(m)
	}()
}

// launchChild gives a sub-agent its connection, which its parent's carries.
func (s *state) launchChild(e core.LaunchChild) {
	m := &launched{id: e.ID, effect: e.Start, spec: e.Start.Spec, roots: len(s.roots.All())}
	m.spec.Private = s.vault.Folder()
	m.spec.Program, m.spec.Version = e.Installation.Program, e.Installation.Version
	if conn := s.homes.child(e.Parent, m.spec.NativeSessionID); conn != nil {
		if h := s.homes[e.Process]; h != nil && h.given != "" { // the parent's process has the tools and the token; the translator needs the name alone
			m.spec.MCP = &adapters.MCPServer{Name: h.given}
		}
		self := s.self
		m.conn = &watched{conn, func() { self.Send(&processGone{e.ID}) }}
	} else {
		m.err = errors.New("the sub-agent's connection is gone")
	}
	s.next = append(s.next, m)
}

// watched is a connection that calls gone when nothing of its process is left.
type watched struct {
	adapters.Conn
	gone func()
}

func (w *watched) Wait() adapters.Exit {
	exit := w.Conn.Wait()
	w.gone()
	return exit
}

// bare unwraps a watched connection: the lane inside gives the connections of sub-agents.
func bare(c adapters.Conn) adapters.Conn {
	if w, ok := c.(*watched); ok {
		return w.Conn
	}
	return c
}

// agentLaunched has the core decide what becomes of an agent that was launched.
func (s *state) agentLaunched(m *launched) {
	if h := s.homes[m.id]; h != nil {
		h.launched()
	}
	_, held := errors.AsType[*protocol.Problem](m.err)
	s.arrived = m
	s.step(&core.Launched{ID: m.id, Incarnation: m.effect.Incarnation, Err: m.err, Held: held, Roots: m.roots})
	s.arrived = nil
}

// attach starts the actor of the agent that has arrived, and gives it to its session.
func (s *state) attach(e core.Attach) {
	m, h := s.arrived, s.homes.of(e.ID)
	pid := s.ctx.Spawn(adapter.Props(adapter.Config{
		SessionID: e.ID, Incarnation: e.Incarnation, Conn: m.conn, Translator: s.agents[e.Agent].Translator(m.spec),
		Images: session.Images{Dir: s.data.Images(e.ID), Files: s.cfg.Files}, Log: s.cfg.Log, Unknown: func() { s.health.countUnknown(e.Agent) },
		Raw: h.record(m, s.data, &s.cfg, &s.health.raw), Cwd: m.spec.Cwd, Vault: s.vault, Tokens: s.cfg.Tokens, Pace: speaker(s.health.pace, s.agents[e.Agent]),
		Prices: s.cfg.Prices, Up: m.up,
	}))
	s.children[pid.Id] = child{session: e.ID, incarnation: e.Incarnation}
	h.link = &link{pid, bare(m.conn), ask.NewRef[session.AdapterMessage](s.ctx.ActorSystem().Root, pid)}
	s.health.agents.Add(1)
	h.ref.Send(session.Say(&session.AgentStarted{
		Incarnation: e.Incarnation, Adapter: h.link.ref, WithoutMCP: e.MCP && m.spec.MCP == nil,
	}))
	h.link.ref.Send(&session.Attach{Session: h.ref, Incarnation: e.Incarnation})
}

// speaker is that of a connection's own reader. What comes over a lane was read by the connection that it is a part of, which has one for all.
func speaker(k *pace.Keeper, agent adapters.Agent) *pace.Speaker {
	if _, lanes := agent.(adapters.Splitting); lanes {
		return nil
	}
	return k.Speaker()
}

// discard ends an agent whose start was cancelled, and reads its output to the end, so that it does not block on its pipe.
func discard(c adapters.Conn) {
	c.Stop(0)
	go func() { // ends with the agent
		buf := make([]byte, 4096)
		for {
			if _, err := c.Output().Read(buf); err != nil {
				c.Wait()
				return
			}
		}
	}()
}
