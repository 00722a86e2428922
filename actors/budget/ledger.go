package budget

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Account is what is known of a session: absolute values, as of a place in its log.
type Account struct {
	ID         string
	Parent     string // the session that it works for; empty: none
	Owner      string // empty: nobody's
	Epoch, Seq uint64
	Spent      protocol.Spent
	Budget     *protocol.Budget // nil: none
	Came       *Came            // nil: it was made here
}

// Ledger adds up what sessions use. It is told absolute values, so that a report which comes late, twice or behind a newer one changes nothing. What a
// report costs grows with how deep its session works for others, and with nothing else.
type Ledger struct {
	forest
	tenants
	timed map[string]struct{} // sessions whose trees have a limit of time at work
}

// NewLedger makes an empty one.
func NewLedger() *Ledger {
	return &Ledger{forest: forest{map[string]*entry{}}, tenants: tenants{map[string]*owner{}}, timed: map[string]struct{}{}}
}

// Put takes a report. One that is older than what is known changes nothing, and the answer is false.
func (l *Ledger) Put(a *Account) bool {
	e := l.entries[a.ID]
	switch {
	case e == nil || !e.known:
		e = l.place(a)
	case e.gone:
		return false
	case a.Epoch < e.epoch || a.Epoch == e.epoch && a.Seq < e.seq:
		return false
	}
	spent := bounded(a.Spent)
	l.count(e, -1)
	brought := e.brought()
	e.epoch, e.seq, e.own, e.since, e.budget, e.came = a.Epoch, a.Seq, counted(&spent), spent.WorkingSince, a.Budget, a.Came
	if rule, is := l.Rule(a.ID); is && rule.Limits.WorkMs > 0 {
		l.timed[a.ID] = struct{}{}
	} else {
		delete(l.timed, a.ID)
	}
	l.count(e, 1)
	brought = e.brought().without(brought)
	l.lose(e, &brought)
	return true
}

// Anew has the next report of a session count also where it is older than what is known.
func Anew(l *Ledger, id string) {
	if e := l.entries[id]; e != nil {
		e.epoch, e.seq = 0, 0
	}
}

// place gives a session that is not known yet its place in the tree.
func (l *Ledger) place(a *Account) *entry {
	e := l.entries[a.ID]
	if e == nil {
		e = &entry{id: a.ID}
		l.entries[a.ID] = e
	}
	e.parent, e.owner, e.known = a.Parent, a.Owner, true
	l.hang(e)
	return e
}

// bounded keeps numbers that an agent has told within what many of them can be added up.
func bounded(s protocol.Spent) protocol.Spent {
	for _, n := range []*int64{&s.TotalTokens, &s.CostMicros, &s.WorkMs, &s.Turns, &s.ToolCalls, &s.Children} {
		*n = min(max(*n, 0), protocol.MaxBudget)
	}
	return s
}

// count adds what an entry itself has used to all that count it.
func (l *Ledger) count(e *entry, times int64) {
	for up := range l.up(e.id) {
		if up.branch != nil {
			up.branch.tree.count(&e.own, e.since, times)
		}
	}
	if e.owner != "" {
		of, before := l.owner(e.owner), e.before()
		of.count(&e.own, e.since, times)
		of.before.add(&before, times)
	}
}

// Rule is the limits of the tree of a session; false: it has none.
func (l *Ledger) Rule(id string) (Rule, bool) {
	e := l.entries[id]
	if e == nil || e.budget == nil || e.budget.Tree == nil {
		return Rule{}, false
	}
	b := e.budget
	return Rule{protocol.ScopeTree, id, b.Tree, b.Action, b.WarnAt}, true
}

// Times says that there is a tree with a limit of time at work.
func (l *Ledger) Times() bool { return len(l.timed) > 0 }

// Timed are the sessions whose trees have a limit of time at work, by id.
func (l *Ledger) Timed() []string { return slices.Sorted(maps.Keys(l.timed)) }

// Bounded are the sessions whose trees have limits, by id.
func (l *Ledger) Bounded() []string {
	var list []string
	for id := range l.entries {
		if _, is := l.Rule(id); is {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// OwnerChildren is how many sessions were made to work for those of an owner since its budget began to count, as far as is known: logs may not tell of
// the newest yet. It looks at all sessions.
func (l *Ledger) OwnerChildren(name string) int64 {
	u, _ := l.OwnerUse(name, 0)
	n := u.Children
	for _, e := range l.entries {
		if e.owner == name {
			n += max(0, int64(e.has().children)-e.own.Children)
		}
	}
	return n
}
