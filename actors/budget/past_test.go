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

// estate is a world of sessions of two owners that are made, work and are deleted, with a daemon that is killed at any point: what is on its disk are the records
// of the sessions that are there, and the lines that were kept.
type estate struct {
	t      *testing.T
	r      *rand.Rand
	seed   uint64
	ledger *budget.Ledger
	past   *budget.Past
	lines  []string // as they are on the disk
	fresh  bool     // this daemon has written nothing yet: its first line comes behind all that is kept
	all    []*heir  // in the order of their making
	made   int
	since  map[string]int64 // what an owner had used when its budget was set; none: it has no budget
	total  map[string]int64 // what the sessions of an owner have ever used
}

type heir struct {
	id, owner string
	parent    *heir
	tokens    int64
	seq       uint64
	gone      bool
}

func (w *estate) put(h *heir) {
	a := budget.Account{ID: h.id, Owner: h.owner, Epoch: 1, Seq: h.seq, Spent: protocol.Spent{TotalTokens: h.tokens}}
	if h.parent != nil {
		a.Parent = h.parent.id
	}
	w.ledger.Put(&a)
}

func (w *estate) keep(l *budget.Line) {
	if w.past.Take(l); w.fresh {
		w.fresh, w.lines = false, nil
		for _, l := range w.past.Lines() {
			w.write(&l)
		}
		return
	}
	w.write(l)
}

func (w *estate) write(l *budget.Line) {
	text, err := json.Marshal(l)
	if err != nil {
		w.t.Fatal(err)
	}
	w.lines = append(w.lines, string(text))
}

// pastOf is what the lines of a file say.
func pastOf(t *testing.T, lines []string) *budget.Past {
	t.Helper()
	past := budget.NewPast()
	for _, text := range lines {
		var l budget.Line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		past.Take(&l)
	}
	return past
}

// killed has another daemon make the ledger anew.
func (w *estate) killed() {
	past := pastOf(w.t, w.lines)
	w.ledger = budget.NewLedger()
	for _, i := range w.r.Perm(len(w.all)) {
		if h := w.all[i]; !h.gone {
			w.put(h)
		}
	}
	w.past, w.fresh = w.ledger.Restore(past), true
}

// delete removes a session, or the daemon is killed on the way: before its line is kept, before or after the session has gone, or before that is kept.
func (w *estate) delete(h *heir) {
	stop := w.r.IntN(8)
	if stop == 0 {
		w.killed()
		return
	}
	if l := w.ledger.Leaving(h.id); l != nil {
		w.keep(&budget.Line{Leaving: l})
	}
	if stop == 1 {
		w.killed()
		return
	}
	h.gone = true
	if stop == 2 {
		w.killed()
		return
	}
	if line, changed := w.ledger.Remove(h.id); changed {
		w.keep(&line)
	}
}

// check compares every sum with a recount.
func (w *estate) check(at int) {
	for _, root := range w.all {
		if root.gone {
			continue
		}
		want, below := int64(0), int64(0)
		for _, h := range w.all {
			for up := h; up != nil; up = up.parent {
				if up == root {
					want += h.tokens
					if h != root && !h.gone {
						below++
					}
					break
				}
			}
		}
		if use, _ := w.ledger.Tree(root.id).Use(0); use.Tokens != want {
			w.t.Fatalf("estate %d, step %d: below %s %d tokens, and %d by a recount", w.seed, at, root.id, use.Tokens, want)
		}
		if n := w.ledger.Below(root.id); n < below {
			w.t.Fatalf("estate %d, step %d: below %s %d sessions, and %d by a recount", w.seed, at, root.id, n, below)
		}
	}
	for name, since := range w.since {
		if use, _ := w.ledger.OwnerUse(name, 0); use.Tokens != w.total[name]-since {
			w.t.Fatalf("estate %d, step %d: %s has used %d tokens, and %d by a recount", w.seed, at, name, use.Tokens, w.total[name]-since)
		}
	}
}

