package budget_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// fleet is some nodes whose trees of sessions move between them, are worked with and are deleted, while nodes are killed at any point. Of a session another
// node knows what its record says.
type fleet struct {
	t     *testing.T
	r     *rand.Rand
	seed  uint64
	nodes []*site
	all   []*ship // in the order of their making
}

// site is a node: a ledger, and what is on its disk.
type site struct {
	ledger *budget.Ledger
	past   *budget.Past
	lines  []string
	has    map[*ship]*budget.Came // the folders of sessions, with what their records say of their arrivals
	used   map[string]int64       // what an owner has used here
	since  map[string]int64       // of it, what its budget does not count; none: it has no budget
}

// ship is a session.
type ship struct {
	id, owner string
	parent    *ship
	at        *site // nil: it was deleted
	tokens    int64
	seq       uint64
	told      budget.Use // what its record says of removed sessions below it
}

func (f *fleet) put(at *site, s *ship) {
	a := budget.Account{ID: s.id, Owner: s.owner, Epoch: 1, Seq: s.seq, Spent: protocol.Spent{TotalTokens: s.tokens}, Came: at.has[s]}
	if s.parent != nil {
		a.Parent = s.parent.id
	}
	at.ledger.Put(&a)
}

func (f *fleet) keep(at *site, l *budget.Line) {
	if at.past.Take(l); at.lines == nil {
		for _, l := range at.past.Lines() {
			f.write(at, &l)
		}
		return
	}
	f.write(at, l)
}

func (f *fleet) write(at *site, l *budget.Line) {
	text, err := json.Marshal(l)
	if err != nil {
		f.t.Fatal(err)
	}
	at.lines = append(at.lines, string(text))
}

// killed has another daemon make a node's ledger anew. It may be killed before it has written what it has found.
func (f *fleet) killed(at *site) {
	past := pastOf(f.t, at.lines)
	at.ledger = budget.NewLedger()
	for _, i := range f.r.Perm(len(f.all)) {
		if _, is := at.has[f.all[i]]; is {
			f.put(at, f.all[i])
		}
	}
	if at.past = at.ledger.Restore(past); at.past.Differs(past) {
		at.lines = nil
		f.keep(at, &budget.Line{})
	}
	for _, id := range at.ledger.Pasts() {
		f.note(at, id)
	}
}

// perhaps kills a node.
func (f *fleet) perhaps(at *site) (killed bool) {
	if killed = f.r.IntN(8) == 0; killed {
		f.killed(at)
	}
	return killed
}

// note writes a session's record.
func (f *fleet) note(at *site, id string) {
	for _, s := range f.all {
		if _, is := at.has[s]; is && s.id == id && s.at == at {
			s.told = at.ledger.Past(id)
		}
	}
}

// leave takes a session off a node; the node may be killed before each step and is not killed again then.
func (f *fleet) leave(at *site, s *ship, leaving *budget.Leaving, remove func(id string) (budget.Line, bool)) {
	if leaving != nil {
		f.keep(at, &budget.Line{Leaving: leaving})
	}
	delete(at.has, s)
	if f.perhaps(at) {
		return
	}
	heir := at.ledger.Heir(s.id)
	if line, changed := remove(s.id); changed {
		f.keep(at, &line)
	}
	f.note(at, heir)
}

// tree is a session and all below it that are there, or were, in the order of their making.
func (f *fleet) tree(root *ship, deleted bool) (list []*ship) {
	for _, s := range f.all {
		for up := s; up != nil; up = up.parent {
			if up == root && (deleted || s.at != nil) {
				list = append(list, s)
				break
			}
		}
	}
	return list
}

// arrive has a session be at a node, as its record tells.
func (f *fleet) arrive(to *site, s *ship) {
	to.has[s] = &budget.Came{Before: budget.Use{Tokens: s.tokens}, Past: s.told}
	s.at = to
	if !f.perhaps(to) {
		to.ledger.Back(s.id)
		f.put(to, s)
	}
}

// move has a tree go to another node: it is given away, or taken from a node that is back later.
func (f *fleet) move(root *ship, to *site) {
	from, family := root.at, f.tree(root, false)
	given := f.r.IntN(3) > 0
	go1 := func(s *ship) {
		f.perhaps(from)
		f.leave(from, s, from.ledger.Parting(s.id), from.ledger.Depart)
	}
	if given {
		for _, s := range slices.Backward(family) {
			go1(s)
		}
	}
	for _, s := range family {
		f.arrive(to, s)
	}
	if !given {
		for _, i := range f.r.Perm(len(family)) {
			go1(family[i])
		}
	}
}

// check compares every sum with a recount.
func (f *fleet) check(step int) {
	for _, root := range f.all {
		if root.at == nil {
			continue
		}
		want := int64(0)
		for _, s := range f.tree(root, true) {
			want += s.tokens
		}
		if use, _ := root.at.ledger.Tree(root.id).Use(0); use.Tokens != want {
			f.t.Fatalf("fleet %d, step %d: below %s %d tokens, and %d by a recount", f.seed, step, root.id, use.Tokens, want)
		}
	}
	for n, at := range f.nodes {
		for name, since := range at.since {
			if use, _ := at.ledger.OwnerUse(name, 0); use.Tokens != at.used[name]-since {
				f.t.Fatalf("fleet %d, step %d: at %d %s has used %d tokens, and %d by a recount", f.seed, step, n, name, use.Tokens, at.used[name]-since)
			}
		}
	}
}

