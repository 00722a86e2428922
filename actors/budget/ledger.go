package budget

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxDepth bounds how far the sessions above one are followed.
const maxDepth = 64

// Account is what is known of a session: absolute values, as of a place in its log.
type Account struct {
	ID         string
	Parent     string // the session that it works for; empty: none
	Owner      string // empty: nobody's
	Epoch, Seq uint64
	Spent      protocol.Spent
	Budget     *protocol.Budget // nil: none
}

// Ledger adds up what sessions use. It is told absolute values, so that a report which comes late, twice or behind a newer one changes nothing. What a
// report costs grows with how deep its session works for others, and with nothing else.
type Ledger struct {
	entries map[string]*entry
	owners  map[string]*owner
	timed   map[string]struct{} // sessions whose trees have a limit of time at work
}

// entry is one session. There is one for each session that the daemon has.
type entry struct {
	id, parent, owner string
	epoch, seq        uint64
	own               Use
	since             int64 // WorkingSince
	budget            *protocol.Budget
	known             bool    // there was a report of it: else sessions below it are known alone
	gone              bool    // it was removed; sessions below it were not
	branch            *branch // the tree below it; nil: there is nothing but itself
}

// branch is what only sessions have that others are below, or were.
type branch struct {
	past     Use // what removed sessions below it had used, of which nothing else is known any more; of one that is gone, with its own
	tree     Sum
	children int   // entries whose parent it is
	below    int64 // entries below it, at any depth
}

// leaf is the branch of all that have none. It does not change.
var leaf branch

// has is what is below an entry, for reading all but its tree.
func (e *entry) has() *branch {
	if e.branch == nil {
		return &leaf
	}
	return e.branch
}

// grow gives an entry a branch.
func (e *entry) grow() *branch {
	if e.branch == nil {
		e.branch = &branch{tree: e.sum()}
	}
	return e.branch
}

// sum is what an entry and all below it have used.
func (e *entry) sum() (s Sum) {
	if e.branch != nil {
		return e.branch.tree
	}
	s.count(&e.own, e.since, 1)
	return s
}

// NewLedger makes an empty one.
func NewLedger() *Ledger {
	return &Ledger{entries: map[string]*entry{}, owners: map[string]*owner{}, timed: map[string]struct{}{}}
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
	e.epoch, e.seq, e.own, e.since, e.budget = a.Epoch, a.Seq, counted(&spent), spent.WorkingSince, a.Budget
	if rule, is := l.Rule(a.ID); is && rule.Limits.WorkMs > 0 {
		l.timed[a.ID] = struct{}{}
	} else {
		delete(l.timed, a.ID)
	}
	l.count(e, 1)
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

// hang puts a session, with the tree that is known below it, below its parent. Reports come in any order: a parent may be known by its children alone.
func (l *Ledger) hang(e *entry) {
	if e.parent == "" {
		return
	}
	for up := range l.up(e.parent) {
		if up == e {
			e.parent = "" // a circle: a record is wrong
			return
		}
	}
	p := l.entries[e.parent]
	if p == nil {
		p = &entry{id: e.parent}
		l.entries[e.parent] = p
	}
	p.grow().children++
	sum, below := e.sum(), e.has().below+1
	for up := range l.up(e.parent) {
		up := up.grow()
		up.tree.merge(&sum, 1)
		up.below += below
	}
}

// up goes from a session to those above it.
func (l *Ledger) up(id string) func(yield func(*entry) bool) {
	return func(yield func(*entry) bool) {
		for range maxDepth {
			e := l.entries[id]
			if e == nil || !yield(e) || e.parent == "" {
				return
			}
			id = e.parent
		}
	}
}

// count adds what an entry itself has used to all that count it.
func (l *Ledger) count(e *entry, times int64) {
	for up := range l.up(e.id) {
		if up.branch != nil {
			up.branch.tree.count(&e.own, e.since, times)
		}
	}
	if e.owner != "" {
		l.owner(e.owner).count(&e.own, e.since, times)
	}
}

// Above are the sessions whose trees a session is part of: itself first.
func (l *Ledger) Above(id string) []string {
	var list []string
	for e := range l.up(id) {
		list = append(list, e.id)
	}
	return list
}

// Tree is what a session and all below it use together.
func (l *Ledger) Tree(id string) *Sum {
	if e := l.entries[id]; e != nil {
		sum := e.sum()
		return &sum
	}
	return new(Sum)
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

// Children is how many sessions were made to work for one, as far as is known: its log may not tell of the newest yet.
func (l *Ledger) Children(id string) int64 {
	if e := l.entries[id]; e != nil {
		return max(e.own.Children, int64(e.has().children))
	}
	return 0
}

// Below is how many sessions are known below one, at any depth.
func (l *Ledger) Below(id string) (n int64) {
	if e := l.entries[id]; e != nil {
		n = e.has().below
	}
	return n
}

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
