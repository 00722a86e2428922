package coretest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Place is an empty Core, to which there are many ways.
type Place struct {
	// Way gives a node's way to the place; the suite closes it.
	Way func(t testing.TB) core.Core
	// Disturb has calls fail at random from now on, before and after they were carried out, or not any more.
	Disturb func(on bool)
	// Turn sets the place's clock ahead, or back, in which leases run.
	Turn func(by time.Duration)
	// Long has the walk and the fight go on for longer.
	Long bool
}

// suite is one case, with its first way to the place.
type suite struct {
	testing.TB
	*Place
	ctx  context.Context
	core core.Core
}

func (s *suite) way() core.Core {
	s.Helper()
	c := s.Way(s)
	s.Cleanup(c.Close)
	return c
}

// id is the n-th session's.
func id(n int) string { return fmt.Sprintf("0199a7a0-0000-7000-8000-%012x", n) }

// made is a stretch of lines that name their event and a writer, one batch of an adapter for each count.
func made(writer string, epoch, first uint64, counts ...int) store.Stretch {
	st := store.Stretch{First: first, Epoch: epoch, Time: 1_700_000_000_000 + int64(first)}
	seq := first
	for _, n := range counts {
		st.Sources = append(st.Sources, store.Made{Count: n, Source: store.Source{Incarnation: 2, Batch: seq}})
		for range n {
			st.Lines = fmt.Appendf(st.Lines, `{"seq":%d,"ts":1700000000123,"type":"note","writer":%q,"epoch":%d}`+"\n", seq, writer, epoch)
			seq++
		}
	}
	return st
}

func (s *suite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *suite) join(node string) core.Owner {
	s.Helper()
	o, err := s.core.Join(s.ctx, node)
	s.must(err)
	return o
}

// record is one of a session, with something in each field.
func record(session string) core.Record {
	return core.Record{
		Session: session, Root: id(900), Parent: id(901), Agent: "pi", Owner: "ann", State: "idle", Workspace: "node:a",
		Created: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC), Updated: time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC),
		Labels: map[string]string{"team": "blue"}, Told: []byte(`{"id":1}`),
	}
}

// take takes sessions and expects that it has them then.
func (s *suite) take(as core.Owner, ids ...string) []core.Position {
	s.Helper()
	var records []core.Record
	for _, id := range ids {
		records = append(records, record(id))
	}
	at, err := s.core.Take(s.ctx, as, records)
	s.must(err)
	if len(at) != len(ids) {
		s.Fatalf("%d answers to %d sessions", len(at), len(ids))
	}
	for i, id := range ids {
		if p := at[i]; p.Session != id || p.Owner != as || !protocol.ValidSessionID(string(p.Lease)) {
			s.Fatalf("took %+v as %+v", at[i], as)
		}
	}
	return at
}

// append appends stretches to a session, one call each, and expects that they are taken; p becomes the position behind them.
func (s *suite) append(p *core.Position, stretches ...store.Stretch) {
	s.Helper()
	for _, st := range stretches {
		answers, err := s.core.Append(s.ctx, []core.Batch{{Session: p.Session, Lease: p.Lease, Stretch: st}})
		s.must(err)
		want := *p
		want.Head, want.Epoch = st.Last(), st.Epoch
		if len(answers) != 1 || answers[0] != (core.Answer{Taken: true, At: want}) {
			s.Fatalf("the batch with %d was answered with %+v, want %+v", st.First, answers, want)
		}
		*p = want
	}
}

// rewind cuts a session's log and expects that it is taken; p becomes the position behind it.
func (s *suite) rewind(p *core.Position, epoch, first uint64) {
	s.Helper()
	a, err := s.core.Rewind(s.ctx, core.Cut{Session: p.Session, Lease: p.Lease, Epoch: epoch, First: first})
	s.must(err)
	want := *p
	want.Head, want.Epoch, want.Oldest = first-1, epoch, min(p.Oldest, first)
	if a != (core.Answer{Taken: true, At: want}) {
		s.Fatalf("the cut was answered with %+v, want %+v", a, want)
	}
	*p = want
}

// at expects a session's position.
func (s *suite) at(want core.Position) {
	s.Helper()
	got, err := s.core.Positions(s.ctx, []string{want.Session})
	s.must(err)
	if len(got) != 1 || got[0] != want {
		s.Fatalf("the position is %+v, want %+v", got, want)
	}
}

// read collects stretches, which must follow one another, and the error that ended them.
func read(list iter.Seq2[store.Stretch, error]) (lines []byte, all []store.Stretch, err error) {
	for st, err := range list {
		if err != nil {
			return lines, all, err
		}
		if n := len(all); n > 0 && all[n-1].Last()+1 != st.First || st.Count() == 0 || bytes.Count(st.Lines, []byte{'\n'}) != st.Count() {
			return lines, all, fmt.Errorf("behind %d stretches comes %+v", n, st)
		}
		lines, all = append(lines, st.Lines...), append(all, st)
	}
	return lines, all, nil
}

// reads expects the lines of stretches.
func (s *suite) reads(id string, since, upTo uint64, want ...store.Stretch) {
	s.Helper()
	got, _, err := read(s.core.Stretches(s.ctx, id, since, upTo))
	s.must(err)
	var lines []byte
	for _, st := range want {
		lines = append(lines, st.Lines...)
	}
	if !bytes.Equal(got, lines) {
		s.Fatalf("events %d to %d are\n%swant\n%s", since+1, upTo, got, lines)
	}
}

// fails expects an error of a type.
func fails[E error](s *suite, err error) (is E) {
	s.Helper()
	if !errors.As(err, &is) {
		s.Fatalf("the error is %v, want a %T", err, is)
	}
	return is
}

// told is a record as Session gives it.
func told(r core.Record) core.Record {
	r = r.Kept()
	r.Epoch, r.First = 0, 0
	return r
}

func (s *suite) epochsAre(id string, want ...protocol.EpochStart) {
	s.Helper()
	got, err := s.core.Epochs(s.ctx, id)
	s.must(err)
	if !slices.Equal(got, protocol.Epochs(want)) {
		s.Errorf("the epochs are %v, want %v", got, want)
	}
	at, err := s.core.Positions(s.ctx, []string{id})
	s.must(err)
	if p := at[0]; p.Session != "" && p.Epoch != got.Newest() { // readers take the two for one moment's where they are the same
		s.Errorf("the session is in epoch %d, and the newest of its epochs is %d", p.Epoch, got.Newest())
	}
}

// refused expects that a batch is not taken, and changes nothing.
func (s *suite) refused(p core.Position, st store.Stretch) {
	s.Helper()
	before, err := s.core.Positions(s.ctx, []string{p.Session})
	s.must(err)
	answers, err := s.core.Append(s.ctx, []core.Batch{{Session: p.Session, Lease: p.Lease, Stretch: st}})
	s.must(err)
	if answers[0].Taken || answers[0].At != before[0] {
		s.Fatalf("answered with %+v, and the position is %+v", answers[0], before[0])
	}
	s.at(before[0])
}
