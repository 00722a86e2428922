package core

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// choose passes a choice on to the agent, or keeps it until the agent can take it.
func (s *State) choose(in *Choose) {
	if err := s.refuseChoice(in); err != nil {
		refuse(&s.writer, in.Ticket, err)
		return
	}
	switch {
	case s.link.phase != linkReady:
		s.settings.keep(&s.writer, in, AppliedAtStart)
	case in.When == WhenIdle && !s.idle():
		s.settings.keep(&s.writer, in, AppliedWhenIdle)
	default:
		s.settings.ask(&s.writer, s.link.adapter, in)
	}
}

// idle says that no turn runs, nor anything between turns.
func (s *work) idle() bool { return s.turn == nil && s.link.state == "" }

func (s *State) refuseChoice(in *Choose) error {
	running := s.link.phase == linkReady || s.link.phase == linkStarting
	switch {
	case s.end != nil || s.link.stop == stopEnd:
		return errEnded()
	case s.link.unconnected(&s.about):
		return errUnconnected()
	case in.Value == "" || strings.HasPrefix(in.Value, "-") || len(in.Value) > 256 || strings.ContainsFunc(in.Value, unicode.IsControl):
		return misfit("This is no name of a "+string(in.Setting)+".", "Names have 1 to 256 bytes, no control characters, and do not begin with a hyphen.")
	case running && !changes(s.limits.Capabilities, in.Setting):
		return protocol.NewProblem(protocol.CodeNotSupported,
			fmt.Sprintf("The agent %s cannot change its %s while it runs.", s.agent, in.Setting), protocol.TermListAgents+" says which agents can.")
	}
	return s.settings.refuse(in)
}

// takeOffer keeps what the agent offers.
func (s *work) takeOffer(d adapters.Offered) {
	s.settings.offered(d)
	if !s.meta.SubAgent { // a sub-agent has what its parent has
		s.do(TellOffers{s.settings.offers(s.meta.Model)})
	}
}
