package coretest

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// auto is a record of a session that goes on elsewhere, in a family of its own.
func auto(session string) core.Record {
	r := record(session)
	r.Root, r.Parent, r.Failover = session, "", core.FailoverAuto
	return r
}

// takeAs takes sessions with their records, and expects that it has them then.
func (s *suite) takeAs(as core.Owner, records ...core.Record) []core.Position {
	s.Helper()
	at, err := s.core.Take(s.ctx, as, records)
	s.must(err)
	for _, p := range at {
		if p.Owner != as {
			s.Fatalf("took %+v as %+v", at, as)
		}
	}
	return at
}

// claims claims, in the order of the sessions.
func (s *suite) claims(as core.Owner, want core.Want) core.Claims {
	s.Helper()
	got, err := s.core.Claim(s.ctx, as, want)
	s.must(err)
	slices.SortFunc(got.Taken, func(a, b core.Claimed) int { return strings.Compare(a.At.Session, b.At.Session) })
	return got
}

// claimed expects that exactly these sessions are claimed, whoever had them.
func (s *suite) claimed(as core.Owner, want core.Want, ids ...string) []core.Claimed {
	s.Helper()
	got := s.claims(as, want)
	var found []string
	for _, c := range got.Taken {
		if found = append(found, c.At.Session); c.At.Owner != as || c.Record.Session != c.At.Session || c.Lost != (c.Had != core.Owner{}) {
			s.Errorf("claimed %+v as %+v", c, as)
		}
		s.at(c.At)
	}
	if !slices.Equal(found, ids) {
		s.Fatalf("claimed %v, want %v; others %+v", found, ids, got.Others)
	}
	return got.Taken
}

// why expects the reason for which a session is not claimed.
func (s *suite) why(as core.Owner, want core.Want, at core.Position, why core.Why) {
	s.Helper()
	got := s.claims(as, want)
	if len(got.Taken) > 0 || len(got.Others) != 1 || got.Others[0] != (core.Refusal{Session: want.Sessions[0], At: at, Why: why}) {
		s.Errorf("%+v: %+v, want %s at %+v", want, got, why, at)
	}
	if at.Session != "" {
		s.at(at)
	}
}

func named(ids ...string) core.Want { return core.Want{Sessions: ids} }

// release releases sessions, and expects that they are nobody's then; the answers are the positions behind it.
func (s *suite) release(as core.Owner, at ...core.Position) (behind []core.Position) {
	s.Helper()
	var handed []core.Handed
	for _, p := range at {
		handed = append(handed, core.Handed{Session: p.Session, Lease: p.Lease, Head: p.Head})
	}
	answers, err := s.core.Release(s.ctx, as, handed)
	s.must(err)
	for i, p := range at {
		a, want := answers[i], p
		want.Owner, want.Lease = core.Owner{}, a.At.Lease
		if !a.Taken || a.At != want || a.At.Lease == p.Lease {
			s.Fatalf("released as %+v, want %+v", a, want)
		}
		s.at(want)
		behind = append(behind, want)
	}
	return behind
}

func released(s *suite) {
	o := s.up("a", "b")
	a, b := o[0], o[1]
	p := s.takeAs(a, record(id(1)), auto(id(2)))
	s.append(&p[0], made("", 1, 1, 2), made("", 4, 3, 1))
	free := s.release(a, p...)
	s.refused(p[0], made("", 4, 4, 1))
	s.refused(free[0], made("", 3, 4, 1)) // of an earlier epoch, whoever asks
	s.has(a)
	if n := s.node("a"); n.Has != 0 {
		s.Errorf("a node that has released all is %+v", n)
	}
	for p, err := range s.core.Held(s.ctx, "a") {
		s.Errorf("held is %+v, %v", p, err)
	}
	if at, err := s.core.Take(s.ctx, a, []core.Record{record(id(1))}); err != nil || at[0] != free[0] {
		s.Errorf("nobody's session is taken: %+v, %v", at, err)
	}
	got := s.claimed(b, core.Want{}, id(1), id(2))
	for i, c := range got {
		want := free[i]
		want.Owner, want.Lease = b, c.At.Lease
		r := told(record(id(1)))
		if i == 1 {
			r = told(auto(id(2)))
		}
		if c.At != want || c.At.Lease == free[i].Lease || c.Lost || c.Had != (core.Owner{}) || !reflect.DeepEqual(c.Record, r) {
			s.Errorf("claimed %+v, want %+v", c, want)
		}
	}
	s.has(b, got[0].At, got[1].At)
	s.claimed(a, core.Want{})
	s.append(&got[0].At, made("b", 4, 4, 1))
	s.reads(id(1), 0, 4, made("", 1, 1, 2), made("", 4, 3, 1), made("b", 4, 4, 1))
	s.epochsAre(id(1), protocol.EpochStart{Epoch: 4, First: 3})
	s.epochsAre(id(2))
}

