package coretest

import (
	"reflect"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func lives(s *suite) {
	last := map[string]uint64{}
	for _, node := range []string{"a", "a", "b", "a", "b", "\x00\xff"} {
		o := s.join(node)
		if o.Node != core.Text(node) || o.Incarnation <= last[node] {
			s.Errorf("joined as %+v behind %d", o, last[node])
		}
		last[node] = o.Incarnation
	}
	_, err := s.core.Join(s.ctx, "")
	if refused := fails[*core.AccessError](s, err); refused.Hint == "" || refused.Op != "join" {
		s.Errorf("refused as %+v", refused)
	}
}

func registered(s *suite) {
	me := s.join("a")
	p := s.take(me, id(1), id(2))
	if p[0].Lease == p[1].Lease {
		s.Error("two sessions have one lease")
	}
	for i := range p {
		want := core.Position{Session: id(i + 1), Owner: me, Lease: p[i].Lease, Epoch: 1, Head: 0, Oldest: 1}
		if p[i] != want {
			s.Errorf("registered at %+v", p[i])
		}
		s.at(want)
	}
	got, r, ok, err := s.core.Session(s.ctx, id(1))
	s.must(err)
	if !ok || got != p[0] || !reflect.DeepEqual(r, told(record(id(1)))) {
		s.Errorf("the session is %+v, %+v", got, r)
	}
	got, r, ok, err = s.core.Session(s.ctx, id(3))
	if ok || err != nil || got != (core.Position{}) || !reflect.DeepEqual(r, core.Record{}) {
		s.Errorf("of a session that is not there it says %+v, %+v, %v", got, r, err)
	}
	s.reads(id(1), 0, 0)
}

func trimmed(s *suite) {
	me := s.join("a")
	r := record(id(1))
	r.Epoch, r.First = 7, 100
	at, err := s.core.Take(s.ctx, me, []core.Record{r})
	s.must(err)
	p := at[0]
	if p != (core.Position{Session: id(1), Owner: me, Lease: p.Lease, Epoch: 7, Head: 99, Oldest: 100}) {
		s.Fatalf("registered at %+v", p)
	}
	s.epochsAre(id(1), protocol.EpochStart{Epoch: 7, First: 100})
	one := made("", 7, 100, 2)
	s.append(&p, one)
	s.reads(id(1), 99, 101, one)
	at, err = s.core.Take(s.ctx, me, []core.Record{record(id(1))}) // it counts where it is registered alone
	s.must(err)
	if q := at[0]; q.Oldest != 100 || q.Head != 101 || q.Epoch != 7 {
		s.Errorf("taken again at %+v", q)
	}
}

func again(s *suite) {
	mine, others := s.join("a"), s.join("b")
	p := s.take(mine, id(1), id(2))
	q := s.take(others, id(3))[0]
	s.append(&p[0], made("", 1, 1, 3))
	leases := map[core.Lease]bool{p[0].Lease: true, p[1].Lease: true, q.Lease: true}
	for range 2 { // by the same life, and by a later one
		changed := record(id(1))
		changed.State, changed.Told = "failed", nil
		at, err := s.core.Take(s.ctx, mine, []core.Record{record(id(3)), changed, record(id(2)), record(id(1))})
		s.must(err)
		if len(at) != 4 || at[0] != q || at[1] != at[3] {
			s.Fatalf("the answers are %+v", at)
		}
		for i, head := range map[int]uint64{1: 3, 2: 0} {
			if a := at[i]; leases[a.Lease] || a.Owner != mine || a.Head != head {
				s.Errorf("taken again at %+v", a)
			}
			leases[at[i].Lease] = true
		}
		_, r, _, err := s.core.Session(s.ctx, id(1))
		s.must(err)
		if r.State != "failed" || len(r.Told) != 0 { // of two records of a session the first counts
			s.Errorf("what is told is %+v", r)
		}
		s.refused(p[0], made("", 1, 4, 1))
		mine = s.join("a")
	}
	s.at(q)
}

// reclaimed: a Core that went back names another node, or nobody, as the owner of what a node has. That node says of which epoch it knows that it has it.
func reclaimed(s *suite) {
	earlier, owner := s.up("a")[0], s.join("b")
	p := s.takeAs(earlier, auto(id(1)), auto(id(2)))
	free := p[1]
	s.append(&p[0], made("", 7, 1, 3))
	s.release(earlier, free)
	free = s.behind(id(2))
	again := func(epoch uint64) []core.Position {
		var told []core.Record
		for _, r := range []core.Record{record(id(1)), record(id(2))} {
			r.Claimed = epoch
			told = append(told, r)
		}
		at, err := s.core.Take(s.ctx, owner, told)
		s.must(err)
		return at
	}
	if at := again(0); at[0] != p[0] || at[1] != free {
		s.Errorf("taken from others: %+v", at)
	}
	if at := again(6); at[0] != p[0] || at[1].Owner != owner || at[1].Epoch != free.Epoch || at[1].Lease == free.Lease {
		s.Errorf("behind a claim of epoch 6 they are at %+v", at)
	}
	at := again(7)
	if at[0].Owner != owner || at[0].Epoch != 7 || at[0].Head != 3 || at[0].Lease == p[0].Lease {
		s.Errorf("behind a claim of epoch 7 it is at %+v", at[0])
	}
	s.refused(p[0], made("", 7, 4, 1))
	s.append(&at[0], made("", 7, 4, 1))
	_, r, _, err := s.core.Session(s.ctx, id(1))
	s.must(err)
	if r.Claimed != 0 || r.State != record(id(1)).State {
		s.Errorf("what is told is %+v", r)
	}
}

func earlierLife(s *suite) {
	first := s.join("a")
	p := s.take(first, id(1))
	second := s.join("a")
	for _, as := range []core.Owner{first, {Node: "c"}, {}, {Node: "a", Incarnation: 1 << 63}} {
		at, err := s.core.Take(s.ctx, as, []core.Record{record(id(1)), record(id(2))})
		s.must(err)
		if !slices.Equal(at, []core.Position{p[0], {}}) {
			s.Errorf("%+v took %+v", as, at)
		}
	}
	s.append(&p[0], made("", 1, 1, 1)) // its leases hold until somebody takes the sessions
	s.take(second, id(1))
	s.refused(p[0], made("", 1, 2, 1))
	forgotten := core.Owner{Node: "a", Incarnation: second.Incarnation + 1} // a Core that went back does not know it
	s.take(forgotten, id(1))
	if at, err := s.core.Take(s.ctx, second, []core.Record{record(id(2))}); err != nil || at[0] != (core.Position{}) {
		s.Errorf("%+v took %+v, %v", second, at, err)
	}
	if next := s.join("a"); next.Incarnation <= forgotten.Incarnation {
		s.Errorf("%+v follows %+v", next, forgotten)
	}
}

func noSessions(s *suite) {
	me := s.join("a")
	var odd []core.Record
	for _, id := range []string{"", "x", "0199A7A0-0000-7000-8000-000000000001", "0199a7a0000070008000000000000001", id(1) + "\x00"} {
		odd = append(odd, record(id))
	}
	far, late := record(id(2)), record(id(3))
	far.First, late.Epoch = protocol.MaxSeq+1, 1<<63
	at, err := s.core.Take(s.ctx, me, append(odd, far, record(id(1)), late))
	s.must(err)
	for i, p := range at {
		if (p.Session != "") != (i == 6) {
			s.Errorf("the answer %d is %+v", i, p)
		}
	}
	for i := range odd {
		bad := odd[i].Session
		got, err := s.core.Positions(s.ctx, []string{bad, id(1), bad})
		s.must(err)
		if !slices.Equal(got, []core.Position{{}, at[6], {}}) {
			s.Errorf("the positions are %+v", got)
		}
		if _, _, ok, err := s.core.Session(s.ctx, bad); ok || err != nil {
			s.Errorf("%q is a session: %v", bad, err)
		}
		if gone, err := s.core.Remove(s.ctx, bad, at[6].Lease); !gone || err != nil {
			s.Errorf("%q is there: %v", bad, err)
		}
		s.epochsAre(bad)
		s.reads(bad, 0, 0)
	}
	empty, err := s.core.Take(s.ctx, me, nil)
	s.must(err)
	if len(empty) != 0 {
		s.Errorf("nothing was taken as %v", empty)
	}
}

func held(s *suite) {
	me, other := s.join("a"), s.join("b")
	const many = 1500
	var ids []string
	for n := range many {
		ids = append(ids, id(n))
	}
	for _, p := range s.take(me, ids...) {
		if p.Head != 0 {
			s.Fatal(p)
		}
	}
	theirs := s.take(other, id(many))
	s.take(me, id(3))
	found := map[string]bool{}
	for p, err := range s.core.Held(s.ctx, "a") {
		s.must(err)
		if p.Owner != me || found[p.Session] {
			s.Fatalf("found %+v", p)
		}
		found[p.Session] = true
	}
	if len(found) != many {
		s.Errorf("%d of %d were found", len(found), many)
	}
	for p, err := range s.core.Held(s.ctx, "b") {
		if err != nil || p != theirs[0] {
			s.Errorf("found %+v, %v", p, err)
		}
		break
	}
	for _, nobody := range []string{"", "c", "\x00"} {
		for p, err := range s.core.Held(s.ctx, nobody) {
			s.Errorf("%q has %+v, %v", nobody, p, err)
		}
	}
}

func removed(s *suite) {
	me := s.join("a")
	p, other := s.take(me, id(1))[0], s.take(me, id(2))[0]
	s.append(&p, made("", 1, 1, 5))
	s.rewind(&p, 2, 4)
	s.append(&p, made("", 2, 4, 1))
	for _, lease := range []core.Lease{"", "x", other.Lease} {
		if gone, err := s.core.Remove(s.ctx, id(1), lease); gone || err != nil {
			s.Errorf("removed with the lease %q: %v, %v", lease, gone, err)
		}
	}
	s.at(p)
	for range 2 {
		if gone, err := s.core.Remove(s.ctx, id(1), p.Lease); !gone || err != nil {
			s.Errorf("removed: %v, %v", gone, err)
		}
		s.at(other)
		got, err := s.core.Positions(s.ctx, []string{id(1)})
		s.must(err)
		if got[0] != (core.Position{}) {
			s.Errorf("the position is %+v", got)
		}
	}
	s.epochsAre(id(1))
	_, _, err := read(s.core.Stretches(s.ctx, id(1), 0, 1))
	fails[*store.BeyondError](s, err)
	p = s.take(me, id(1))[0] // a new one, that has nothing of the old
	if p.Head != 0 || p.Epoch != 1 {
		s.Errorf("registered at %+v", p)
	}
	if lines, _, err := read(s.core.Superseded(s.ctx, id(1))); len(lines) > 0 || err != nil {
		s.Errorf("superseded is %s, %v", lines, err)
	}
	s.append(&p, made("new", 1, 1, 2))
	s.reads(id(1), 0, 2, made("new", 1, 1, 2))
}
