package supervisor

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	findTimeout  = 20 * time.Second
	lookAgain    = time.Minute     // for a list
	lookOnceMore = 2 * time.Second // for a session of an agent that could not be used
)

// known is one agent of the configuration.
type known struct {
	agent        adapters.Agent
	installation adapters.Installation
	checked      time.Time
	looked       bool // at least once
	looking      bool
	waiting      []*Create
	offers       session.Offers
}

// offered keeps what an agent lets one choose. It may differ from folder to folder: the newest counts.
func (s *state) offered(m *offered) {
	x := s.members[m.id]
	if x == nil {
		return
	}
	if a := s.agents[x.summary.Agent]; a != nil {
		o := m.offers
		a.offers = session.Offers{KnownModels: o.KnownModels, KnownModes: o.KnownModes, Models: o.Models, Modes: o.Modes, AllModels: o.AllModels}
	}
}

// look finds the agent's program in a goroutine of its own: it may run the program to ask for its version.
func (s *state) look(a *known) {
	if a.looking {
		return
	}
	a.looking = true
	self, now, life := s.self, s.cfg.Now, s.life
	go func() { // ends with Find, which ends with its context
		ctx, cancel := context.WithTimeout(life, findTimeout)
		defer cancel()
		self.Send(&found{a.agent.Name(), a.agent.Find(ctx), now()})
	}()
}

func (s *state) agentFound(m *found) {
	a := s.agents[m.agent]
	if !m.installation.Late || a.installation.Program != m.installation.Program { // a busy machine takes away nothing that worked
		a.installation = m.installation
	}
	a.checked, a.looked, a.looking = m.at, true, false
	waiting := a.waiting
	a.waiting = nil
	for _, c := range waiting {
		if !usable(a.installation) {
			c.Fail(unavailable(m.agent, a.installation))
			continue
		}
		s.self.Send(c) // each by itself: what fails takes no other with it
	}
	s.answerAgents()
	s.drained()
}

// looking says that an agent's program may be running to say its version.
func (s *state) looking() bool {
	for _, a := range s.agents {
		if a.looking {
			return true
		}
	}
	return false
}

// usable says that the agent's program was found and answered.
func usable(i adapters.Installation) bool { return i.Program != "" && i.Problem == "" }

func unavailable(name string, i adapters.Installation) error {
	detail := i.Problem
	if detail == "" {
		detail = "The program of the agent " + name + " was not found."
	}
	return &protocol.Problem{Code: protocol.CodeAgentUnavailable, Detail: detail, Hint: i.Hint}
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
			Name: a.agent.Name(), Installation: a.installation, Capabilities: a.agent.Capabilities(), Checked: a.checked, Offers: a.offers,
		})
	}
	slices.SortFunc(list, func(a, b AgentInfo) int { return strings.Compare(a.Name, b.Name) })
	for _, m := range s.asking {
		m.Send(list)
	}
	s.asking = nil
}

func agentNames(agents map[string]*known) string {
	return strings.Join(slices.Sorted(maps.Keys(agents)), ", ")
}

func contextWithTimeout(d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), d)
}
