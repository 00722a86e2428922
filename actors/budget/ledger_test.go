package budget_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// agent is a session of TestTrees: its log is what it has used, and what the ledger has heard of it comes late, twice, in another order, or not at all.
type agent struct {
	id, parent, owner string
	spent             protocol.Spent
	seq               uint64
	reports           []budget.Account
	held              bool
}

func (a *agent) account(b *protocol.Budget) budget.Account {
	return budget.Account{ID: a.id, Parent: a.parent, Owner: a.owner, Epoch: 1, Seq: a.seq, Spent: a.spent, Budget: b}
}

// TestTrees plays 1,000 random trees of sessions whose reports are lost, doubled and reordered, with daemons that are killed in between. Sums are those of a
// plain recount, and a limit is never exceeded by more than one reply of each session that was at work.
// Proves: I13.11/trees
func TestTrees(t *testing.T) {
	const trees = 1000
	stopped, beyond := 0, 0
	for seed := range uint64(trees) {
		r := rand.New(rand.NewPCG(seed, 13))
		limit := r.Int64N(5000) + 1
		plan := &protocol.Budget{Tree: &protocol.Limits{Tokens: limit}}
		all := []*agent{{id: "s0", owner: "ann"}}
		for i := 1; i < 2+r.IntN(9); i++ {
			all = append(all, &agent{id: fmt.Sprintf("s%d", i), parent: all[r.IntN(len(all))].id, owner: "ann"})
		}
		planOf := func(a *agent) *protocol.Budget {
			if a.id == "s0" {
				return plan
			}
			return nil
		}
		ledger := budget.NewLedger()
		put := func(x budget.Account) { ledger.Put(&x) }
		judge := func() { // what the supervisor does after a report
			if rule, is := ledger.Rule("s0"); is {
				use, _ := ledger.Tree("s0").Use(0)
				held := budget.Holds(rule.Marks(nil, use))
				for _, a := range all {
					a.held = held
				}
			}
		}
		largest := int64(0)
		reply := func(a *agent) {
			used := r.Int64N(200) + 1
			largest = max(largest, used)
			a.seq++
			a.spent.TotalTokens += used
			a.spent.Turns++
			a.reports = append(a.reports, a.account(planOf(a)))
		}
		for range 40 + r.IntN(100) {
			a := all[r.IntN(len(all))]
			switch r.IntN(10) {
			case 0: // the daemon is killed: it reads what each session has told last, in any order
				ledger = budget.NewLedger()
				for _, i := range r.Perm(len(all)) {
					put(all[i].account(planOf(all[i])))
					all[i].reports = nil
				}
				judge()
			case 1, 2: // an old report comes, perhaps once more
				if n := len(a.reports); n > 0 {
					was, _ := ledger.Tree("s0").Use(0)
					put(a.reports[r.IntN(n)])
					if now, _ := ledger.Tree("s0").Use(0); now != was {
						t.Fatalf("tree %d: a report that was overtaken made %+v of %+v", seed, now, was)
					}
					judge()
				}
			default: // those that may work have one reply each under way; then the newest of their reports come, in any order
				var at []*agent
				for _, a := range all {
					if !a.held && r.IntN(2) == 0 {
						reply(a)
						at = append(at, a)
					}
				}
				for _, i := range r.Perm(len(at)) {
					put(at[i].reports[len(at[i].reports)-1])
					if r.IntN(4) == 0 {
						put(at[i].reports[len(at[i].reports)-1])
					}
				}
				judge()
			}
			for _, a := range all { // a report that was lost is made up for by the next one: each is the whole
				put(a.account(planOf(a)))
			}
			judge()
		}
		for _, root := range all {
			want, below := int64(0), map[string]bool{root.id: true}
			for _, a := range all { // parents come first
				if below[a.parent] {
					below[a.id] = true
				}
				if below[a.id] {
					want += a.spent.TotalTokens
				}
			}
			if use, _ := ledger.Tree(root.id).Use(0); use.Tokens != want {
				t.Fatalf("tree %d, below %s: %d tokens, and %d by a recount", seed, root.id, use.Tokens, want)
			}
		}
		total, _ := ledger.Tree("s0").Use(0)
		if owner, _ := ledger.OwnerUse("ann", 0); owner != total {
			t.Fatalf("tree %d: the owner has used %+v, and the tree %+v", seed, owner, total)
		}
		if over := total.Tokens - limit; over > largest*int64(len(all)) {
			t.Fatalf("tree %d: %d of %d tokens, and a reply has at most %d", seed, total.Tokens, limit, largest)
		} else if over >= 0 {
			stopped++
			if over > 0 {
				beyond++
			}
		}
	}
	if stopped < trees/2 || beyond == 0 {
		t.Errorf("%d of %d trees came to their limit, %d beyond it: the trees prove too little", stopped, trees, beyond)
	}
}

