package coldtest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Place is an empty Core with an empty store.
type Place struct {
	Way     func(t testing.TB) core.Core // the suite closes it
	Store   func() objects.Store         // likewise
	Turn    func(by time.Duration)       // sets Core's clock ahead
	Disturb func(on bool)                // has calls of both fail at random, before and after they were carried out
	Long    bool
}

// suite is one case.
type suite struct {
	testing.TB
	*Place
	ctx    context.Context
	core   core.Core
	store  objects.Store
	joined core.Core
}

func id(n int) string { return fmt.Sprintf("0199a7a0-0000-7000-8000-%012x", n) }

func (s *suite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// made is a stretch of lines that name their event and a writer.
func made(writer string, epoch, first uint64, counts ...int) store.Stretch {
	st := store.Stretch{First: first, Epoch: epoch, Time: 1_700_000_000_000 + int64(first)}
	seq := first
	for _, n := range counts {
		st.Sources = append(st.Sources, store.Made{Count: n, Source: store.Source{Incarnation: 2, Batch: 1<<63 + seq}})
		for range n {
			st.Lines = fmt.Appendf(st.Lines, `{"seq":%d,"ts":1700000000123,"type":"note","writer":%q,"epoch":%d}`+"\n", seq, writer, epoch)
			seq++
		}
	}
	return st
}

// take has a session, which may be new.
func (s *suite) take(n int) core.Position {
	s.Helper()
	owner, err := s.core.Join(s.ctx, "a")
	s.must(err)
	at, err := s.core.Take(s.ctx, owner, []core.Record{{Session: id(n), Agent: "pi", State: "idle"}})
	s.must(err)
	return at[0]
}

func (s *suite) append(p *core.Position, stretches ...store.Stretch) {
	s.Helper()
	for _, st := range stretches {
		a, err := s.core.Append(s.ctx, []core.Batch{{Session: p.Session, Lease: p.Lease, Stretch: st}})
		s.must(err)
		if !a[0].Taken {
			s.Fatalf("the batch with %d was answered with %+v", st.First, a[0])
		}
		*p = a[0].At
	}
}

func (s *suite) rewind(p *core.Position, epoch, first uint64) {
	s.Helper()
	a, err := s.core.Rewind(s.ctx, core.Cut{Session: p.Session, Lease: p.Lease, Epoch: epoch, First: first})
	s.must(err)
	if !a.Taken {
		s.Fatalf("the cut was answered with %+v", a)
	}
	*p = a.At
}

// compactor moves whatever there is.
func (s *suite) compactor(full int64) *cold.Compactor {
	return &cold.Compactor{Core: s.core, Store: s.store, Full: full, Rest: time.Nanosecond}
}

func (s *suite) pass(full int64) cold.Report {
	s.Helper()
	r, err := s.compactor(full).Pass(s.ctx)
	s.must(err)
	return r
}

// keys are those of all objects.
func (s *suite) keys() (keys []string) {
	s.Helper()
	for info, err := range s.store.List(s.ctx, objects.Sessions, "") {
		s.must(err)
		keys = append(keys, info.Key)
	}
	return keys
}

// named are the keys that rows of sessions name.
func (s *suite) named(sessions ...string) (keys []string) {
	s.Helper()
	for _, id := range sessions {
		p, _, ok, err := s.core.Session(s.ctx, id)
		s.must(err)
		if !ok {
			continue
		}
		for piece, err := range s.core.Pieces(s.ctx, id, p.Oldest-1, p.Head) {
			s.must(err)
			if piece.Segment != nil {
				keys = append(keys, piece.Segment.Object.Key)
			}
		}
		for piece, err := range s.core.Aside(s.ctx, id) {
			s.must(err)
			if piece.Segment != nil {
				keys = append(keys, piece.Segment.Object.Key)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// reads expects a log's stretches, as they were appended.
func (s *suite) reads(id string, want ...store.Stretch) {
	s.Helper()
	p, _, _, err := s.core.Session(s.ctx, id)
	s.must(err)
	n := 0
	for got, err := range s.joined.Stretches(s.ctx, id, p.Oldest-1, p.Head) {
		s.must(err)
		if n >= len(want) || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want[n]) {
			s.Fatalf("stretch %d is %+v", n, got)
		}
		n++
	}
	if n != len(want) {
		s.Fatalf("the log has %d stretches, want %d", n, len(want))
	}
}
