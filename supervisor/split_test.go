package supervisor_test

import (
	"testing"
	"testing/synctest"
	"time"

	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/parents"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
)

// spawned makes a session that works for another one, in a folder.
func (d *daemon) spawned(parent, cwd string) string {
	d.t.Helper()
	made, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: cwd, ParentID: parent, Spawned: true})
	if err != nil {
		d.t.Fatal(err)
	}
	return made.Summary.ID
}

func (d *daemon) hasEnded(id string) bool {
	d.t.Helper()
	sum, err := d.Look(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return sum.Status.State.Ended()
}

// TestSplitFamily: a session is in a folder that its node alone has, and the one that it works for goes on elsewhere: it stays as it is, over starts of its
// node, also where Core does not answer, and ends when the other one is deleted there, or has ended.
//
// Proves: I16.6/families
func TestSplitFamily(t *testing.T) {
	for _, what := range []string{"is deleted", "has ended"} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base, apart, place := t.TempDir(), t.TempDir(), new(corememory.Place)
				a, b := startPeer(t, 'a', base, place, true), startPeer(t, 'b', base, place, true)
				time.Sleep(2 * placement.Lease)
				if _, err := a.AddRoot(t.Context(), apart); err != nil {
					t.Fatal(err)
				}
				x := a.create().ID
				y := a.spawned(x, apart)
				a.turn(y)
				seq := a.prompt(x, lasting).Cursor.Seq
				a.until(x, seq, protocol.TypeTurnStart)
				settle()
				a.link.Leave()
				b.awaits("taken over", 3*placement.Lease, func() bool { return b.has(x) })
				b.until(x, seq, protocol.TypeTurnEnd)
				a.link.Return()
				a.awaits("let go", time.Minute, func() bool { return !a.has(x) })
				a.end()

				a = startPeer(t, 'a', base, place, true)
				p := parents.Begin(parents.Config{List: a.Roster(), Look: a.all.Look, Over: supervisor.MovesOf(a.Supervisor).Over})
				time.Sleep(5 * time.Minute)
				if a.hasEnded(y) {
					t.Error("it has ended at the start of its node")
				}
				a.link.Leave()
				if what == "has ended" {
					b.daemon.end(x)
				} else if err := b.Supervisor.Delete(t.Context(), x); err != nil {
					t.Fatal(err)
				}
				time.Sleep(5 * time.Minute)
				if a.hasEnded(y) {
					t.Error("it has ended although Core did not answer")
				}
				a.link.Return()
				a.awaits("ended", 3*time.Minute, func() bool { return a.hasEnded(y) })
				p.Close()
				a.end()
				b.end()
			})
		})
	}
}
