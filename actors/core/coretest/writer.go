package coretest

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func appended(s *suite) {
	me := s.join("a")
	at := s.take(me, id(1), id(2))
	p := at[0]
	first, second := made("", 1, 1, 3, 1), made("", 1, 5, 2)
	s.append(&p, first)
	s.refused(p, first)              // again
	s.refused(p, made("", 1, 3, 4))  // begins before the head
	s.refused(p, made("", 1, 6, 1))  // a gap
	s.refused(p, made("", 1, 1, 10)) // all of it, and more
	for _, lease := range []core.Lease{"", "x", "00000000-0000-0000-0000-000000000000", at[1].Lease} {
		q := p
		q.Lease = lease
		s.refused(q, second)
	}
	s.append(&p, second)
	s.at(p)
	s.reads(id(1), 0, 6, first, second)
	_, rows, err := read(s.core.Stretches(s.ctx, id(1), 0, 6))
	s.must(err)
	if !reflect.DeepEqual(rows, []store.Stretch{first, second}) { // with sources, times and epochs
		s.Errorf("the stretches are %+v", rows)
	}
}

func judged(s *suite) {
	me := s.join("a")
	at := s.take(me, id(1), id(2), id(3), id(4))
	batch := func(session string, lease core.Lease, st store.Stretch) core.Batch {
		return core.Batch{Session: session, Lease: lease, Stretch: st}
	}
	torn := made("", 1, 1, 2)
	torn.Lines = torn.Lines[:len(torn.Lines)-1]
	batches := []core.Batch{
		batch(id(4), at[3].Lease, made("", 1, 1, 1)),
		batch(id(1), at[0].Lease, store.Stretch{First: 1, Epoch: 1}),
		batch("x", at[0].Lease, made("", 1, 1, 1)),
		batch(id(1), at[0].Lease, torn),
		batch(id(9), at[0].Lease, made("", 1, 1, 1)),
		batch(id(1), at[0].Lease, made("", 1, 1, 1)),
		batch(id(1), at[0].Lease, made("", 1, 2, 1)),
		batch(id(2), at[0].Lease, made("", 1, 1, 1)),
		batch(id(3), at[2].Lease, made("", 1, 1, 64)),
		batch(id(2), at[1].Lease, made("", 1, 0, 1)),
	}
	answers, err := s.core.Append(s.ctx, batches)
	s.must(err)
	one, four, three := at[0], at[3], at[2]
	one.Head, four.Head, three.Head = 1, 1, 64
	for i, want := range []core.Answer{
		{Taken: true, At: four},
		{At: one, Problem: "-"},
		{Problem: "-"},
		{At: one, Problem: "-"},
		{},
		{Taken: true, At: one},
		{At: one, Problem: "-"},
		{At: at[1]},
		{Taken: true, At: three},
		{At: at[1], Problem: "-"},
	} {
		got := answers[i]
		if got.Problem != "" {
			got.Problem = "-"
		}
		if got != want {
			s.Errorf("the answer %d is %+v, want %+v", i, answers[i], want)
		}
	}
	s.reads(id(3), 0, 64, made("", 1, 1, 64))
	none, err := s.core.Append(s.ctx, nil)
	s.must(err)
	if len(none) != 0 {
		s.Errorf("nothing was answered with %v", none)
	}
}

func epochs(s *suite) {
	p := s.take(s.join("a"), id(1))[0]
	s.epochsAre(id(1))
	s.append(&p, made("", 1, 1, 2), made("", 1_700_000_000_000, 3, 2))
	s.refused(p, made("", 2, 5, 1)) // an earlier epoch
	s.append(&p, made("", 1_700_000_000_000, 5, 1), made("", protocol.MaxSeq, 6, 1))
	s.epochsAre(id(1), protocol.EpochStart{Epoch: 1_700_000_000_000, First: 3}, protocol.EpochStart{Epoch: protocol.MaxSeq, First: 6})
	_, rows, err := read(s.core.Stretches(s.ctx, id(1), 0, 6))
	s.must(err)
	if len(rows) != 4 || rows[0].Epoch != 1 || rows[3].Epoch != protocol.MaxSeq {
		s.Errorf("the rows are %+v", rows)
	}
}

