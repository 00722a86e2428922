package budget

import (
	"cmp"
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
}

// Node is what removed sessions had used that were below one.
type Node struct {
	ID     string `json:"id"`
	Gone   bool   `json:"gone,omitempty"`   // it was removed itself, and sessions below it were not: what it had used is part of Use
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
	Less   Use                   `json:"less"`  // what the sessions that are there had used then, less what removed ones have used since
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

// Restore adds what is kept to a ledger that has all sessions that are there, and gives what is to be kept from now on.
func (l *Ledger) Restore(p *Past) *Past {
	kept := NewPast()
	var left []string // removed by an earlier daemon, which did not come to say so
	for _, id := range slices.Sorted(maps.Keys(p.leaving)) {
		if e := l.entries[id]; e == nil || !e.known {
			x := p.leaving[id]
			l.Put(&Account{ID: x.ID, Parent: x.Parent, Owner: x.Owner, Spent: protocol.Spent{
				TotalTokens: x.Use.Tokens, CostMicros: x.Use.CostMicros, WorkMs: x.Use.WorkMs,
				Turns: x.Use.Turns, ToolCalls: x.Use.ToolCalls, Children: x.Use.Children,
			}})
			left = append(left, id)
		}
	}
	nodes := slices.SortedFunc(maps.Values(p.nodes), func(a, b Node) int { return cmp.Compare(a.ID, b.ID) })
	for _, n := range nodes {
		if e := l.entries[n.ID]; n.Gone && (e == nil || !e.known) {
			l.place(&Account{ID: n.ID, Parent: n.Parent}).gone = true
		}
	}
	for _, n := range nodes {
		if e := l.entries[n.ID]; e != nil && e.known && e.gone == n.Gone {
			l.lose(e, &n.Use)
		}
	}
	for name, o := range p.owners {
		of := l.owner(name)
		of.rule, of.less = &o, o.Less
	}
	for _, id := range left {
		l.Remove(id)
	}
	for _, n := range nodes { // those below which nothing is any more
		if e := l.entries[n.ID]; e != nil && e.gone {
			l.fold(e)
		}
	}
	for _, e := range l.entries {
		if e.has().past != (Use{}) || e.gone {
			kept.Take(&Line{Nodes: []Node{e.node()}})
		}
	}
	for name := range l.owners {
		if t := l.Tenant(name); t != nil {
			kept.Take(&Line{Owner: t})
		}
	}
	return kept
}

// Leaving is what is to be kept of a session before it is removed; nil: nobody will miss it.
func (l *Ledger) Leaving(id string) *Leaving {
	e := l.entries[id]
	if e == nil || !e.known || e.gone || e.parent == "" && e.has().children == 0 && l.Tenant(e.owner) == nil {
		return nil
	}
	if e.own == (Use{}) && e.has().past == (Use{}) && e.has().children == 0 {
		return nil
	}
	return &Leaving{ID: id, Parent: e.parent, Owner: e.owner, Use: e.own}
}

// Remove takes a session off the list, and gives what is to be kept from now on. What it has used stays used: by the tree that it was part of and by its
// owner.
func (l *Ledger) Remove(id string) (kept Line, changed bool) {
	e := l.entries[id]
	if e == nil || !e.known || e.gone {
		return kept, false
	}
	use := e.own
	l.count(e, -1)
	e.own, e.since, e.budget, e.gone = Use{}, 0, nil, true
	delete(l.timed, id)
	l.lose(e, &use)
	if of := l.owners[e.owner]; e.owner != "" && of != nil {
		of.use.add(&use, 1)
		of.lost.add(&use, 1)
		if use != (Use{}) {
			kept.Owner = l.Tenant(e.owner)
		}
	}
	empty := e.has().past == (Use{}) && e.has().children == 0
	if list := l.fold(e); !empty || len(list) > 2 { // its own node, or those of sessions above it that are gone
		kept.Nodes = list
	}
	kept.Left = id
	return kept, kept.Owner != nil || len(kept.Nodes) > 0
}

// lose adds what a removed session had used to the one that it was below, or that it was.
func (l *Ledger) lose(e *entry, use *Use) {
	e.grow().past.add(use, 1)
	for up := range l.up(e.id) {
		up.grow().tree.use.add(use, 1)
	}
}

// fold takes an entry that is gone, and those above it that are, off the list where nothing is below them any more. The one above takes what they had
// used. It gives the nodes that have changed: the first is the entry's own.
func (l *Ledger) fold(e *entry) (nodes []Node) {
	for e.has().children == 0 && (e.gone || !e.known) {
		nodes = append(nodes, Node{ID: e.id})
		for up := range l.up(e.parent) {
			up.grow().below--
		}
		delete(l.entries, e.id)
		above := l.entries[e.parent]
		if above == nil {
			return nodes
		}
		above.grow().past.add(&e.has().past, 1)
		above.branch.children--
		e = above
	}
	return append(nodes, e.node())
}

func (e *entry) node() Node {
	n := Node{ID: e.id, Use: e.has().past}
	if e.gone {
		n.Gone, n.Parent = true, e.parent
	}
	return n
}
