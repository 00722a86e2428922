package supervisor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/adapter"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/pace"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/resume"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
	"go.uber.org/zap"
)

const startTimeout = 30 * time.Second

// launch starts a process in a goroutine of its own: fork and exec take milliseconds.
func (s *state) launch(e core.Launch) {
	a, h, spec := s.agents[e.Agent], s.homes.of(e.ID), e.Start.Spec
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
	self, pool, transport, life, ref, roots := s.self, s.pool, s.cfg.Transport, s.life, h.ref, s.roots.All()
	fresh, log, tokens := e.Fresh, s.cfg.Log, s.cfg.Tokens
	go func() { // ends with the start, which ends with its context
		ctx, cancel := context.WithTimeout(life, startTimeout)
		defer cancel()
		if spec.Resume {
			spec.Known, spec.Unbound = resume.IDs(ctx, ref, spec.Endpoint != nil)
			spec.Recall = spec.Recall && fresh && len(spec.Known)+len(spec.Unbound) == 0
		}
		if silent, is := a.(adapters.Silent); is && spec.Recall && spec.Endpoint == nil {
			var err error
			if spec.Past, err = silent.Past(ctx, spec); err != nil { // only logged: the log lacks the earlier conversation, the agent has it
				log.Warn("read a session's past", zap.String("session", e.ID), zap.Error(err))
			}
			for _, line := range spec.Past { // lines that come over a connection are masked there
				tokens.Mask(line)
			}
		}
		open := func(spec adapters.Spec) (adapters.Conn, error) {
			// The folder was inside a root when the session was made; roots and links may have changed since.
			if err := workdir.Check(roots, spec.Cwd); err != nil {
				return nil, err
			}
			return pool.Open(ctx, a, spec, transport)
		}
		self.Send(started(ctx, &launched{id: e.ID, effect: e.Start, spec: spec, roots: len(roots)}, a, open, func() { self.Send(&processGone{e.ID}) }))
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

func started(ctx context.Context, m *launched, agent adapters.Agent, open func(adapters.Spec) (adapters.Conn, error), gone func()) *launched {
	if m.spec.Program == "" && m.spec.Endpoint == nil { // the agent was not looked for yet: the session is of an earlier daemon
		i := agent.Find(ctx)
		if i.Program == "" {
			m.err = errors.New(strings.TrimSpace(i.Problem + " " + i.Hint))
			return m
		}
		m.spec.Program, m.spec.Version = i.Program, i.Version
	}
	conn, err := open(m.spec)
	failpoint.Hit("supervisor/afterSpawn")
	if m.err = err; err == nil {
		m.conn = &watched{conn, gone}
	}
	return m
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
		Prices: s.cfg.Prices,
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
