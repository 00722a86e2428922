package placement_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	storememory "github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// giving is a node with sessions that it gives away.
type giving struct {
	t      *testing.T
	core   core.Core
	moves  *placement.Placement
	logged *observer.ObservedLogs

	mu       sync.Mutex
	life     core.Owner
	here     map[string]string // sessions, with those that they work for
	sealed   map[string]bool
	seals    map[string]int
	slow     map[string]time.Duration // what sealing takes
	unsent   map[string]bool          // sessions that Core does not get
	full     map[string]bool          // sessions whose folder cannot be set aside
	late     map[string]time.Duration // what the disk takes for that, whether or not somebody waits
	withdraw map[string]bool          // those that were
}

// gives makes a node that is up, in a bubble of synctest.
func gives(t *testing.T, sessions ...string) *giving {
	t.Helper()
	place := new(memory.Place)
	logs, logged := observer.New(zap.WarnLevel)
	g := &giving{
		t: t, core: place.Core(), logged: logged, here: map[string]string{}, sealed: map[string]bool{}, seals: map[string]int{},
		slow: map[string]time.Duration{}, unsent: map[string]bool{}, full: map[string]bool{}, late: map[string]time.Duration{}, withdraw: map[string]bool{},
	}
	for _, id := range sessions {
		g.here[id] = ""
	}
	g.join(core.Owner{})
	g.moves = placement.Begin(placement.Config{
		Connect: func(context.Context) (core.Core, error) { return place.Core(), nil },
		Life: func() (core.Owner, bool) {
			g.mu.Lock()
			defer g.mu.Unlock()
			return g.life, true
		},
		Rejoin: g.join, Told: func() core.Beat { return core.Beat{} }, Owns: func(core.Position) bool { return true }, Log: zap.New(logs),
		Node: &placement.Node{
			Sessions: g, Here: g.list, Knows: g.knows, Newest: func(string) protocol.Cursor { return protocol.Cursor{} }, Moved: func(string) {},
			InCore: func(_ context.Context, id string, _ uint64) bool {
				g.mu.Lock()
				defer g.mu.Unlock()
				if !g.unsent[id] {
					g.take(id)
				}
				return !g.unsent[id]
			},
			Workspaces: func() []string { return nil }, Logs: new(storememory.Store),
			IsRetired: func(string, protocol.Cursor) bool { return false }, MayReturn: func(string, protocol.Cursor) bool { return false }, KeepRetired: func(func(string) bool) {},
		},
	})
	t.Cleanup(func() {
		g.moves.Close()
		g.core.Close()
	})
	synctest.Wait()
	return g
}

// join begins a life, as the shipper does.
func (g *giving) join(core.Owner) {
	g.mu.Lock()
	defer g.mu.Unlock()
	life, err := g.core.Join(context.Background(), "n")
	if err != nil {
		g.t.Error(err)
	}
	g.life = life
	for id := range g.here {
		g.take(id)
	}
}

// take tells Core that a session is of the newest life. With mu held.
func (g *giving) take(id string) {
	if _, err := g.core.Take(context.Background(), g.life, []core.Record{{Session: id, Failover: core.FailoverAuto}}); err != nil {
		g.t.Error(err)
	}
}

func (g *giving) list() (list []placement.Here) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, parent := range g.here {
		list = append(list, placement.Here{ID: id, Parent: parent, Placed: true})
	}
	return list
}

func (g *giving) knows(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, is := g.here[id]
	return is
}

func (g *giving) Arrive(context.Context, string, bool) error { return nil }
func (g *giving) Confirm(bool)                               {}

func (g *giving) Seal(ctx context.Context, id string) error {
	g.mu.Lock()
	g.sealed[id] = true
	g.seals[id]++
	slow := time.NewTimer(g.slow[id])
	g.mu.Unlock()
	select {
	case <-slow.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *giving) Unseal(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sealed, id)
}

func (g *giving) Withdraw(ctx context.Context, id, _ string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.full[id] {
		return errors.New("the disk is full")
	}
	goes := func() {
		delete(g.here, id)
		g.withdraw[id] = true
	}
	if late := g.late[id]; late > 0 {
		g.late[id] = 0
		time.AfterFunc(late, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			goes()
		})
		g.mu.Unlock()
		<-ctx.Done()
		g.mu.Lock()
		return ctx.Err()
	}
	goes()
	return nil
}

