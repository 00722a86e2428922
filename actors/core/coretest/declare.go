package coretest

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

func declared(s *suite) {
	o := s.up("a", "b", "c")
	a, b, c := o[0], o[1], o[2]
	p := s.take(b, id(1))[0]
	s.declares(a)
	s.pass(lease*3/4, a, c)
	s.declares(a)
	s.pass(lease/2, a, c)
	s.declares(a, b)
	s.declares(c)
	s.state("b", core.StateDead)
	s.beats(core.StateUp, a, c)

	s.beats(core.StateDead, b)
	if at, err := s.core.Take(s.ctx, b, []core.Record{record(id(1)), record(id(2))}); err != nil || at[0] != p || at[1] != (core.Position{}) {
		s.Errorf("a dead node takes %+v, %v", at, err)
	}
	if got, err := s.core.Drain(s.ctx, b); got != core.StateDead || err != nil {
		s.Errorf("a dead node that drains is %s, %v", got, err)
	}
	if got, err := s.core.Leave(s.ctx, b); got != core.StateDead || err != nil {
		s.Errorf("a dead node that leaves is %s, %v", got, err)
	}
	s.append(&p, made("", 1, 1, 2)) // its lease holds until somebody takes the session
	next := s.up("b")[0]
	s.state("b", core.StateUp)
	s.beats(core.StateFollowed, b)
	s.take(next, id(1))
	s.epochsAre(id(1))
	s.declares(a)
}

// silent makes a node that is silent for long, for others to declare dead: nobody else has run out.
func (s *suite) silent(node string, beating ...core.Owner) core.Owner {
	s.Helper()
	o := s.up(node)[0]
	s.pass(3*lease, beating...)
	return o
}

func mayDeclare(s *suite) {
	o := s.up("a", "b", "c", "d", "e")
	dead := s.silent("x", o...)
	young := s.up("y")[0]
	s.declares(young)
	s.declares(s.join("f"))
	s.declares(core.Owner{Node: "unheard", Incarnation: 5})
	s.join("b")
	s.declares(o[1])
	_, err := s.core.Drain(s.ctx, o[2])
	s.must(err)
	s.declares(o[2])
	_, err = s.core.Leave(s.ctx, o[3])
	s.must(err)
	s.declares(o[3])
	s.pass(lease/2, o[0], young)
	s.declares(young) // not steady for long enough
	s.Turn(lease * 3 / 4)
	s.beat(young)
	s.Turn(lease * 3 / 4)
	s.declares(o[0]) // its lease has run out
	s.beat(o[0])     // with a hole
	s.declares(o[0])
	s.beat(young) // without one
	s.declares(young, o[2], o[4], dead)
}

func notDeclared(s *suite) {
	a := s.up("a")[0]
	s.join("b") // does not beat
	s.take(core.Owner{Node: "c", Incarnation: 9}, id(1))
	o := s.up("d", "e", "f", "g")
	s.join("d") // whose newest life does not beat
	_, err := s.core.Leave(s.ctx, o[1])
	s.must(err)
	_, err = s.core.Drain(s.ctx, o[2])
	s.must(err)
	patient := beat
	patient.Lease = 4 * lease
	_, err = s.core.Beat(s.ctx, o[3], patient)
	s.must(err)
	s.pass(3*lease, a)
	s.declares(a, o[2])
	for node, want := range map[string]core.State{"b": core.StateUp, "c": core.StateUp, "d": core.StateUp, "e": core.StateLeft, "g": core.StateUp} {
		s.state(node, want)
	}
	s.pass(2*lease, a)
	s.declares(a, o[3])

	// Who declares must have been steady for the lease of the other as well.
	_, err = s.core.Beat(s.ctx, s.join("p"), patient)
	s.must(err)
	s.Turn(5 * lease)
	s.pass(2*lease, a)
	s.declares(a)
	s.pass(3*lease, a)
	s.declares(a, s.node("p").Owner)
}

// outage: Core is away for longer than all leases. Whoever comes back first finds all others run out.
func outage(s *suite) {
	o := s.up("a", "b", "c")
	s.pass(4*lease, o...)
	s.Turn(3 * lease)
	s.declares(o[0])
	s.beats(core.StateUp, o[0])
	s.declares(o[0])
	s.Turn(lease / 2)
	s.beats(core.StateUp, o[0], o[1])
	s.declares(o[0])
	s.declares(o[1])
	s.pass(lease*3/4, o[0], o[1])
	s.declares(o[1])
	s.declares(o[0], o[2]) // which had a whole lease to come back
}

// jumps: what runs out by a jump of the clock alone is nobody's death. The others have beaten at some time before it, and beat a moment behind it.
func jumps(s *suite) {
	o := s.up("a", "b")
	for ago := time.Duration(0); ago < lease; ago += 14 * time.Minute { // that b has renewed, when a does
		for jump := 5 * time.Minute; jump < 3*lease; jump += 20 * time.Minute {
			s.pass(lease*5/4, o...)
			s.Turn(ago)
			s.beat(o[0])
			s.Turn(jump)
			s.declares(o[0])
			s.beat(o[1])
			s.beat(o[0])
			s.declares(o[0])
			s.declares(o[1])
		}
	}
}

func goesBack(s *suite) {
	o := s.up("a", "b", "c")
	s.pass(2*lease, o...)
	s.Turn(-24 * lease)
	s.declares(o[0]) // it does not know how long it has been silent itself
	s.beats(core.StateUp, o[0], o[1])
	s.declares(o[0])
	if n := s.node("a"); n.Ends > lease {
		s.Errorf("a lease that was renewed ends in %v", n.Ends)
	}
	s.pass(lease*3/4, o[0], o[1])
	s.declares(o[0])
	s.pass(lease*3/4, o[0], o[1])
	s.declares(o[0], o[2]) // and not a day later
	s.beats(core.StateUp, o[0], o[1])

	// One that has renewed behind the jump may have a lease that ends before the moment at which another one has renewed, as that one's clock was.
	s.pass(2*lease, o[0], o[1])
	s.Turn(-10 * time.Minute)
	short := beat
	short.Lease = 5 * time.Minute
	_, err := s.core.Beat(s.ctx, o[1], short)
	s.must(err)
	s.declares(o[0])
}