func cuts(s *suite) {
	p := s.take(s.join("a"), id(1))[0]
	first, second, third := made("", 1, 1, 4, 4), made("", 1, 9, 3), made("", 2, 12, 2)
	s.append(&p, first, second, third)
	s.rewind(&p, 3, 6) // through a row, and through a batch of an adapter
	s.at(p)
	s.epochsAre(id(1), protocol.EpochStart{Epoch: 3, First: 6})
	front := core.Part(first, 0, 5)
	_, rows, err := read(s.core.Stretches(s.ctx, id(1), 0, 5))
	s.must(err)
	if !reflect.DeepEqual(rows, []store.Stretch{front}) {
		s.Errorf("what is left is %+v", rows)
	}
	lost := []store.Stretch{core.Part(first, 5, 8), second, third}
	s.lostAre(lost...)
	s.rewind(&p, 3, 6) // told again
	s.refused(p, made("", 2, 6, 1))
	s.append(&p, made("new", 3, 6, 2))
	s.rewind(&p, 4, 8) // Core has no event to put aside
	s.rewind(&p, 5, 8) // an epoch that never had one
	s.append(&p, made("new", 5, 8, 1))
	s.epochsAre(id(1), protocol.EpochStart{Epoch: 3, First: 6}, protocol.EpochStart{Epoch: 5, First: 8})
	s.reads(id(1), 0, 8, front, made("new", 3, 6, 2), made("new", 5, 8, 1))
	s.lostAre(lost...)
	s.rewind(&p, 6, 1) // all of it
	s.epochsAre(id(1), protocol.EpochStart{Epoch: 6, First: 1})
	s.lostAre(append(lost, front, made("new", 3, 6, 2), made("new", 5, 8, 1))...)
	s.append(&p, made("newest", 6, 1, 1))
	s.reads(id(1), 0, 1, made("newest", 6, 1, 1))
}

func (s *suite) lostAre(want ...store.Stretch) {
	s.Helper()
	var got []store.Stretch
	for st, err := range s.core.Superseded(s.ctx, id(1)) {
		s.must(err)
		got = append(got, st)
	}
	if !reflect.DeepEqual(got, want) {
		s.Errorf("superseded is %+v, want %+v", got, want)
	}
}

func wrongCuts(s *suite) {
	at := s.take(s.join("a"), id(1), id(2))
	p := at[0]
	s.append(&p, made("", 1, 1, 4), made("", 3, 5, 3))
	for _, c := range []struct {
		cut     core.Cut
		at      core.Position
		problem bool
	}{
		{core.Cut{Session: id(1), Lease: p.Lease, Epoch: 4, First: 9}, p, false},               // a gap
		{core.Cut{Session: id(1), Lease: p.Lease, Epoch: 2, First: 4}, p, false},               // there is a later epoch
		{core.Cut{Session: id(1), Lease: p.Lease, Epoch: 3, First: 5}, p, false},               // it has events
		{core.Cut{Session: id(1), Lease: p.Lease, Epoch: 3, First: 8}, p, false},               // it has begun elsewhere
		{core.Cut{Session: id(1), Lease: at[1].Lease, Epoch: 4, First: 3}, p, false},           // not its lease
		{core.Cut{Session: id(1), Epoch: 4, First: 3}, p, false},                               // none
		{core.Cut{Session: id(9), Lease: p.Lease, Epoch: 4, First: 3}, core.Position{}, false}, // no such session
		{core.Cut{Session: "x", Lease: p.Lease, Epoch: 4, First: 3}, core.Position{}, true},
		{core.Cut{Session: id(1), Lease: p.Lease, Epoch: 4}, p, true},
		{core.Cut{Session: id(1), Lease: p.Lease, First: 3}, p, true},
		{core.Cut{Session: id(1), Lease: p.Lease, Epoch: 1 << 63, First: 3}, p, true},
	} {
		a, err := s.core.Rewind(s.ctx, c.cut)
		s.must(err)
		if a.Taken || a.At != c.at || (a.Problem != "") != c.problem {
			s.Errorf("%+v was answered with %+v", c.cut, a)
		}
	}
	s.at(p)
	s.reads(id(1), 0, 7, made("", 1, 1, 4), made("", 3, 5, 3))
	s.lostAre()
	s.rewind(&at[1], 1, 1) // an empty log has begun so
}

