package coretest

import (
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// takenBack: a node has claimed sessions that it has already, since Core went back and had forgotten that.
func takenBack(s *suite) {
	o := s.up("a", "b")
	a, b := o[0], o[1]
	p := s.takeAs(b, auto(id(1)), auto(id(2)), auto(id(3)), auto(id(4)))
	for n := range p {
		s.append(&p[n], made("b", 1, 1, 3))
	}
	s.append(&p[3], made("b", 5, 4, 1))
	s.pass(2*lease, a)
	s.pass(2*lease, a)
	s.declares(a, b)
	for n, c := range []struct {
		epoch, first uint64 // of the log that the node has
		taken        bool
		is           uint64 // the epoch behind it
	}{
		{1, 1, false, 1}, // it goes on where it was
		{5, 4, true, 5},  // in an epoch that Core had forgotten
		{5, 9, false, 1}, // with events before that one that Core lacks
		{4, 4, false, 0}, // others have had it since
	} {
		got := s.claimed(a, named(id(n+1)), id(n+1))[0]
		want := got.At
		if c.is > 0 {
			want.Epoch = c.is
		}
		answer, err := s.core.Rewind(s.ctx, core.Cut{Session: id(n + 1), Lease: want.Lease, Epoch: c.epoch, First: c.first})
		if err != nil || answer != (core.Answer{Taken: c.taken, At: want}) {
			s.Errorf("%+v: %+v, %v, want %+v", c, answer, err, want)
		}
		var epochs []protocol.EpochStart
		switch {
		case n == 3:
			epochs = []protocol.EpochStart{{Epoch: 5, First: 4}, {Epoch: want.Epoch, First: 5}}
		case want.Epoch > 1:
			epochs = []protocol.EpochStart{{Epoch: want.Epoch, First: want.Head + 1}}
		}
		s.epochsAre(id(n+1), epochs...)
		s.refused(got.At, made("a", c.is, want.Head+2, 1))
		s.append(&want, made("a", want.Epoch, want.Head+1, 2))
	}
}
