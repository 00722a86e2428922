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
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	findTimeout  = 10 * time.Second
	startTimeout = 30 * time.Second
	lookAgain    = time.Minute
)

// known is one agent of the configuration.
type known struct {
	agent        adapters.Agent
	installation adapters.Installation
	checked      time.Time
	looked       bool // at least once
	looking      bool
	waiting      []*Create
}

// look finds the agent's program in a goroutine of its own: it may run the program to ask for its version.
func (s *state) look(a *known) {
	if a.looking {
		return
	}
	a.looking = true
	self, now := s.self, s.cfg.Now
	go func() { // ends with Find, which ends with its context
		ctx, cancel := contextWithTimeout(findTimeout)
		defer cancel()
		self.Send(&found{a.agent.Name(), a.agent.Find(ctx), now()})
	}()
}

func (s *state) agentFound(m *found) {
	a := s.agents[m.agent]
	a.installation, a.checked, a.looked, a.looking = m.installation, m.at, true, false
	waiting := a.waiting
	a.waiting = nil
	for _, c := range waiting {
		if a.installation.Program == "" {
			c.Fail(unavailable(m.agent, a.installation))
			continue
		}
		s.create(c)
	}
	s.answerAgents()
}

func unavailable(name string, i adapters.Installation) error {
	detail := i.Problem
	if detail == "" {
		detail = "The program of the agent was not found."
	}
	return &protocol.Problem{Code: protocol.CodeAgentUnavailable, Detail: name + ": " + detail, Hint: i.Hint}
}

// listAgents answers once every agent has been looked for lately.
func (s *state) listAgents(m *ListAgents) {
	for _, a := range s.agents {
		if !a.looked || s.cfg.Now().Sub(a.checked) > lookAgain {
			s.look(a)
		}
	}
	s.asking = append(s.asking, m)
	s.answerAgents()
}

func (s *state) answerAgents() {
	if len(s.asking) == 0 {
		return
	}
	var list []AgentInfo
	for _, a := range s.agents {
		if a.looking {
			return
		}
		list = append(list, AgentInfo{
			Name: a.agent.Name(), Installation: a.installation, Capabilities: a.agent.Capabilities(), Checked: a.checked,
		})
	}
	slices.SortFunc(list, func(a, b AgentInfo) int { return strings.Compare(a.Name, b.Name) })
	for _, m := range s.asking {
		m.Send(list)
	}
	s.asking = nil
}

func (s *state) agentNames() string {
	names := make([]string, 0, len(s.agents))
	for n := range s.agents {
		names = append(names, n)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// delayAgent starts an agent after the delay that the session asked for, with jitter.
func (s *state) delayAgent(m *delayAgent) {
	x := s.members[m.id]
	if x == nil {
		return
	}
	x.wanted = m.effect.Incarnation
	if m.effect.Incarnation > 1 {
		s.health.agentRestarts.Add(1)
	}
	if m.effect.Delay == 0 {
		s.startAgent(&startAgent{m.id, m.effect})
		return
	}
	self, start := s.self, &startAgent{m.id, m.effect}
	x.starting = time.AfterFunc(s.jitter(m.effect.Delay), func() { self.Send(start) })
}

// cancelStart answers with an exit when the agent was not being started yet; else the session stops it once it is there.
func (s *state) cancelStart(m *cancelStart) {
	x := s.members[m.id]
	if x == nil || x.wanted != m.incarnation || x.starting == nil || !x.starting.Stop() {
		return
	}
	x.starting, x.wanted = nil, 0
	s.failStart(x, m.incarnation, adapters.Exit{Code: -1, Requested: true, Error: "not started"})
}

func (s *state) failStart(x *member, incarnation uint32, exit adapters.Exit) {
	x.ref.Send(&session.Batch{Incarnation: incarnation, Number: 1, Exit: &exit})
}

// startAgent launches the process in a goroutine of its own: fork and exec take milliseconds.
func (s *state) startAgent(m *startAgent) {
	x := s.members[m.id]
	if x == nil || x.pid == nil || x.wanted != m.effect.Incarnation {
		return
	}
	x.starting = nil
	a := s.agents[x.summary.Agent]
	if s.draining || a == nil {
		s.failStart(x, m.effect.Incarnation, adapters.Exit{Code: -1, Requested: true, Error: "the daemon is shutting down"})
		return
	}
	spec := m.effect.Spec
	spec.Program, spec.Version = a.installation.Program, a.installation.Version
	marker := fmt.Sprintf("%s/%s/%d", s.instance, m.id, m.effect.Incarnation)
	spec.Env = append(slices.Clone(s.cfg.Env), adapters.MarkerEnv+"="+marker)
	self, transport := s.self, s.cfg.Transport
	go func() { // ends with the start
		ctx, cancel := contextWithTimeout(startTimeout)
		defer cancel()
		if spec.Program == "" { // not looked for yet: a session of an earlier daemon
			i := a.agent.Find(ctx)
			if i.Program == "" {
				self.Send(&launched{id: m.id, effect: m.effect, err: errors.New(strings.TrimSpace(i.Problem + " " + i.Hint))})
				return
			}
			spec.Program, spec.Version = i.Program, i.Version
		}
		conn, err := transport.Start(ctx, a.agent.Launch(spec))
		self.Send(&launched{id: m.id, effect: m.effect, spec: spec, conn: conn, err: err})
	}()
}

func (s *state) agentLaunched(m *launched) {
	x := s.members[m.id]
	if x == nil || x.pid == nil || x.wanted != m.effect.Incarnation {
		if m.conn != nil {
			discard(m.conn)
		}
		return
	}
	if m.err != nil {
		x.wanted = 0
		s.failStart(x, m.effect.Incarnation, adapters.Exit{Code: -1, Error: m.err.Error()})
		return
	}
	a := s.agents[x.summary.Agent]
	name := x.summary.Agent
	pid := s.ctx.Spawn(adapter.Props(adapter.Config{
		SessionID: m.id, Incarnation: m.effect.Incarnation, Conn: m.conn, Translator: a.agent.Translator(m.spec),
		Images: session.Images{Dir: s.data.images(m.id)}, Log: s.cfg.Log, Unknown: func() { s.health.countUnknown(name) },
	}))
	s.pids[pid.Id] = m.id
	x.link = &link{m.effect.Incarnation, pid, ask.NewRef[session.AdapterMessage](s.ctx.ActorSystem().Root, pid)}
	s.health.agents.Add(1)
	x.ref.Send(&session.AgentStarted{Incarnation: m.effect.Incarnation, Adapter: x.link.ref})
	x.link.ref.Send(&session.Attach{Session: x.ref})
	s.note(x)
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

func contextWithTimeout(d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), d)
}

var notStarted = adapters.Exit{Code: -1, Requested: true, Error: "the daemon is shutting down"}