func notes(s *suite) {
	me := s.join("a")
	at := s.take(me, id(1), id(2))
	note := func(session string, lease core.Lease, state string) core.Note {
		r := record(session)
		r.State, r.Updated = state, r.Updated.Add(time.Hour)
		return core.Note{Lease: lease, Record: r}
	}
	s.must(s.core.Note(s.ctx, nil))
	s.must(s.core.Note(s.ctx, []core.Note{
		note(id(1), at[0].Lease, "first"), note("x", at[0].Lease, "x"), note(id(1), at[0].Lease, "last"), note(id(1), at[1].Lease, "a stranger"),
		note(id(2), "x", "x"), note(id(2), "", "nobody"), note(id(9), at[0].Lease, "nowhere"),
	}))
	for n, want := range map[int]core.Record{1: note(id(1), "", "last").Record, 2: record(id(2))} {
		p, r, ok, err := s.core.Session(s.ctx, id(n))
		s.must(err)
		if !ok || p != at[n-1] || !reflect.DeepEqual(r, told(want)) {
			s.Errorf("session %d is %+v, %+v", n, p, r)
		}
	}
	s.take(me, id(1))
	s.must(s.core.Note(s.ctx, []core.Note{note(id(1), at[0].Lease, "late")}))
	if _, r, _, err := s.core.Session(s.ctx, id(1)); err != nil || r.State != "idle" {
		s.Errorf("a fenced owner is heard: %+v, %v", r, err)
	}
}

// anyBytes: nothing that a log or a record may hold is refused, and the bytes of a log come back as they are.
func anyBytes(s *suite) {
	me := s.join("node\x00\xff'\\")
	odd := "\x00\\u0000 \xff\xfe'\"\\ \uFFFD {}"
	r := core.Record{
		Session: id(1), Root: "none", Parent: "\x00", Agent: odd, Owner: odd, State: odd, Workspace: odd, Told: []byte(odd),
		Created: time.Time{}, Updated: time.Date(1<<20, 1, 1, 0, 0, 0, 0, time.UTC),
		Labels: map[string]string{odd: odd, "\x00": "\x00", "\\u0000": "<&>", "": ""},
	}
	at, err := s.core.Take(s.ctx, me, []core.Record{r})
	s.must(err)
	s.must(s.core.Note(s.ctx, []core.Note{{Lease: at[0].Lease, Record: r}}))
	_, got, ok, err := s.core.Session(s.ctx, id(1))
	s.must(err)
	if !ok || !reflect.DeepEqual(got, told(r)) {
		s.Errorf("the record is %+v, want %+v", got, told(r))
	}
	p := at[0]
	random := rand.NewChaCha8([32]byte{})
	noise := make([]byte, 300_000) // which cannot be compressed
	_, _ = random.Read(noise)
	noise = append(slices.DeleteFunc(noise, func(b byte) bool { return b == '\n' }), '\n')
	for _, line := range [][]byte{[]byte(odd + "\n"), []byte("\n"), noise, append(make([]byte, 3_000_000), '\n')} {
		s.append(&p, store.Stretch{
			First: p.Head + 1, Epoch: 1, Time: -1, Lines: line,
			Sources: []store.Made{{Count: 1, Source: store.Source{Incarnation: 1<<32 - 1, Batch: 1<<64 - 1}}},
		})
		_, rows, err := read(s.core.Stretches(s.ctx, id(1), p.Head-1, p.Head))
		s.must(err)
		if len(rows) != 1 || !bytes.Equal(rows[0].Lines, line) || rows[0].Sources[0].Source.Batch != 1<<64-1 || rows[0].Time != -1 {
			s.Errorf("a line of %d bytes comes back otherwise", len(line))
		}
	}
}
