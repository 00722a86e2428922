package core

import (
	"testing"
	"time"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestAtRest: a summary tells all of a session, but for each of the reasons for which only its actor can; one that is being deleted is not there.
//
// Proves: I15.4/rest
func TestAtRest(t *testing.T) {
	const rests, asks, gone = "told by its summary", "asked of its actor", "not there"
	at := time.Unix(1000, 0)
	idle := func(*State, *member) {}
	for name, c := range map[string]struct {
		is   func(*State, *member)
		want string
	}{
		"put away": {idle, rests},
		"ended":    {func(_ *State, x *member) { x.summary.Status.State = protocol.StateTerminated }, rests},
		"starting": {func(_ *State, x *member) { x.summary.Status.State = protocol.StateStarting }, rests},

		"live":                      {func(_ *State, x *member) { x.live = true }, asks},
		"live, being stopped":       {func(_ *State, x *member) { x.live, x.stopping = true, true }, rests},
		"live, being parked":        {func(_ *State, x *member) { x.live, x.parking = true, true }, rests},
		"live, parked by the drain": {func(s *State, x *member) { x.live, x.parking, s.draining = true, true, true }, asks},
		"is to be opened anew":      {func(_ *State, x *member) { x.reopens = true }, asks},
		"its folder is being made":  {func(_ *State, x *member) { x.making = true }, asks},
		"its creation is not told":  {func(_ *State, x *member) { x.stir().creating = 1 }, asks},

		"left at work":                    {func(_ *State, x *member) { x.open = true }, asks},
		"its journal is newer":            {func(_ *State, x *member) { x.stale = true }, asks},
		"left at work, damaged":           {func(_ *State, x *member) { x.open, x.damaged = true, true }, rests},
		"its journal is newer, damaged":   {func(_ *State, x *member) { x.stale, x.damaged = true, true }, rests},
		"its journal is doubted":          {func(_ *State, x *member) { x.doubted = true }, asks},
		"its journal is doubted, damaged": {func(_ *State, x *member) { x.doubted, x.damaged = true, true }, asks},

		"failed since its start":  {func(_ *State, x *member) { x.stir(); x.crashes, x.spawned, x.crashed = 1, at, at.Add(1) }, asks},
		"failed at its start":     {func(_ *State, x *member) { x.stir(); x.crashes, x.spawned, x.crashed = 1, at, at }, asks},
		"failed, and started":     {func(_ *State, x *member) { x.stir(); x.crashes, x.spawned, x.crashed = 1, at.Add(1), at }, rests},
		"failed, and long forgot": {func(_ *State, x *member) { x.stir(); x.spawned, x.crashed = at, at.Add(1) }, rests},

		"a prompt waits": {func(_ *State, x *member) { x.summary.Status.QueuedPrompts = 1 }, asks},
		"at work":        {func(_ *State, x *member) { x.summary.Status.State = protocol.StateResponding }, asks},
		"at work, damaged": {func(_ *State, x *member) {
			x.summary.Status.State, x.summary.Damage = protocol.StateResponding, &protocol.Damage{}
		}, rests},
		"deleted": {func(_ *State, x *member) { x.stir().deleting = []Ticket{1} }, gone},
		"removed": {func(s *State, x *member) { s.leave(x) }, gone},
	} {
		t.Run(name, func(t *testing.T) {
			s := testState()
			x := newMember(&session.Summary{ID: "a", Title: "t", Status: protocol.Status{State: protocol.StateIdle}})
			s.join(x)
			c.is(s, x)
			d, err := s.AtRest("a")
			got := asks
			switch {
			case err != nil:
				got = gone
			case d != nil:
				got = rests
			}
			if got != c.want || d != nil && d.Title != "t" {
				t.Errorf("it is %s (%+v, %v), want %s", got, d, err, c.want)
			}
		})
	}
}

// TestAtRestIsWhole: the requests that are open are told, and what an earlier build has not written of the cost.
func TestAtRestIsWhole(t *testing.T) {
	s := testState()
	sum := session.Summary{ID: "a", Status: protocol.Status{State: protocol.StateIdle}}
	sum.Spent.CostMicros = 2_500_000
	sum.Open = []protocol.OpenRequest{{RequestOpened: protocol.RequestOpened{RequestID: "r1"}}, {RequestOpened: protocol.RequestOpened{RequestID: "r2"}}}
	s.join(newMember(&sum))
	d, err := s.AtRest("a")
	if err != nil || d == nil || d.Cost != 2.5 || len(d.Requests) != 2 || d.Requests[0].RequestID != "r1" || d.Requests[1].RequestID != "r2" {
		t.Fatalf("%+v, %v", d, err)
	}
	sum.Cost = 2.4999999 // to the last digit
	if d, err := s.AtRest("a"); err != nil || d.Cost != 2.4999999 {
		t.Fatalf("%+v, %v", d, err)
	}
}