func notReleased(s *suite) {
	a := s.join("a")
	b := s.join("b")
	p := s.take(a, id(1), id(2), id(3))
	theirs := s.take(b, id(4))[0]
	s.append(&p[0], made("", 1, 1, 3))
	earlier := a
	earlier.Incarnation--
	for _, c := range []struct {
		as core.Owner
		h  core.Handed
		at core.Position
	}{
		{a, core.Handed{Session: id(1), Lease: p[0].Lease, Head: 2}, p[0]}, // it has not all
		{a, core.Handed{Session: id(1), Lease: p[0].Lease, Head: 4}, p[0]},
		{a, core.Handed{Session: id(1), Lease: p[0].Lease, Head: 1 << 63}, p[0]},
		{a, core.Handed{Session: id(1), Lease: p[1].Lease, Head: 3}, p[0]},
		{a, core.Handed{Session: id(1), Lease: "x", Head: 3}, p[0]},
		{a, core.Handed{Session: id(1), Head: 3}, p[0]},
		{b, core.Handed{Session: id(1), Lease: p[0].Lease, Head: 3}, p[0]},
		{earlier, core.Handed{Session: id(1), Lease: p[0].Lease, Head: 3}, p[0]},
		{core.Owner{}, core.Handed{Session: id(1), Lease: p[0].Lease, Head: 3}, p[0]},
		{a, core.Handed{Session: id(4), Lease: theirs.Lease}, theirs},
		{a, core.Handed{Session: id(9), Lease: p[0].Lease}, core.Position{}},
		{a, core.Handed{Session: "x", Lease: p[0].Lease}, core.Position{}},
	} {
		answers, err := s.core.Release(s.ctx, c.as, []core.Handed{c.h})
		s.must(err)
		if len(answers) != 1 || answers[0] != (core.Answer{At: c.at}) {
			s.Errorf("%+v of %+v was answered with %+v", c.h, c.as, answers)
		}
	}
	s.at(p[0])
	if answers, err := s.core.Release(s.ctx, a, nil); err != nil || len(answers) > 0 {
		s.Errorf("nothing was answered with %+v, %v", answers, err)
	}
	right := core.Handed{Session: id(1), Lease: p[0].Lease, Head: 3}
	wrong := core.Handed{Session: id(2), Lease: p[1].Lease, Head: 1}
	answers, err := s.core.Release(s.ctx, a, []core.Handed{wrong, right, {Session: id(3), Lease: p[2].Lease}, right, {Session: id(2), Lease: p[1].Lease}})
	s.must(err)
	for i, taken := range []bool{false, true, true, false, false} {
		if answers[i].Taken != taken {
			s.Errorf("the answer %d is %+v", i, answers[i])
		}
	}
	if free := answers[1].At; free != answers[3].At || free.Owner != (core.Owner{}) || free.Head != 3 || answers[4].At != p[1] {
		s.Errorf("the answers are %+v", answers)
	}
	answers, err = s.core.Release(s.ctx, a, []core.Handed{right})
	s.must(err)
	if answers[0].Taken || answers[0].At.Owner != (core.Owner{}) {
		s.Errorf("released twice: %+v", answers)
	}
}

// newer expects that a session is in a new epoch without events, of the clock.
func (s *suite) newer(c core.Claimed, was core.Position) {
	s.Helper()
	want := was
	want.Owner, want.Lease, want.Epoch = c.At.Owner, c.At.Lease, c.At.Epoch
	if c.At != want || c.Had != was.Owner || !c.Lost || c.At.Lease == was.Lease {
		s.Errorf("claimed %+v of %+v", c, was)
	}
	if e := c.At.Epoch; e <= was.Epoch || e < uint64(time.Now().Add(-time.Minute).UnixMilli()) || e > protocol.MaxSeq {
		s.Errorf("epoch %d follows %d", e, was.Epoch)
	}
}

func lost(s *suite) {
	o := s.up("a", "b", "c")
	a, b, c := o[0], o[1], o[2]
	p := s.takeAs(b, auto(id(1)), auto(id(2)), record(id(3)))
	s.append(&p[0], made("b", 1, 1, 3))
	s.claimed(a, core.Want{})
	s.pass(2*lease, a, c)
	s.claimed(a, core.Want{}) // silent is not dead
	s.declares(a, b)
	got := s.claimed(a, named(id(1)), id(1))[0]
	s.newer(got, p[0])
	if !reflect.DeepEqual(got.Record, told(auto(id(1)))) {
		s.Errorf("the record is %+v", got.Record)
	}
	first := protocol.EpochStart{Epoch: got.At.Epoch, First: 4}
	s.epochsAre(id(1), first)
	s.refused(p[0], made("b", 1, 4, 1))                // the old owner
	s.refused(got.At, made("a", got.At.Epoch-1, 4, 1)) // a new one that does not know of the epoch
	cut, err := s.core.Rewind(s.ctx, core.Cut{Session: id(1), Lease: got.At.Lease, Epoch: got.At.Epoch, First: 4})
	if err != nil || cut != (core.Answer{Taken: true, At: got.At}) {
		s.Errorf("the epoch that has begun was answered with %+v, %v", cut, err)
	}

	_, err = s.core.Leave(s.ctx, a) // before there was an event
	s.must(err)
	then := s.claimed(c, core.Want{}, id(1), id(2))
	s.newer(then[0], got.At)
	s.newer(then[1], p[1])
	second := protocol.EpochStart{Epoch: then[0].At.Epoch, First: 4}
	s.epochsAre(id(1), first, second)
	s.refused(got.At, made("a", got.At.Epoch, 4, 1))
	s.append(&then[0].At, made("c", then[0].At.Epoch, 4, 2))
	s.epochsAre(id(1), first, second)
	s.reads(id(1), 0, 5, made("b", 1, 1, 3), made("c", then[0].At.Epoch, 4, 2))
	s.rewind(&then[0].At, then[0].At.Epoch+1, 3) // and what is cut behind it goes with what it cuts
	s.epochsAre(id(1), protocol.EpochStart{Epoch: then[0].At.Epoch, First: 3})
	s.at(p[2]) // which stays
}

