package coretest

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// child is a record of a session of somebody's family.
func child(session, root string) core.Record {
	r := auto(session)
	r.Root, r.Parent = root, root
	return r
}

func families(s *suite) {
	o := s.up("a", "b", "c")
	a, b := o[0], o[1]
	stay := child(id(5), id(1))
	stay.Failover = core.FailoverStay
	p := s.takeAs(a, auto(id(1)), child(id(2), id(1)), auto(id(3)), child(id(4), id(3)), stay, child(id(8), id(100)), child(id(9), id(100)))
	others := s.takeAs(b, child(id(6), id(1)))[0]
	free := s.release(a, p[1], p[5])
	s.release(o[2], s.claimed(o[2], named(id(2)), id(2))[0].At) // the others of the family are held
	if free := s.claimed(o[2], named(id(8)), id(8))[0]; free.At.Owner != o[2] {
		s.Errorf("claimed %+v", free)
	}
	s.release(o[2], s.behind(id(8)))
	for _, p := range free {
		if now := s.behind(p.Session); now.Lease == p.Lease || now.Owner != (core.Owner{}) || now.Epoch != p.Epoch {
			s.Errorf("%+v became %+v", p, now)
		}
	}
	_, err := s.core.Leave(s.ctx, a)
	s.must(err)
	got := s.claims(o[2], named(id(1), id(9)))
	var ids []string
	for _, c := range got.Taken {
		ids = append(ids, fmt.Sprintf("%s %v", c.At.Session, c.Lost))
	}
	if !slices.Equal(ids, []string{id(1) + " true", id(2) + " false", id(8) + " false", id(9) + " true"}) || len(got.Others) > 0 {
		s.Errorf("the families are %+v", got)
	}
	s.at(others)
	s.at(p[4])
	s.claimed(b, named(id(4)), id(3), id(4)) // whichever of a family is named
}

// behind is where a session stands now.
func (s *suite) behind(session string) core.Position {
	s.Helper()
	at, err := s.core.Positions(s.ctx, []string{session})
	s.must(err)
	return at[0]
}

func wants(s *suite) {
	o := s.up("a", "b")
	a, b := o[0], o[1]
	var records []core.Record
	for n := range 6 {
		r := auto(id(2 * n))
		r.Updated = r.Updated.Add(time.Duration(n*5%6) * time.Hour) // 0 5 4 3 2 1
		r.Workspace, r.Agent, r.State = []string{"shop", "blog"}[n%2], []string{"pi", "claude", "codex"}[n%3], []string{"idle", "running"}[n/3]
		c := child(id(2*n+1), r.Session)
		c.Workspace, c.State, c.Agent = "elsewhere", "ended", "pi"
		records = append(records, r, c)
	}
	free := func(at ...core.Position) { s.release(at[0].Owner, at...) }
	free(s.takeAs(a, records...)...)
	family := func(list ...int) (ids []string) {
		for _, n := range list {
			ids = append(ids, id(2*n), id(2*n+1))
		}
		return ids
	}
	for _, c := range []struct {
		want core.Want
		ids  []string
	}{
		{core.Want{Families: 1}, family(1)},
		{core.Want{Families: 3}, family(1, 2, 3)},
		{core.Want{Families: 100}, family(0, 1, 2, 3, 4, 5)},
		{core.Want{}, family(0, 1, 2, 3, 4, 5)},
		{core.Want{Families: -1}, family(0, 1, 2, 3, 4, 5)},
		{core.Want{Workspaces: []string{"shop"}}, family(0, 2, 4)},
		{core.Want{Workspaces: []string{"blog", "none"}, Families: 2}, family(1, 3)},
		{core.Want{Agents: []string{"claude", "codex"}}, family(1, 2, 4, 5)},
		{core.Want{States: []string{"running"}}, family(3, 4, 5)},
		{core.Want{Workspaces: []string{"shop"}, Agents: []string{"codex"}, States: []string{"idle"}}, family(2)},
		{core.Want{Workspaces: []string{"shop"}, States: []string{"ended"}}, nil}, // no one session is both
		{core.Want{Workspaces: []string{""}}, nil},
		{core.Want{Workspaces: []string{"none"}, Families: 1, Sessions: []string{id(3)}}, family(1)}, // which count for none that are named
		{core.Want{Families: 1, Sessions: []string{id(0), id(6), id(8)}}, family(0, 3, 4)},
	} {
		var at []core.Position
		for _, c := range s.claimed(b, c.want, c.ids...) {
			at = append(at, c.At)
		}
		if len(at) > 0 {
			free(at...)
		}
	}
}

