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
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/resume"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
	"go.uber.org/zap"
)

const startTimeout = 30 * time.Second

// delayAgent starts an agent after the delay that the session asked for, with jitter.
func (s *state) delayAgent(m *delayAgent) {
	x := s.members[m.id]
	if x == nil || x.pid == nil || x.stopping {
		return // of an actor that is gone: the next one asks anew
	}
	s.cancelStarting(x)
	x.wanted, x.incarnation = m.effect.Incarnation, max(x.incarnation, m.effect.Incarnation)
	if m.effect.Incarnation > 1 {
		s.health.agentRestarts.Add(1)
	}
	if m.effect.Delay == 0 {
		s.startAgent(&startAgent{m.id, m.effect})
		return
	}
	self, start := s.self, &startAgent{m.id, m.effect}
	x.starting = time.AfterFunc(s.cfg.jitter(m.effect.Delay), func() { self.Send(start) })
}

// cancelStart answers with an exit when the agent was not being started yet; else the session stops it once it is there.
func (s *state) cancelStart(m *cancelStart) {
	x := s.members[m.id]
	if x == nil || x.wanted != m.incarnation {
		return
	}
	if x.next == nil && (x.starting == nil || !x.starting.Stop()) {
		return
	}
	s.cancelStarting(x)
	s.failStart(x, m.incarnation, adapters.Exit{Code: -1, Requested: true, Error: "not started"})
}

// cancelStarting forgets what was to be started. A process that is on its way is ended when it comes.
func (s *state) cancelStarting(x *member) {
	if x.starting != nil {
		x.starting.Stop()
	}
	x.starting, x.wanted, x.next = nil, 0, nil
}

func (s *state) failStart(x *member, incarnation uint32, exit adapters.Exit) {
	x.ref.Send(session.Say(&session.Batch{Incarnation: incarnation, Number: 1, Exit: &exit}))
}

// startAgent launches the process in a goroutine of its own: fork and exec take milliseconds. Two processes never work on
// one session of an agent, so it waits for the end of the one before.
func (s *state) startAgent(m *startAgent) {
	x := s.members[m.id]
	if x == nil || x.pid == nil || x.wanted != m.effect.Incarnation {
		return
	}
	x.starting = nil
	a := s.agents[x.summary.Agent]
	if s.draining || a == nil {
		x.wanted = 0
		s.failStart(x, m.effect.Incarnation, adapters.Exit{Code: -1, Requested: true, Drained: true, Error: "the daemon is shutting down"})
		return
	}
	if x.process {
		x.next = m
		return
	}
	spec := m.effect.Spec
	spec.Private = s.vault.Folder()
	spec.Program, spec.Version = a.installation.Program, a.installation.Version
	if spec.Child {
		s.startChild(x, m, spec)
		return
	}
	x.process = true
	s.processes++
	spec.Endpoint = x.endpoint
	marker := fmt.Sprintf("%s/%s/%d", s.instance, m.id, m.effect.Incarnation)
	spec.Env = append(slices.Clone(s.cfg.Env), adapters.MarkerEnv+"="+marker)
	if x.given = ""; x.summary.MCP && s.cfg.Grant != nil {
		if spec.MCP, x.revoke = s.cfg.Grant(m.id, x.summary.Owner); spec.MCP != nil {
			x.given = spec.MCP.Name
		}
	}
	self, pool, transport, life, ref, roots := s.self, s.pool, s.cfg.Transport, s.life, x.ref, s.roots.All()
	fresh, log, tokens := x.summary.Turns == 0, s.cfg.Log, s.cfg.Tokens
	go func() { // ends with the start, which ends with its context
		ctx, cancel := context.WithTimeout(life, startTimeout)
		defer cancel()
		if spec.Resume {
			spec.Known, spec.Unbound = resume.IDs(ctx, ref, spec.Endpoint != nil)
			spec.Recall = spec.Recall && fresh && len(spec.Known)+len(spec.Unbound) == 0
		}
		if silent, is := a.agent.(adapters.Silent); is && spec.Recall && spec.Endpoint == nil {
			var err error
			if spec.Past, err = silent.Past(ctx, spec); err != nil { // the agent itself has it all the same
				log.Warn("read a session's past", zap.String("session", m.id), zap.Error(err))
			}
			for _, line := range spec.Past { // what comes over a connection has lost them already
				tokens.Mask(line)
			}
		}
		open := func(spec adapters.Spec) (adapters.Conn, error) {
			// It was one to work in when the session was made; that may be long ago.
			if err := workdir.Check(roots, spec.Cwd); err != nil {
				return nil, err
			}
			return pool.Open(ctx, a.agent, spec, transport)
		}
		self.Send(launch(ctx, &launched{id: m.id, effect: m.effect, spec: spec, roots: len(roots)}, a.agent, open, func() { self.Send(&processGone{m.id}) }))
	}()
}

