package placement_test

import (
	"context"
	"errors"
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

// stubborn are sessions of which one cannot be set aside at first.
type stubborn struct {
	placement.Sessions
	tries int
	gone  bool
}

func (s *stubborn) Seal(context.Context, string) error { return nil }
func (s *stubborn) Confirm(bool)                       {}

func (s *stubborn) Withdraw(context.Context, string, string) error {
	if s.tries++; s.tries < 3 {
		return errors.New("the disk is full")
	}
	s.gone = true
	return nil
}

// TestFencedSessionIsLetGoAgain: a session that another node has, and that cannot be set aside, is tried again with each beat until it is gone, whether or not
// anybody says anything of it.
//
// Proves: I16.6/comes-back
func TestFencedSessionIsLetGoAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		place, s := new(memory.Place), new(stubborn)
		c := place.Core()
		defer c.Close()
		life, err := c.Join(t.Context(), "n")
		if err != nil {
			t.Fatal(err)
		}
		p := placement.Begin(placement.Config{
			Connect: func(context.Context) (core.Core, error) { return place.Core(), nil },
			Life:    func() (core.Owner, bool) { return life, true }, Told: func() core.Beat { return core.Beat{} }, Log: zap.NewNop(),
			Node: &placement.Node{
				Sessions: s, Here: func() []placement.Here { return nil }, Knows: func(string) bool { return !s.gone }, Moved: func(string) {},
				Workspaces: func() []string { return nil }, Logs: new(storememory.Store),
				IsRetired: func(string, protocol.Cursor) bool { return false }, MayReturn: func(string, protocol.Cursor) bool { return false }, KeepRetired: func(func(string) bool) {},
			},
		})
		p.Fenced(core.Position{Session: "s", Owner: core.Owner{Node: "other", Incarnation: 1}})
		time.Sleep(2 * placement.Lease)
		if p.Close(); !s.gone || s.tries != 3 {
			t.Errorf("it is gone: %t, behind %d tries", s.gone, s.tries)
		}
	})
}