// works: of sessions of a lost node that rest by their records, those are claimed that were at work behind their newest batch. One that was given away was told
// of to its end.
func works(s *suite) {
	o := s.up("a", "b")
	a, b := o[0], o[1]
	p := s.takeAs(b, auto(id(1)), auto(id(2)), auto(id(3)), auto(id(4)))
	appends := func(n int, st store.Stretch, works bool) {
		answers, err := s.core.Append(s.ctx, []core.Batch{{Session: p[n].Session, Lease: p[n].Lease, Stretch: st, Works: works}})
		s.must(err)
		if p[n] = answers[0].At; !answers[0].Taken {
			s.Fatalf("%+v", answers[0])
		}
	}
	appends(0, made("b", 1, 1, 3), true)
	appends(1, made("b", 1, 1, 3), false)
	appends(2, made("b", 1, 1, 3), true)
	appends(2, made("b", 1, 4, 3), false)
	appends(3, made("b", 1, 1, 3), true)
	s.release(b, p[3])
	running := core.Want{States: []string{"running"}}
	s.claimed(a, running) // b is there
	s.pass(2*lease, a)
	s.declares(a, b)
	s.claimed(a, core.Want{States: []string{"running"}, Workspaces: []string{"none"}})
	s.claimed(a, running, id(1))
	s.claimed(a, running)
	s.claimed(a, core.Want{}, id(2), id(3), id(4))
}

func revived(s *suite) {
	o := s.up("a", "b", "c")
	a, b := o[0], o[1]
	p := s.takeAs(b, record(id(1)), record(id(2)), auto(id(3)))
	s.append(&p[0], made("b", 1, 1, 2))
	revive := func(ids ...string) core.Want { return core.Want{Sessions: ids, Revive: true} }
	s.why(a, revive(id(1)), p[0], core.WhyHeld)
	s.pass(2*lease, a, o[2])
	s.declares(a, b)
	s.why(a, revive(id(1)), p[0], core.WhyStay) // it may come back
	s.why(a, revive(id(9)), core.Position{}, core.WhyUnknown)
	if is, err := s.core.Forget(s.ctx, "b"); is != core.StateLeft || err != nil {
		s.Fatal(is, err)
	}
	s.why(a, named(id(1)), p[0], core.WhyStay)
	s.claimed(a, core.Want{Revive: true}, id(3))     // which is for the named alone
	got := s.claimed(a, revive(id(1)), id(1), id(2)) // of one family
	s.newer(got[0], p[0])
	if got[0].Record.Failover != core.FailoverStay {
		s.Errorf("the record is %+v", got[0].Record)
	}
	s.refused(p[0], made("b", 1, 3, 1))
	next := s.up("b")[0]
	at, err := s.core.Take(s.ctx, next, []core.Record{record(id(1)), record(id(2))})
	if err != nil || at[0] != got[0].At || at[1] != got[1].At {
		s.Errorf("the node is back, and takes %+v, %v", at, err)
	}
	s.why(o[2], revive(id(1)), got[0].At, core.WhyHeld)
}