func launch(ctx context.Context, m *launched, agent adapters.Agent, open func(adapters.Spec) (adapters.Conn, error), gone func()) *launched {
	if m.spec.Program == "" && m.spec.Endpoint == nil { // not looked for yet: a session of an earlier daemon
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

// watched is a connection that tells when nothing of its process is left.
type watched struct {
	adapters.Conn
	gone func()
}

func (w *watched) Wait() adapters.Exit {
	exit := w.Conn.Wait()
	w.gone()
	return exit
}

// bare is the connection itself, which may carry sub-agents.
func bare(c adapters.Conn) adapters.Conn {
	if w, ok := c.(*watched); ok {
		return w.Conn
	}
	return c
}

func (s *state) agentLaunched(m *launched) {
	x := s.members[m.id]
	wanted := x != nil && x.pid != nil && x.wanted == m.effect.Incarnation
	if wanted {
		x.wanted = 0
	}
	switch {
	case m.err != nil:
		if wanted {
			// The daemon's own end gives a start up: that is no failure of the agent's.
			_, held := errors.AsType[*protocol.Problem](m.err)
			x.held = held
			s.failStart(x, m.effect.Incarnation, adapters.Exit{Code: -1, Error: m.err.Error(), Requested: s.draining, Drained: s.draining, Held: held})
			if len(s.roots.All()) > m.roots { // one came meanwhile
				s.goOn(x)
			}
		}
		s.processGone(&processGone{m.id})
		return
	case !wanted:
		discard(m.conn)
		return
	}
	name := x.summary.Agent
	pid := s.ctx.Spawn(adapter.Props(adapter.Config{
		SessionID: m.id, Incarnation: m.effect.Incarnation, Conn: m.conn, Translator: s.agents[name].agent.Translator(m.spec),
		Images: session.Images{Dir: s.data.Images(m.id), Files: s.cfg.Files}, Log: s.cfg.Log, Unknown: func() { s.health.countUnknown(name) },
		Raw: s.record(x, m), Cwd: m.spec.Cwd, Vault: s.vault, Tokens: s.cfg.Tokens,
	}))
	s.children[pid.Id] = child{session: m.id, adapter: true}
	x.link = &link{m.effect.Incarnation, pid, bare(m.conn), ask.NewRef[session.AdapterMessage](s.ctx.ActorSystem().Root, pid)}
	s.health.agents.Add(1)
	x.ref.Send(session.Say(&session.AgentStarted{
		Incarnation: m.effect.Incarnation, Adapter: x.link.ref, WithoutMCP: x.summary.MCP && m.spec.MCP == nil,
	}))
	x.link.ref.Send(&session.Attach{Session: x.ref, Incarnation: m.effect.Incarnation})
	s.note(x)
}

// processGone lets the next agent of the session start.
func (s *state) processGone(m *processGone) {
	s.processes--
	if x := s.members[m.id]; x != nil {
		x.process = false
		x.revokeToken()
		if next := x.next; next != nil {
			x.next = nil
			s.startAgent(next)
		}
	}
	s.drained()
}

// discard ends an agent that nobody wants any more.
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

// jitter takes a random part, at least half.
func (c *Config) jitter(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return d/2 + time.Duration(c.Rand(int64(d/2+1)))
}
