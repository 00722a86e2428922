// Package selection says which sessions a client means: selectors of bodies and filters of addresses are read into one.
package selection

import (
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// Selection chooses sessions of the list. It does not change.
type Selection struct {
	query supervisor.Query
	under string
}

// Of reads a selector. The error is a problem of the client's.
func Of(s *resource.Selector) (*Selection, error) {
	if err := CheckStates(s.States); err != nil {
		return nil, err
	}
	return &Selection{
		query: supervisor.Query{
			Agent: s.Agent, Cwd: s.Cwd, Parent: s.Parent, Owner: s.Owner, States: s.States, Active: s.Active, Labels: s.Labels,
		},
		under: s.Under,
	}, nil
}

// Has says that a session is one of those that are meant. Whether it is within reach is another question.
func (s *Selection) Has(list *access.Roster, x *roster.Session) bool {
	return s.query.Matches(x.About()) && (s.under == "" || list.Under(x, s.under))
}

// CheckStates gives a problem where one of them is no state.
func CheckStates(states []protocol.State) error {
	if slices.ContainsFunc(states, func(s protocol.State) bool { return !schema.KnownState(s) }) {
		return protocol.NewProblem(protocol.CodeInvalidRequest, "There is no such state.", "The states are: "+schema.StateNames()+".")
	}
	return nil
}

// Labels reads filters of the form KEY:VALUE; nil: there are none.
func Labels(filters []string) (map[string]string, error) {
	var labels map[string]string
	for _, l := range filters {
		k, v, ok := strings.Cut(l, ":")
		if !ok || k == "" {
			return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "A label filter has no key.", "Write it KEY:VALUE.")
		}
		if labels == nil {
			labels = map[string]string{}
		}
		labels[k] = v
	}
	return labels, nil
}
