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

// entry is one session, and the tree below it.
type entry struct {
	Account
	known    bool // there was a report of it: else sessions below it are known alone
	gone     bool // it was removed; sessions below it were not
	past     Use  // what removed sessions below it had used, of which nothing else is known any more; of one that is gone, with its own
	tree     Sum
	children int   // entries whose parent it is
	below    int64 // entries below it, at any depth
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
	case a.Epoch < e.Epoch || a.Epoch == e.Epoch && a.Seq < e.Seq:
		return false
	}
	l.count(e, &e.Spent, -1)
	e.Epoch, e.Seq, e.Spent, e.Budget = a.Epoch, a.Seq, bounded(a.Spent), a.Budget
	if rule, is := l.Rule(a.ID); is && rule.Limits.WorkMs > 0 {
		l.timed[a.ID] = struct{}{}
	} else {
		delete(l.timed, a.ID)
	}
	l.count(e, &e.Spent, 1)
	return true
}

// Anew has the next report of a session count also where it is older than what is known.
func Anew(l *Ledger, id string) {
	if e := l.entries[id]; e != nil {
		e.Epoch, e.Seq = 0, 0
	}
}

// place gives a session that is not known yet its place in the tree.
func (l *Ledger) place(a *Account) *entry {
	e := l.entries[a.ID]
	if e == nil {
		e = &entry{Account: Account{ID: a.ID}}
		l.entries[a.ID] = e
	}
	e.Parent, e.Owner, e.known = a.Parent, a.Owner, true
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
	if e.Parent == "" {
		return
	}
	for up := range l.up(e.Parent) {
		if up == e {
			e.Parent = "" // a circle: a record is wrong
			return
		}
	}
	p := l.entries[e.Parent]
	if p == nil {
		p = &entry{Account: Account{ID: e.Parent}}
		l.entries[e.Parent] = p
	}
	p.children++
	for up := range l.up(e.Parent) {
		up.tree.merge(&e.tree, 1)
		up.below += e.below + 1
	}
}

// up goes from a session to those above it.
func (l *Ledger) up(id string) func(yield func(*entry) bool) {
	return func(yield func(*entry) bool) {
		for range maxDepth {
			e := l.entries[id]
			if e == nil || !yield(e) || e.Parent == "" {
				return
			}
			id = e.Parent
		}
	}
}

func (l *Ledger) count(e *entry, s *protocol.Spent, times int64) {
	for up := range l.up(e.ID) {
		up.tree.add(s, times)
	}
	if e.Owner != "" {
		l.owner(e.Owner).add(s, times)
	}
}

// Above are the sessions whose trees a session is part of: itself first.
func (l *Ledger) Above(id string) []string {
	var list []string
	for e := range l.up(id) {
		list = append(list, e.ID)
	}
	return list
}

// Tree is what a session and all below it use together.
func (l *Ledger) Tree(id string) *Sum {
	if e := l.entries[id]; e != nil {
		return &e.tree
	}
	return new(Sum)
}

// Rule is the limits of the tree of a session; false: it has none.
func (l *Ledger) Rule(id string) (Rule, bool) {
	e := l.entries[id]
	if e == nil || e.Budget == nil || e.Budget.Tree == nil {
		return Rule{}, false
	}
	b := e.Budget
	return Rule{protocol.ScopeTree, id, b.Tree, b.Action, b.WarnAt}, true
}

// Times says that there is a tree with a limit of time at work.
func (l *Ledger) Times() bool { return len(l.timed) > 0 }

// Timed are the sessions whose trees have a limit of time at work, by id.
func (l *Ledger) Timed() []string { return slices.Sorted(maps.Keys(l.timed)) }

// Children is how many sessions were made to work for one, as far as is known: its log may not tell of the newest yet.
func (l *Ledger) Children(id string) int64 {
	if e := l.entries[id]; e != nil {
		return max(e.Spent.Children, int64(e.children))
	}
	return 0
}

// Below is how many sessions are known below one, at any depth.
func (l *Ledger) Below(id string) (n int64) {
	if e := l.entries[id]; e != nil {
		n = e.below
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
