package supervisor_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
)

// uses has a session use so many tokens in a turn.
func (p *peer) uses(id string, tokens int) {
	p.t.Helper()
	seq := p.prompt(id, fmt.Sprintf("work\n```script\n"+`[{"usage":{"input":%d}},{"say":{"text":"One."}}]`+"\n```", tokens)).Cursor.Seq
	p.until(id, seq, protocol.TypeTurnEnd)
	settle()
}

// counts holds what a session's tree, and what its owner, have used by a node's count against what they should have; of an owner nothing, where its budget
// was set when nothing had been used.
func (p *peer) counts(id string, tree, owner int64) {
	p.t.Helper()
	of, err := p.Spending(p.t.Context(), id)
	if err != nil || of.Tokens != tree {
		p.t.Errorf("the tree has used %d tokens, want %d; %v", of.Tokens, tree, err)
	}
	list, err := p.Owners(p.t.Context(), "ann")
	if err != nil || len(list) != 1 || list[0].Use.Tokens != owner {
		p.t.Errorf("the owner: %+v, want %d tokens; %v", list, owner, err)
	}
}

// TestBudgetsOfSessionsThatMove: a session goes to another node and comes back, more than once and over restarts. At each node its tree has used what its sessions
// have, those among them that were deleted at a node before; its owner has used what was used at that node.
//
// Proves: I13.11/owners, I13.11/removed
func TestBudgetsOfSessionsThatMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		nodes := map[byte]*peer{'a': startPeer(t, 'a', base, place, true), 'b': startPeer(t, 'b', base, place, true)}
		a, b := nodes['a'], nodes['b']
		time.Sleep(2 * placement.Lease)
		for _, p := range nodes {
			if _, err := p.SetOwnerBudget(t.Context(), supervisor.Tenant{Owner: "ann", Limits: &protocol.Limits{Tokens: 1_000_000}}, false); err != nil {
				t.Fatal(err)
			}
		}
		made := func(p *peer, n supervisor.NewSession) string {
			t.Helper()
			n.Agent, n.Cwd, n.Owner = "scripted", p.root, "ann"
			s, err := p.Create(t.Context(), n)
			if err != nil {
				t.Fatal(err)
			}
			return s.Summary.ID
		}
		deleted := func(p *peer, id string) {
			t.Helper()
			if err := p.Delete(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			settle()
		}
		x := made(a, supervisor.NewSession{Budget: &protocol.Budget{Tree: &protocol.Limits{Tokens: 100_000}}})
		goes := func(from, to *peer) {
			t.Helper()
			from.moves.Drain(0)
			from.awaits("given away", time.Minute, func() bool { left, is := from.moves.Draining(); return is && left == 0 })
			settle()
			if err := to.cluster.TakeOver(t.Context(), x); err != nil {
				t.Fatal(err)
			}
			settle()
			from.moves.Join()
			settle()
		}
		again := func(name byte) *peer {
			t.Helper()
			nodes[name].end()
			nodes[name] = startPeer(t, name, base, place, true)
			time.Sleep(2 * placement.Lease)
			return nodes[name]
		}
		a.uses(x, 1000)
		y := made(a, supervisor.NewSession{ParentID: x, Spawned: true})
		a.uses(y, 500)
		deleted(a, y)
		a.counts(x, 1500, 1500)
		goes(a, b)
		b.counts(x, 1500, 0)
		b.uses(x, 10)
		y = made(b, supervisor.NewSession{ParentID: x, Spawned: true})
		z := made(b, supervisor.NewSession{ParentID: y, Spawned: true})
		b.uses(z, 5)
		b.counts(x, 1515, 15)
		b = again('b')
		deleted(b, y) // and z with it
		b.counts(x, 1515, 15)
		b = again('b')
		b.counts(x, 1515, 15)
		goes(b, a)
		a.counts(x, 1515, 1500)
		a = again('a')
		a.counts(x, 1515, 1500)
		a.uses(x, 100)
		goes(a, b)
		b.counts(x, 1615, 15)
		goes(b, a)
		a = again('a')
		a.counts(x, 1615, 1600)
		deleted(a, x)
		if list, err := a.Owners(t.Context(), "ann"); err != nil || list[0].Use.Tokens != 1600 {
			t.Errorf("%+v, %v", list, err)
		}
		b = again('b')
		if list, err := b.Owners(t.Context(), "ann"); err != nil || list[0].Use.Tokens != 15 {
			t.Errorf("%+v, %v", list, err)
		}
		a.end()
		b.end()
	})
}
