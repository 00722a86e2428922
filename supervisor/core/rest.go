package core

import (
	"cmp"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
)

// AtRest is what there is to tell of a session without an actor that takes questions, so that none is started; nil: its actor tells it. An actor is put away
// when its agent has nothing to do and nobody reads: no prompt waits, nobody reads, no agent starts, and all else is in its summary.
func (s *State) AtRest(id string) (*session.Description, error) {
	x := s.members.get(id)
	if x == nil {
		return nil, NotFound()
	}
	if !s.rests(x) {
		return nil, nil
	}
	d := &session.Description{Summary: *s.current(x)}
	d.Cost = cmp.Or(d.Cost, float64(d.Spent.CostMicros)/1e6) // an earlier build has not written it
	for i := range d.Open {
		d.Requests = append(d.Requests, d.Open[i].RequestOpened)
	}
	return d, nil
}

// rests says that a session's summary tells all of it. It may not of one that is being made, that an earlier daemon left at work, whose actor has failed, or
// that is to be opened anew; and it has no prompts, only how many wait.
func (s *State) rests(x *member) bool {
	status := &x.summary.Status
	switch {
	case x.takes(s.draining), x.reopens, x.making, x.creating != 0:
		return false
	case !x.damaged && (x.open || x.stale), x.doubted:
		return false
	case x.crashes > 0 && !x.crashed.Before(x.spawned):
		return false
	case status.QueuedPrompts > 0, status.State.Busy() && x.summary.Damage == nil:
		return false
	}
	return true
}
