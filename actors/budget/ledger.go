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
	owners  map[string]*Sum
	timed   map[string]struct{} // sessions whose trees have a limit of time at work
}

// entry is one session, and the tree below it.
type entry struct {
	Account
	known    bool // there was a report of it: else sessions below it are known alone
	gone     bool // it was removed; sessions below it were not
	tree     Sum
	children int   // entries whose parent it is
	below    int64 // entries below it, at any depth
}

// Sum is what several sessions use together.
type Sum struct {
	use     Use
	working int64 // sessions that are at work
	since   int64 // the sum of their WorkingSince
}

// Use is what is used together as of a time, Unix ms, and how many sessions are at work.
func (s *Sum) Use(now int64) (u Use, working int64) {
	u = s.use
	u.WorkMs += max(0, s.working*now-s.since)
	return u, s.working
}

// add adds what a session uses; times is 1, or -1 to take it away.
func (s *Sum) add(p *protocol.Spent, times int64) {
	s.use.Tokens += times * p.TotalTokens
	s.use.CostMicros += times * p.CostMicros
	s.use.WorkMs += times * p.WorkMs
	s.use.Turns += times * p.Turns
	s.use.ToolCalls += times * p.ToolCalls
	s.use.Children += times * p.Children
	if p.WorkingSince != 0 {
		s.working += times
		s.since += times * p.WorkingSince
	}
}

func (s *Sum) merge(o *Sum, times int64) {
	s.use.Tokens += times * o.use.Tokens
	s.use.CostMicros += times * o.use.CostMicros
	s.use.WorkMs += times * o.use.WorkMs
	s.use.Turns += times * o.use.Turns
	s.use.ToolCalls += times * o.use.ToolCalls
	s.use.Children += times * o.use.Children
	s.working += times * o.working
	s.since += times * o.since
}

// NewLedger makes an empty one.
func NewLedger() *Ledger {
	return &Ledger{entries: map[string]*entry{}, owners: map[string]*Sum{}, timed: map[string]struct{}{}}
}

// Put takes a report. One that is older than what is known changes nothing, and the answer is false.
func (l *Ledger) Put(a *Account) bool {
	e := l.entries[a.ID]
	if e == nil {
		e = &entry{Account: Account{ID: a.ID}}
		l.entries[a.ID] = e
	}
	switch {
	case !e.known:
		e.Parent, e.Owner, e.known = a.Parent, a.Owner, true
		l.hang(e)
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
		of := l.owners[e.Owner]
		if of == nil {
			of = new(Sum)
			l.owners[e.Owner] = of
		}
		of.add(s, times)
	}
}

// Remove takes a session off the list. What it has used stays used: by the tree that it was part of and by its owner.
func (l *Ledger) Remove(id string) {
	e := l.entries[id]
	if e == nil || !e.known {
		return
	}
	l.count(e, &e.Spent, -1)
	e.Spent.WorkingSince = 0
	l.count(e, &e.Spent, 1)
	e.Budget, e.gone = nil, true
	delete(l.timed, id)
	for e != nil && e.gone && e.children == 0 { // the sums above have what it has used
		for up := range l.up(e.Parent) {
			up.below--
		}
		delete(l.entries, e.ID)
		if e = l.entries[e.Parent]; e != nil {
			e.children--
		}
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

// Owner is what all sessions of an owner use together.
func (l *Ledger) Owner(name string) *Sum {
	if s := l.owners[name]; s != nil {
		return s
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