// owner is the node that has a session in Core.
func (g *giving) owner(id string) string {
	at, err := g.core.Positions(g.t.Context(), []string{id})
	if err != nil {
		g.t.Fatal(err)
	}
	return at[0].Owner.Node
}

// state gives what of the sessions is sealed, and how many were withdrawn.
func (g *giving) state() (sealed map[string]bool, withdrawn, seals int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	sealed = map[string]bool{}
	for id := range g.sealed {
		sealed[id] = true
	}
	for _, n := range g.seals {
		seals += n
	}
	return sealed, len(g.withdraw), seals
}

func session(n int) string { return fmt.Sprintf("0199a7a0-0000-7000-8000-%012x", n) }

// TestNodeJoinsWhileItGives: what a node has not given away by the time that it joins again stays, whether it waits for its turn or is sealed by then.
//
// Proves: I16.6/drain
func TestNodeJoinsWhileItGives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ids []string
		for n := range 20 {
			ids = append(ids, session(n))
		}
		g := gives(t, ids...)
		for _, id := range ids {
			g.slow[id] = 10 * time.Second
		}
		g.moves.Drain(0)
		time.Sleep(5 * time.Second)
		if sealed, _, _ := g.state(); len(sealed) != 8 {
			t.Fatalf("%d are sealed", len(sealed))
		}
		g.moves.Join()
		time.Sleep(5 * time.Minute)
		sealed, withdrawn, _ := g.state()
		if len(sealed) > 0 || withdrawn > 0 {
			t.Errorf("%d are sealed, %d were set aside", len(sealed), withdrawn)
		}
		for _, id := range ids {
			if node := g.owner(id); node != "n" {
				t.Errorf("%s is %q's", id, node)
			}
		}
	})
}

// TestDrainDoesNotWaitForTheSlowest: a session that has gone is nobody's at once, whatever others need.
//
// Proves: I16.6/drain
func TestDrainDoesNotWaitForTheSlowest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, slow := session(1), session(2)
		g := gives(t, quick, slow)
		g.slow[slow] = 40 * time.Second
		g.moves.Drain(0)
		time.Sleep(time.Second)
		if a, b := g.owner(quick), g.owner(slow); a != "" || b != "n" {
			t.Errorf("the quick one is %q's, and the slow one %q's", a, b)
		}
		time.Sleep(time.Minute)
		if node := g.owner(slow); node != "" {
			t.Errorf("at last the slow one is %q's", node)
		}
	})
}

// TestSessionThatCannotBeGiven: a family that Core does not get, or that the disk does not let go, is tried ever more rarely, and works in between. Why it stays
// is said once.
//
// Proves: I16.6/drain
func TestSessionThatCannotBeGiven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unsent, parent, child := session(1), session(2), session(3)
		g := gives(t, unsent, parent, child)
		g.here[child] = parent
		g.unsent[unsent], g.full[child] = true, true
		g.moves.Drain(0)
		time.Sleep(time.Hour)
		sealed, withdrawn, seals := g.state()
		if len(sealed) > 0 || withdrawn > 0 || seals < 300 || seals > 420 {
			t.Errorf("%v are sealed, %d were set aside, behind %d tries", sealed, withdrawn, seals)
		}
		if n := g.logged.Len(); n != 2 {
			t.Errorf("it was said %d times: %v", n, g.logged.All())
		}
		g.mu.Lock()
		g.unsent, g.full = nil, nil
		g.mu.Unlock()
		time.Sleep(time.Minute)
		for _, id := range []string{unsent, parent, child} {
			if node := g.owner(id); node != "" {
				t.Errorf("%s is %q's", id, node)
			}
		}
	})
}

// TestSessionThatGoesLate: a folder that the disk takes aside behind the time that it had has gone all the same, and the session is nobody's then.
//
// Proves: I16.6/drain
func TestSessionThatGoesLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		id := session(1)
		g := gives(t, id)
		g.late[id] = 61 * time.Second
		g.moves.Drain(0)
		time.Sleep(2 * time.Minute)
		if node := g.owner(id); node != "" {
			t.Errorf("it is %q's", node)
		}
	})
}
