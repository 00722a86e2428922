package budget

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Restore adds what is kept to a ledger that has all sessions that are there, and gives what is to be kept from now on.
func (l *Ledger) Restore(p *Past) *Past {
	kept := NewPast()
	var left []string // removed by an earlier daemon, which did not come to say so
	for _, id := range slices.Sorted(maps.Keys(p.leaving)) {
		if e := l.entries[id]; e == nil || !e.known {
			x := p.leaving[id]
			l.Put(&Account{ID: x.ID, Parent: x.Parent, Owner: x.Owner, Came: x.Came, Spent: protocol.Spent{
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
			l.lose(l.heir(e), &n.Use)
		}
	}
	for name, o := range p.owners {
		of := l.owner(name)
		of.rule, of.less = &o, o.Less
	}
	for _, id := range left {
		l.leave(id, false)
	}
	for _, n := range nodes { // those below which nothing is any more
		if e := l.entries[n.ID]; e != nil && e.gone {
			l.fold(e)
		}
	}
	for _, e := range l.entries {
		if e.lost() != (Use{}) || e.gone {
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
