package budget

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What is kept beside the logs: what sessions had used that are not there any more, where somebody still counts it, and what owners may use. A ledger
// that is made anew of the sessions that are there, and of this, has the sums that the one before had.

// Line is one change of what is kept. It is kept as a whole or not at all.
type Line struct {
	// Leaving is a session that is going to be removed. It counts when the session is not there any more, and is nothing before: so it is written first.
	Leaving *Leaving `json:"leaving,omitempty"`
	// Left names a session whose removal is over: it is in the members below, or it has stayed.
	Left  string  `json:"left,omitempty"`
	Nodes []Node  `json:"nodes,omitempty"` // each in the place of the one before; an empty one takes it away
	Owner *Tenant `json:"owner,omitempty"` // in the place of the one before; without limits it takes it away
}

// Leaving is a session as it was before its removal.
type Leaving struct {
	ID     string `json:"id"`
	Parent string `json:"parent,omitempty"`
	Owner  string `json:"owner,omitempty"`
	Use    Use    `json:"use"`
	Came   *Came  `json:"came,omitempty"`
}

// Node is what sessions had used that were below one, and were removed at this node.
type Node struct {
	ID     string `json:"id"`
	Gone   bool   `json:"gone,omitempty"`   // it is not there itself, and sessions below it are; what an earlier build has as its use is that of the one above
	Parent string `json:"parent,omitempty"` // of one that is gone
	Use    Use    `json:"use"`
}

// Tenant is what the sessions of an owner may use together.
type Tenant struct {
	Owner  string                `json:"owner"`
	Limits *protocol.Limits      `json:"limits,omitempty"`
	Action protocol.BudgetAction `json:"action,omitempty"`
	WarnAt int                   `json:"warnAt,omitempty"`
	Since  int64                 `json:"since"` // Unix ms: from then on it counts
	Less   Use                   `json:"less"`  // what the sessions that are there had used here by then, less what removed ones have used since
}

// Past is what is kept.
type Past struct {
	leaving map[string]Leaving
	nodes   map[string]Node
	owners  map[string]Tenant
}

// NewPast makes one in which there is nothing.
func NewPast() *Past {
	return &Past{leaving: map[string]Leaving{}, nodes: map[string]Node{}, owners: map[string]Tenant{}}
}

// Take takes a change.
func (p *Past) Take(l *Line) {
	if l.Leaving != nil {
		p.leaving[l.Leaving.ID] = *l.Leaving
	}
	delete(p.leaving, l.Left)
	for _, n := range l.Nodes {
		if n == (Node{ID: n.ID}) {
			delete(p.nodes, n.ID)
		} else {
			p.nodes[n.ID] = n
		}
	}
	if o := l.Owner; o != nil && o.Limits == nil {
		delete(p.owners, o.Owner)
	} else if o != nil {
		p.owners[o.Owner] = *o
	}
}

// Size is how many lines that is.
func (p *Past) Size() int { return len(p.leaving) + len(p.nodes) + len(p.owners) }

// Lines are all that is kept, as changes of a Past in which there is nothing.
func (p *Past) Lines() []Line {
	var list []Line
	for _, id := range slices.Sorted(maps.Keys(p.nodes)) {
		list = append(list, Line{Nodes: []Node{p.nodes[id]}})
	}
	for _, name := range slices.Sorted(maps.Keys(p.owners)) {
		o := p.owners[name]
		list = append(list, Line{Owner: &o})
	}
	for _, id := range slices.Sorted(maps.Keys(p.leaving)) {
		l := p.leaving[id]
		list = append(list, Line{Leaving: &l})
	}
	return list
}

// Differs says that more, or something else, is kept of sessions in one than in the other.
func (p *Past) Differs(from *Past) bool {
	return len(p.leaving) != len(from.leaving) || !maps.Equal(p.nodes, from.nodes)
}