// TestReportAnew: a report that is older counts only where the log has gone back, and then in all sums.
func TestReportAnew(t *testing.T) {
	l := budget.NewLedger()
	for _, a := range []budget.Account{
		{ID: "a", Owner: "ann", Epoch: 1, Seq: 5, Spent: protocol.Spent{TotalTokens: 10}},
		{ID: "b", Parent: "a", Owner: "ann", Epoch: 1, Seq: 9, Spent: protocol.Spent{TotalTokens: 50}},
	} {
		l.Put(&a)
	}
	old := budget.Account{ID: "b", Parent: "a", Owner: "ann", Epoch: 1, Seq: 4, Spent: protocol.Spent{TotalTokens: 20}}
	used := func() (tokens [3]int64) {
		for i, id := range []string{"a", "b"} {
			use, _ := l.Tree(id).Use(0)
			tokens[i] = use.Tokens
		}
		use, _ := l.OwnerUse("ann", 0)
		tokens[2] = use.Tokens
		return tokens
	}
	if l.Put(&old) || used() != [3]int64{60, 50, 60} {
		t.Errorf("%v after an older report", used())
	}
	budget.Anew(l, "b")
	budget.Anew(l, "nobody")
	if !l.Put(&old) || used() != [3]int64{30, 20, 30} {
		t.Errorf("%v after one that counts anew", used())
	}
}

// TestRemovedSessionsStayCounted: deleting a session gives nothing back, and takes its place in the ledger.
func TestRemovedSessionsStayCounted(t *testing.T) {
	l := budget.NewLedger()
	for _, a := range []agent{{id: "c", parent: "b"}, {id: "a", owner: "ann"}, {id: "b", parent: "a"}} {
		a.spent = protocol.Spent{TotalTokens: 10, WorkMs: 5, WorkingSince: 100}
		x := a.account(nil)
		l.Put(&x)
	}
	if use, working := l.Tree("a").Use(110); use.Tokens != 30 || use.WorkMs != 45 || working != 3 {
		t.Errorf("%+v, %d at work", use, working)
	}
	l.Remove("b")
	l.Remove("c")
	if use, working := l.Tree("a").Use(110); use.Tokens != 30 || use.WorkMs != 25 || working != 1 {
		t.Errorf("after two removals: %+v, %d at work", use, working)
	}
	if n := l.Below("a"); n != 0 {
		t.Errorf("%d sessions are below, and none is there", n)
	}
	if use, _ := l.OwnerUse("ann", 110); use.Tokens != 10 {
		t.Errorf("the owner has used %+v", use)
	}
}

// TestRule compares what is used with limits, at their borders.
func TestRule(t *testing.T) {
	rule := budget.Rule{Scope: protocol.ScopeSession, Limits: &protocol.Limits{Tokens: 10, Children: 3, WorkMs: 1000}, Action: protocol.BudgetEnd}
	for _, c := range []struct {
		use  budget.Use
		want string
	}{
		{budget.Use{Tokens: 7, Children: 2}, ""},
		{budget.Use{Tokens: 8}, "tokens warned"},
		{budget.Use{Tokens: 10}, "tokens reached"},
		{budget.Use{Children: 3}, "children warned"},
		{budget.Use{Children: 4}, "children reached"},
		{budget.Use{WorkMs: 799}, ""},
		{budget.Use{WorkMs: 800}, "workMs warned"},
	} {
		got := ""
		for _, m := range rule.Marks(nil, c.use) {
			got = fmt.Sprintf("%s %s", m.Limit, m.State)
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.use, got, c.want)
		}
	}
	if due := rule.Due(budget.Use{WorkMs: 500}, 3); due != 100 {
		t.Errorf("three at work come to the warning in %d ms", due)
	}
	if due := rule.Due(budget.Use{WorkMs: 800}, 3); due != 67 {
		t.Errorf("three at work come to the limit in %d ms", due)
	}
	if rule.Room(3) || !rule.Room(2) {
		t.Error("there is room for the third child and for no fourth")
	}
}