// TestPast plays 1,000 random estates: sums of trees and of owners are those of a recount of all sessions that ever were, whatever was deleted, and wherever daemons
// were killed. An owner is never beyond its limit by more than a reply of each of its sessions. What is kept is bounded by the sessions that are there.
//
// Proves: I13.11/removed, I13.11/owners
func TestPast(t *testing.T) {
	const estates = 1000
	deleted, stopped := 0, 0
	for seed := range uint64(estates) {
		w := &estate{
			t: t, r: rand.New(rand.NewPCG(seed, 111)), seed: seed, ledger: budget.NewLedger(), past: budget.NewPast(),
			since: map[string]int64{}, total: map[string]int64{},
		}
		limits := map[string]int64{}
		for step := range 120 {
			var there []*heir
			for _, h := range w.all {
				if !h.gone {
					there = append(there, h)
				}
			}
			switch n := w.r.IntN(20); {
			case n < 5 || len(there) == 0:
				h := &heir{id: fmt.Sprintf("s%d", w.made), owner: []string{"ann", "bob", ""}[w.r.IntN(3)], seq: 1}
				if w.made++; len(there) > 0 && w.r.IntN(4) > 0 {
					h.parent = there[w.r.IntN(len(there))]
					h.owner = h.parent.owner
				}
				w.all = append(w.all, h)
				w.put(h)
			case n < 9:
				w.delete(there[w.r.IntN(len(there))])
				deleted++
			case n == 9:
				w.killed()
			case n == 10:
				name := []string{"ann", "bob"}[w.r.IntN(2)]
				limits[name] = w.r.Int64N(2000) + 1
				_, had := w.since[name]
				anew := w.r.IntN(2) == 0
				line := w.ledger.SetOwner(budget.Tenant{Owner: name, Limits: &protocol.Limits{Tokens: limits[name]}}, anew, 1)
				w.keep(&line)
				if !had || anew {
					w.since[name] = w.total[name]
				}
			case n == 11:
				line := w.ledger.SetOwner(budget.Tenant{Owner: "bob"}, false, 1)
				w.keep(&line)
				delete(w.since, "bob")
				delete(limits, "bob")
			default: // those that may work have a reply each under way
				var at []*heir
				for _, h := range there {
					if rule, is := w.ledger.OwnerRule(h.owner); is {
						use, _ := w.ledger.OwnerUse(h.owner, 0)
						if budget.Holds(rule.Marks(nil, use)) {
							continue
						}
					}
					at = append(at, h)
				}
				before := map[string]int64{"ann": w.total["ann"], "bob": w.total["bob"]}
				for _, h := range at {
					used := w.r.Int64N(100) + 1
					h.seq++
					h.tokens += used
					w.total[h.owner] += used
					w.put(h)
				}
				for name, most := range limits {
					if was := before[name] - w.since[name]; was < most && w.total[name]-w.since[name] >= most {
						stopped++
					} else if was >= most && w.total[name] != before[name] {
						t.Fatalf("estate %d, step %d: %s had used %d of %d and went on", seed, step, name, was, most)
					}
				}
			}
			w.check(step)
		}
		w.killed()
		there := 0
		for _, h := range w.all {
			if !h.gone {
				there++
			}
		}
		if n := len(w.past.Lines()); n > 2*there+2+64 {
			t.Fatalf("estate %d: %d lines for %d sessions", seed, n, there)
		}
	}
	if deleted < 10*estates || stopped < estates/2 {
		t.Errorf("%d deletions, owners came to their limits %d times: the estates prove too little", deleted, stopped)
	}
}

// TestPastIsBounded: of sessions that come and go below one that stays, one line is kept, and none of a tree that is gone as a whole.
//
// Proves: I13.11/removed
func TestPastIsBounded(t *testing.T) {
	l, p := budget.NewLedger(), budget.NewPast()
	take := func(id string) {
		if x := l.Leaving(id); x != nil {
			p.Take(&budget.Line{Leaving: x})
		}
		if line, changed := l.Remove(id); changed {
			p.Take(&line)
		}
	}
	l.Put(&budget.Account{ID: "root"})
	for i := range 1000 {
		mid, leaf := fmt.Sprint("mid ", i), fmt.Sprint("leaf ", i)
		l.Put(&budget.Account{ID: mid, Parent: "root", Spent: protocol.Spent{TotalTokens: 1}})
		l.Put(&budget.Account{ID: leaf, Parent: mid, Spent: protocol.Spent{TotalTokens: 2}})
		take(mid)
		take(leaf)
	}
	lines := p.Lines()
	if len(lines) != 1 || !slices.Equal(lines[0].Nodes, []budget.Node{{ID: "root", Use: budget.Use{Tokens: 3000}}}) {
		t.Errorf("kept: %+v", lines)
	}
	take("root")
	if lines := p.Lines(); len(lines) > 0 {
		t.Errorf("kept of a tree that is gone: %+v", lines)
	}
}
