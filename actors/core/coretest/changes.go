package coretest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// since collects changes by their sessions.
func (s *suite) since(at time.Time) map[string]core.Change {
	s.Helper()
	found := map[string]core.Change{}
	var last core.Change
	for c, err := range s.core.Changes(s.ctx, at) {
		s.must(err)
		if last.Gone && !c.Gone || last.Gone == c.Gone && c.At.Before(last.At) {
			s.Fatalf("%+v comes behind %+v", c, last)
		}
		last = c
		if _, twice := found[c.Position.Session]; twice {
			s.Fatalf("%s is told twice", c.Position.Session)
		}
		found[c.Position.Session] = c
	}
	return found
}

// latest is the moment from which on changes are asked for that follow.
func latest(all map[string]core.Change) (at time.Time) {
	for _, c := range all {
		if c.At.After(at) {
			at = c.At
		}
	}
	return at.Add(time.Microsecond)
}

func (s *suite) finds(all map[string]core.Change, ids ...string) {
	s.Helper()
	slices.Sort(ids)
	if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got, ids) {
		s.Fatalf("found %v, want %v", got, ids)
	}
	for id, c := range all {
		p, r, ok, err := s.core.Session(s.ctx, id)
		s.must(err)
		switch {
		case c.Gone && (ok || !reflect.DeepEqual(c, core.Change{At: c.At, Gone: true, Position: core.Position{Session: id}})):
			s.Fatalf("gone is %+v, and there %t", c, ok)
		case !c.Gone && (!ok || c.Position != p || !reflect.DeepEqual(c.Record, r)):
			s.Fatalf("found %+v, there is %+v, %+v", c, p, r)
		}
		if c.At.IsZero() {
			s.Fatal("a change without a moment")
		}
	}
}

func changed(s *suite) {
	s.finds(s.since(time.Time{}))
	me := s.join("a")
	ps := s.take(me, id(1), id(2), id(3))
	all := s.since(time.Time{})
	s.finds(all, id(1), id(2), id(3))
	at := latest(all)
	s.finds(s.since(at))
	s.append(&ps[0], made("", 1, 1, 3)) // no change beside the log
	s.finds(s.since(at))

	r := record(id(2))
	r.State, r.Told = "ended", []byte("\x00\xff")
	s.must(s.core.Note(s.ctx, []core.Note{{Lease: ps[1].Lease, Record: r}, {Lease: ps[0].Lease, Record: record(id(3))}}))
	some := s.since(at)
	s.finds(some, id(2))
	s.finds(s.since(some[id(2)].At), id(2)) // the moment itself is among them
	at = latest(some)
	gone, err := s.core.Remove(s.ctx, id(3), ps[2].Lease)
	if s.must(err); !gone {
		s.Fatal("it is not gone")
	}
	some = s.since(at)
	s.finds(some, id(3))
	s.finds(s.since(time.Time{}), id(1), id(2), id(3))
	at = latest(some)
	if gone, err := s.core.Remove(s.ctx, id(3), ps[2].Lease); err != nil || !gone {
		s.Fatal(gone, err)
	}
	s.finds(s.since(at)) // it was gone already
	s.take(me, id(3))
	some = s.since(at)
	s.finds(some, id(3))
	at = latest(some)
	s.take(me, id(1)) // with a new lease
	s.finds(s.since(at), id(1))

	var many []string
	for n := range 1_203 { // more than a query reads
		many = append(many, fmt.Sprintf("0199a7a0-0000-7000-8000-%012x", 5_000+n))
	}
	at = latest(s.since(time.Time{}))
	s.take(me, many...)
	s.finds(s.since(at), many...)
	for _, err := range s.core.Changes(s.ctx, time.Time{}) {
		s.must(err)
		break
	}

	at = latest(s.since(time.Time{}))
	_, err = s.core.Beat(s.ctx, me, core.Beat{Lease: time.Minute})
	s.must(err)
	p, _, _, err := s.core.Session(s.ctx, id(1))
	s.must(err)
	answers, err := s.core.Release(s.ctx, me, []core.Handed{{Session: id(1), Lease: p.Lease, Head: p.Head}})
	if s.must(err); !answers[0].Taken {
		s.Fatalf("%+v is not released", p)
	}
	some = s.since(at)
	s.finds(some, id(1))
	at = latest(some)
	got, err := s.core.Claim(s.ctx, me, core.Want{Sessions: []string{id(1)}})
	if s.must(err); len(got.Taken) != 1 {
		s.Fatalf("claimed %+v", got)
	}
	s.finds(s.since(at), id(1))
}
