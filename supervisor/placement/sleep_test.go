package placement_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	storememory "github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
	"go.uber.org/zap"
)

// sleeper is a node on a machine that sleeps.
type sleeper struct {
	placement.Sessions
	sure  atomic.Bool
	slept atomic.Int64 // ns
	blind atomic.Bool  // the system does not tell for how long
	away  atomic.Bool  // Core does not answer
	beats atomic.Int64
	again atomic.Int64 // times that Core has answered again
}

func (s *sleeper) Confirm(sure bool) { s.sure.Store(sure) }

// way is the sleeper's to Core.
type way struct {
	core.Core
	of *sleeper
}

func (w *way) Beat(ctx context.Context, life core.Owner, told core.Beat) (core.State, error) {
	w.of.beats.Add(1)
	if w.of.away.Load() {
		return "", &core.AwayError{Op: "beat", Err: errors.New("no network yet")}
	}
	return w.Core.Beat(ctx, life, told)
}

// TestMachineSleeps: the clock by which a node's timers run stands still while its machine sleeps, and Core's does not. Within a second behind that the node
// asks Core, and is not sure of its sessions before Core has answered, where it has slept for longer than it may be sure.
//
// That Core answers behind a beat that it has not heard is told once.
//
// Proves: I16.6/sleep
func TestMachineSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		place, s := new(memory.Place), new(sleeper)
		c := place.Core()
		defer c.Close()
		life, err := c.Join(t.Context(), "n")
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		p := placement.Begin(placement.Config{
			Connect: func(context.Context) (core.Core, error) { return &way{place.Core(), s}, nil },
			Life:    func() (core.Owner, bool) { return life, true }, Told: func() core.Beat { return core.Beat{} }, Log: zap.NewNop(),
			Answers: func() { s.again.Add(1) },
			Uptime: func() time.Duration {
				if s.blind.Load() {
					return 0
				}
				return time.Hour + time.Since(begun) + time.Duration(s.slept.Load())
			},
			Node: &placement.Node{
				Sessions: s, Here: func() []placement.Here { return nil }, Knows: func(string) bool { return true }, Moved: func(string) {},
				Workspaces: func() []string { return nil }, Logs: new(storememory.Store),
				IsRetired: func(string, protocol.Cursor) bool { return false }, MayReturn: func(string, protocol.Cursor) bool { return false }, KeepRetired: func(func(string) bool) {},
			},
		})
		defer p.Close()
		is := func(what string, behind time.Duration, sure bool) {
			t.Helper()
			time.Sleep(behind)
			synctest.Wait()
			if s.sure.Load() != sure {
				t.Errorf("%s: it is sure: %t", what, !sure)
			}
		}
		is("it has beaten", placement.Lease/10, true)
		s.away.Store(true)
		is("Core is away for a moment", placement.Lease/10, true)
		s.slept.Add(int64(placement.Lease / 10))
		is("it has slept for a moment", 2*time.Second, true)
		s.slept.Add(int64(placement.Lease))
		is("it has slept", time.Second, false)
		s.away.Store(false)
		is("Core answers", time.Second, true)
		if n := s.again.Load(); n != 1 {
			t.Errorf("that Core answers again is told %d times", n)
		}
		for range 10 { // each beat counts from where it was
			is("it beats", placement.Lease/2, true)
		}
		s.blind.Store(true) // what it has slept before stays so
		s.away.Store(true)
		is("nobody tells of sleep", placement.Lease/10, true)
		is("Core is away", placement.Lease, false)
		s.away.Store(false)
		is("Core answers again", placement.Lease/3+time.Second, true)
		s.blind.Store(false)
		is("the system tells again", time.Second, true)
		s.again.Store(1)
		asked := s.beats.Load()
		s.slept.Add(int64(placement.Lease))
		is("it has slept, and Core answers", time.Second, true)
		if n := s.beats.Load() - asked; n != 1 {
			t.Errorf("behind its sleep it asks Core %d times", n)
		}
		if n := s.again.Load(); n != 1 {
			t.Errorf("that Core answers again is told %d times", n)
		}
	})
}