func failover(s *suite) {
	o := s.up("a", "b")
	a, b := o[0], o[1]
	is := func(n int, want core.Failover) {
		s.Helper()
		_, r, ok, err := s.core.Session(s.ctx, id(n))
		if !ok || err != nil || r.Failover != want {
			s.Errorf("%d is %q, %v, want %s", n, r.Failover, err, want)
		}
	}
	odd := auto(id(3))
	odd.Failover = "sometimes\x00"
	p := s.takeAs(a, record(id(1)), auto(id(2)), odd)
	is(1, core.FailoverStay)
	is(2, core.FailoverAuto)
	is(3, core.FailoverStay)
	changed := auto(id(2))
	changed.Failover = ""
	s.must(s.core.Note(s.ctx, []core.Note{
		{Lease: p[0].Lease, Record: auto(id(1))}, {Lease: p[1].Lease, Record: changed}, {Lease: p[0].Lease, Record: auto(id(3))},
	}))
	is(1, core.FailoverAuto)
	is(2, core.FailoverStay)
	is(3, core.FailoverStay)
	s.takeAs(a, auto(id(3)), record(id(1)))
	is(3, core.FailoverAuto)
	is(1, core.FailoverStay)
	_, err := s.core.Leave(s.ctx, a)
	s.must(err)
	got := s.claimed(b, core.Want{}, id(3))
	s.must(s.core.Note(s.ctx, []core.Note{{Lease: got[0].At.Lease, Record: odd}}))
	is(3, core.FailoverStay)
}

// paused: a node is stopped for longer than its lease, and goes on as if nothing had been.
func paused(s *suite) {
	o := s.up("a", "b")
	a, b := o[0], o[1]
	p := s.takeAs(b, auto(id(1)), auto(id(2)), record(id(3)))
	s.append(&p[0], made("b", 1, 1, 2))
	s.has(b, p...)
	s.pass(2*lease, a)
	s.declares(a, b)
	s.append(&p[0], made("b", 1, 3, 1)) // what it had still to say
	s.claimed(a, named(id(2)), id(2))
	s.beats(core.StateDead, b)
	s.has(b, p[0], p[2])
	next := s.up("b")[0]
	at, err := s.core.Take(s.ctx, next, []core.Record{auto(id(1)), auto(id(2)), record(id(3))})
	s.must(err)
	if at[0].Owner != next || at[0].Head != 3 || at[0].Epoch != 1 || at[1].Owner != a || at[2].Owner != next {
		s.Errorf("it takes %+v", at)
	}
	s.epochsAre(id(1)) // nobody was faster
	s.has(next, at[0], at[2])
	s.append(&at[0], made("b", 1, 4, 1))

	// A node that is up, was never silent, and has nothing to append learns by what it has that a session is another's.
	s.release(next, at[2])
	s.claimed(a, core.Want{}, id(3))
	s.beats(core.StateUp, next)
	s.has(next, at[0])
}

// claimants: many claim at once. Each family is one node's then, and nobody was given what another one has.
func claimants(s *suite) {
	const nodes, sessions, members = 5, 24, 3
	o := s.up("holder", "gone")
	var nobodys, losts []core.Record
	for n := range sessions {
		list := &nobodys
		if n%2 == 0 {
			list = &losts
		}
		root := id(n * members)
		*list = append(*list, auto(root))
		for m := 1; m < members; m++ {
			*list = append(*list, child(id(n*members+m), root))
		}
	}
	s.release(o[0], s.takeAs(o[0], nobodys...)...)
	s.takeAs(o[1], losts...)
	_, err := s.core.Leave(s.ctx, o[1])
	s.must(err)
	var mu sync.Mutex
	has := map[string]core.Position{}
	var all sync.WaitGroup
	begun := make(chan struct{})
	for n := range nodes {
		as, way := s.up(string(rune('a' + n)))[0], s.way()
		all.Go(func() {
			<-begun
			for round := 0; ; round++ {
				got, err := way.Claim(s.ctx, as, core.Want{Families: 2})
				mu.Lock()
				for _, c := range got.Taken {
					if was, ok := has[c.At.Session]; ok || c.At.Owner != as {
						s.Errorf("%+v claimed %+v behind %+v", as, c.At, was)
					}
					has[c.At.Session] = c.At
				}
				isOver := len(has) == sessions*members || err != nil || round > 1000
				mu.Unlock()
				if isOver {
					if err != nil {
						s.Error(err)
					}
					return
				}
			}
		})
	}
	close(begun)
	all.Wait()
	for n := range sessions {
		for m := range members {
			p := has[id(n*members+m)]
			if s.at(p); p.Owner != has[id(n*members)].Owner {
				s.Errorf("of one family are %+v and %+v", p, has[id(n*members)])
			}
		}
	}
}