// TestMoves plays 1,000 random fleets: wherever a tree goes, and as often as it comes back, it has used what all sessions have that were ever part of it, and an
// owner has used at each node what was used there, wherever nodes were killed.
//
// Proves: I13.11/owners, I13.11/removed
func TestMoves(t *testing.T) {
	const fleets = 1000
	moved, deleted := 0, 0
	for seed := range uint64(fleets) {
		f := &fleet{t: t, r: rand.New(rand.NewPCG(seed, 153)), seed: seed}
		for range 3 {
			f.nodes = append(f.nodes, &site{
				ledger: budget.NewLedger(), past: budget.NewPast(), has: map[*ship]*budget.Came{}, used: map[string]int64{}, since: map[string]int64{},
			})
		}
		for step := range 100 {
			var there []*ship
			for _, s := range f.all {
				if s.at != nil {
					there = append(there, s)
				}
			}
			at := f.nodes[f.r.IntN(len(f.nodes))]
			one := func() *ship { return there[f.r.IntN(len(there))] }
			switch n := f.r.IntN(20); {
			case n < 4 || len(there) == 0:
				s := &ship{id: fmt.Sprintf("s%d", len(f.all)), owner: []string{"ann", "bob", ""}[f.r.IntN(3)], at: at, seq: 1}
				if len(there) > 0 && f.r.IntN(4) > 0 {
					s.parent = one()
					s.owner, s.at = s.parent.owner, s.parent.at
				}
				f.all = append(f.all, s)
				s.at.has[s] = nil
				f.put(s.at, s)
			case n < 7: // with all below it, in any order
				family := f.tree(one(), false)
				for _, i := range f.r.Perm(len(family)) {
					s := family[i]
					at := s.at
					f.perhaps(at)
					s.at = nil
					f.leave(at, s, at.ledger.Leaving(s.id), at.ledger.Remove)
					deleted++
				}
			case n < 10:
				root := one()
				for root.parent != nil {
					root = root.parent
				}
				if to := f.nodes[f.r.IntN(len(f.nodes))]; to != root.at {
					f.move(root, to)
					moved++
				}
			case n == 10:
				f.killed(at)
			case n == 11:
				name := []string{"ann", "bob"}[f.r.IntN(2)]
				_, had := at.since[name]
				anew := f.r.IntN(2) == 0
				line := at.ledger.SetOwner(budget.Tenant{Owner: name, Limits: &protocol.Limits{Tokens: 1}}, anew, 1)
				if f.keep(at, &line); !had || anew {
					at.since[name] = at.used[name]
				}
			case n == 12:
				line := at.ledger.SetOwner(budget.Tenant{Owner: "bob"}, false, 1)
				f.keep(at, &line)
				delete(at.since, "bob")
			default:
				s := one()
				used := f.r.Int64N(100) + 1
				s.seq++
				s.tokens += used
				s.at.used[s.owner] += used
				f.put(s.at, s)
			}
			f.check(step)
		}
	}
	if moved < 5*fleets || deleted < 5*fleets {
		t.Errorf("%d moves, %d deletions: the fleets prove too little", moved, deleted)
	}
}

// TestBack: a session that was another node's for a while, and of which a session below stayed, counts again when it is back, with what it has used meanwhile.
//
// Proves: I13.11/removed
func TestBack(t *testing.T) {
	l := budget.NewLedger()
	l.Put(&budget.Account{ID: "root", Spent: protocol.Spent{TotalTokens: 1}})
	l.Put(&budget.Account{ID: "mid", Parent: "root", Owner: "ann", Epoch: 2, Seq: 9, Spent: protocol.Spent{TotalTokens: 10}})
	l.Put(&budget.Account{ID: "leaf", Parent: "mid", Spent: protocol.Spent{TotalTokens: 100}})
	total := func(want int64) {
		t.Helper()
		if use, _ := l.Tree("root").Use(0); use.Tokens != want || l.Below("root") > 2 {
			t.Errorf("%d tokens, want %d; %d sessions below", use.Tokens, want, l.Below("root"))
		}
	}
	total(111)
	l.Depart("mid")
	total(101)
	late := &budget.Account{ID: "mid", Parent: "root", Epoch: 3, Seq: 9}
	if l.Put(late) {
		t.Error("a report that comes late counts")
	}
	l.Back("mid")
	l.Put(&budget.Account{
		ID: "mid", Parent: "root", Owner: "ann", Epoch: 2, Seq: 5, Spent: protocol.Spent{TotalTokens: 20},
		Came: &budget.Came{Before: budget.Use{Tokens: 15}, Past: budget.Use{Tokens: 1000}},
	})
	total(1121)
	if use, _ := l.OwnerUse("ann", 0); use.Tokens != 20 {
		t.Errorf("without a budget: %d tokens of sessions that are there", use.Tokens)
	}
	l.Remove("leaf")
	l.Remove("mid")
	total(1121)
}