func untaken(s *suite) {
	o := s.up("a", "b")
	a := o[0]
	p := s.takeAs(o[1], auto(id(1)), auto(id(2)), record(id(3)))
	next := s.join("b")
	s.pass(2*lease, a)
	s.claimed(a, core.Want{}) // it does not beat: what it is up to is not known
	s.beat(next)
	s.pass(lease*3/4, a, next)
	s.takeAs(next, auto(id(2)))
	s.claimed(a, core.Want{}) // it has not had the time
	s.pass(lease/2, a)
	s.Turn(lease)
	s.beat(a)
	s.claimed(a, core.Want{}) // nor, by the hole that there is now
	s.beat(next)
	s.claimed(a, core.Want{})
	s.why(a, named(id(1)), p[0], core.WhyHeld)
	s.pass(lease*5/4, a, next)
	s.why(next, named(id(1)), p[0], core.WhyOwn)
	s.newer(s.claimed(a, core.Want{}, id(1))[0], p[0])
	s.at(p[2])
}

func refusals(s *suite) {
	o := s.up("a", "b", "c", "d", "e")
	a := o[0]
	spent := auto(id(4))
	spent.Epoch = protocol.MaxSeq
	mine := s.takeAs(a, auto(id(1)))[0]
	held := s.takeAs(o[1], auto(id(2)))[0]
	silent := s.takeAs(o[2], auto(id(3)))[0]
	dead := s.takeAs(o[3], spent, record(id(5)))
	left := s.takeAs(o[4], record(id(6)))[0]
	_, err := s.core.Leave(s.ctx, o[4])
	s.must(err)
	s.pass(2*lease, a, o[1], o[2])
	s.declares(a, o[3])
	s.Turn(lease * 3 / 4)
	s.beats(core.StateUp, a, o[1])
	s.Turn(lease / 2)
	s.beats(core.StateUp, a, o[1])
	for _, c := range []struct {
		id  string
		at  core.Position
		why core.Why
	}{
		{id(1), mine, core.WhyOwn},
		{id(2), held, core.WhyHeld},
		{id(3), silent, core.WhyHeld},
		{id(4), dead[0], core.WhySpent},
		{id(5), dead[1], core.WhyStay},
		{id(6), left, core.WhyStay},
		{id(9), core.Position{}, core.WhyUnknown},
		{"x", core.Position{}, core.WhyUnknown},
		{"", core.Position{}, core.WhyUnknown},
	} {
		s.why(a, named(c.id), c.at, c.why)
	}
	got := s.claims(a, named(id(9), id(1), id(2)))
	if len(got.Taken) > 0 || len(got.Others) != 3 || got.Others[0].Session != id(9) || got.Others[2].At != held {
		s.Errorf("the refusals are %+v", got)
	}
	next := s.up("a")[0]
	s.why(next, named(id(1)), mine, core.WhyOwn)
}

func unable(s *suite) {
	o := s.up("a", "b", "c", "d", "e")
	free := s.release(o[0], s.takeAs(o[0], auto(id(1)))...)[0]
	joined := s.join("f")
	s.join("b")
	_, err := s.core.Drain(s.ctx, o[2])
	s.must(err)
	_, err = s.core.Leave(s.ctx, o[3])
	s.must(err)
	for _, as := range []core.Owner{joined, o[1], o[2], o[3], {Node: "unheard", Incarnation: 3}} {
		s.claimed(as, core.Want{})
		s.why(as, named(id(1)), free, core.WhyUnable)
	}
	s.pass(lease/2, o[0])
	s.Turn(lease * 3 / 4)
	s.why(o[4], named(id(1)), free, core.WhyUnable) // silent
	s.beat(o[0])
	s.declares(o[0], o[2], o[4])
	s.why(o[4], named(id(1)), free, core.WhyUnable)
	s.claimed(o[0], core.Want{}, id(1))
}
