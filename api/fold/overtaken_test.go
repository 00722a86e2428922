package fold

import (
	"errors"
	"testing"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// overtaken is a log whose beginning goes when it is read for the first time.
type overtaken struct {
	store.Log
	drop func()
}

func (o *overtaken) Range(since, upTo uint64) (store.Range, error) {
	if drop := o.drop; drop != nil {
		o.drop = nil
		drop()
	}
	return o.Log.Range(since, upTo)
}

// TestEntryOfAnOvertakenReader: an entry that is still there is found also where the beginning of the log goes while it is looked for.
//
// Proves: I15.2/trimmed
func TestEntryOfAnOvertakenReader(t *testing.T) {
	j, events := journalOf(t, lateEntry())
	newest := events[len(events)-1].Seq
	r := &session.Reader{Ring: ring.New(1, newest, 1<<10), Log: &overtaken{j.Log(), func() {
		if err := j.DropBefore(j.DropPoint(1)); err != nil {
			t.Fatal(err)
		}
	}}}
	e, err := endedEntryOf(t.Context(), r, "e4")
	if oldest, _ := r.Log.Bounds(); err != nil || e.EntryID != "e4" || oldest == 1 {
		t.Errorf("of a log that begins with %d: %+v, %v", oldest, e, err)
	}
}

// TestBoundedBeforeTheCut: a model that asks for a state whose events have gone is told so, and what to do.
//
// Proves: I15.2/trimmed
func TestBoundedBeforeTheCut(t *testing.T) {
	j, _ := journalOf(t, lateEntry())
	if err := j.DropBefore(j.DropPoint(1)); err != nil {
		t.Fatal(err)
	}
	oldest, _ := j.Log().Bounds()
	s := New(nil, nil, NewMemory(64<<20), compress.NewPool(8), zap.NewNop())
	r := &session.Reader{Log: j.Log()}
	var told *protocol.Problem
	if _, _, err := s.Bounded(t.Context(), r, oldest-2, Bounds{Items: 10}); oldest < 3 || !errors.As(err, &told) || told.Code != protocol.CodeCursorReset || told.Hint == "" {
		t.Errorf("before event %d: %v", oldest, err)
	}
}

// TestStateOfAnOvertakenReader: whoever asks for the state of now has it, also where the beginning of the log goes while it is made: nothing was held that could
// be void.
//
// Proves: I15.2/trimmed
func TestStateOfAnOvertakenReader(t *testing.T) {
	for _, large := range []int64{largeLog, 0} {
		for _, entries := range []int{0, 1, 10} {
			j, events := journalOf(t, lateEntry())
			newest := events[len(events)-1].Seq
			cut := j.DropPoint(1)
			var dropped protocol.Frame
			for i := range events[:cut-1] {
				dropped.Apply(&events[i])
			}
			r := &session.Reader{Ring: ring.New(1, newest, 1<<10)}
			r.Log = &overtaken{j.Log(), func() {
				r.Beginning = func() (*protocol.Frame, error) { return dropped.Clone(), nil }
				if err := j.DropBefore(cut); err != nil {
					t.Fatal(err)
				}
			}}
			s := New(nil, nil, NewMemory(64<<20), compress.NewPool(8), zap.NewNop())
			s.memory.Large = large
			if entries == 10 {
				if _, _, err := s.Bounded(t.Context(), r, newest, Bounds{Items: 10}); err != nil {
					t.Errorf("bounded: %v", err)
				}
				continue
			}
			if _, err := s.answer(t.Context(), &stateInput{Entries: entries}, r, protocol.Cursor{}); err != nil {
				t.Errorf("%d entries: %v", entries, err)
			}
		}
	}
}
