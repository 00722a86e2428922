package core

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	lookAgain    = time.Minute     // for a list
	lookOnceMore = 2 * time.Second // for a session of an agent that could not be used
)

// agent is one of the configuration.
type agent struct {
	name         string
	capabilities adapters.Capabilities
	installation adapters.Installation
	checked      time.Time
	looked       bool // at least once
	looking      bool
	waiting      []Ticket // of sessions that are to be made
	offers       session.Offers
}

// usable says that the agent's program was found and answered.
func (a *agent) usable() bool { return a.installation.Program != "" && a.installation.Problem == "" }

// agents are the agents that there are, by name.
type agents struct {
	known  map[string]*agent
	asking []Ticket // for the list
}

func newAgents(all map[string]adapters.Capabilities) agents {
	s := agents{known: map[string]*agent{}}
	for name, c := range all {
		s.known[name] = &agent{name: name, capabilities: c}
	}
	return s
}

// names are sorted.
func (s *agents) names() []string { return slices.Sorted(maps.Keys(s.known)) }

// look has the agent's program looked for.
func (s *agents) look(a *agent, out *effects) {
	if !a.looking {
		a.looking = true
		out.add(Look{a.name})
	}
}

// lookForAll begins.
func (s *agents) lookForAll(out *effects) {
	for _, name := range s.names() {
		s.look(s.known[name], out)
	}
}

// await says that a new session has to wait until its agent, which cannot be used, is looked for again: it may have been installed since.
func (s *agents) await(a *agent, t Ticket, now time.Time, out *effects) bool {
	if a.looked && now.Sub(a.checked) <= lookOnceMore {
		return false
	}
	a.waiting = append(a.waiting, t)
	s.look(a, out)
	return true
}

// looking says that an agent's program may be running to say its version.
func (s *agents) looking() bool {
	for _, a := range s.known {
		if a.looking {
			return true
		}
	}
	return false
}

// found takes the result of Look.
func (s *agents) found(in *AgentFound, out *effects) {
	a := s.known[in.Agent]
	if !in.Installation.Late || a.installation.Program != in.Installation.Program { // a late answer of a busy machine does not replace a good one
		a.installation = in.Installation
	}
	a.checked, a.looked, a.looking = in.At, true, false
	waiting := a.waiting
	a.waiting = nil
	for _, t := range waiting {
		if !a.usable() {
			out.fail(t, a.unavailable())
			continue
		}
		out.add(AskAgain{t}) // each by itself, so that the failure of one costs no other
	}
	s.answer(out)
}

// list answers once every agent has been looked for lately.
func (s *agents) list(t Ticket, now time.Time, out *effects) {
	for _, name := range s.names() {
		if a := s.known[name]; !a.looked || now.Sub(a.checked) > lookAgain {
			s.look(a, out)
		}
	}
	s.asking = append(s.asking, t)
	s.answer(out)
}

func (s *agents) answer(out *effects) {
	if len(s.asking) == 0 || s.looking() {
		return
	}
	var list []AgentInfo
	for _, name := range s.names() {
		a := s.known[name]
		list = append(list, AgentInfo{Name: name, Installation: a.installation, Capabilities: a.capabilities, Checked: a.checked, Offers: a.offers})
	}
	for _, t := range s.asking {
		out.add(Agents{t, list})
	}
	s.asking = nil
}

// offered keeps the models and modes that an agent offers. They may differ from folder to folder: the newest count.
func (s *agents) offered(name string, o *session.Offers) {
	if a := s.known[name]; a != nil {
		a.offers = session.Offers{KnownModels: o.KnownModels, KnownModes: o.KnownModes, Models: o.Models, Modes: o.Modes, AllModels: o.AllModels}
	}
}

func (a *agent) unavailable() error {
	detail := cmp.Or(a.installation.Problem, "The program of the agent "+a.name+" was not found.")
	return &protocol.Problem{Code: protocol.CodeAgentUnavailable, Detail: detail, Hint: a.installation.Hint}
}

func (s *agents) unknown() error {
	return &protocol.Problem{
		Code: protocol.CodeAgentNotFound, Detail: "There is no agent of this name.",
		Hint: protocol.TermListAgents + " lists the agents: " + strings.Join(s.names(), ", ") + ".",
	}
}
