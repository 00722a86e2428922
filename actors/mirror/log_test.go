package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"pgregory.net/rapid"
)

const id = "0199a7a0-0000-7000-8000-000000000001"

// writer is the node that has a session, by its way to Core.
type writer struct {
	t interface {
		Fatal(args ...any)
		Helper()
	}
	core  core.Core
	at    core.Position
	lines [][]byte // of the log; index 0 is event 1
}

func newWriter(t interface {
	Fatal(args ...any)
	Helper()
}, place *memory.Place, r core.Record,
) *writer {
	t.Helper()
	w := &writer{t: t, core: place.Core()}
	me, err := w.core.Join(context.Background(), "other")
	if err != nil {
		t.Fatal(err)
	}
	r.Session = id
	at, err := w.core.Take(context.Background(), me, []core.Record{r})
	if err != nil {
		t.Fatal(err)
	}
	w.at = at[0]
	w.lines = make([][]byte, w.at.Head)
	return w
}

// say appends lines, a batch for each count.
func (w *writer) say(epoch uint64, counts ...int) {
	w.t.Helper()
	for _, n := range counts {
		s := store.Stretch{First: w.at.Head + 1, Epoch: epoch, Time: 1, Sources: []store.Made{{Count: n}}}
		for i := range n {
			line := fmt.Appendf(nil, `{"seq":%d,"ts":1,"type":"note","epoch":%d,"text":"%0*d"}`+"\n", s.First+uint64(i), epoch, 1+int(s.First)%90, i)
			s.Lines = append(s.Lines, line...)
			w.lines = append(w.lines, line)
		}
		w.append(s)
	}
}

func (w *writer) append(s store.Stretch) {
	w.t.Helper()
	answers, err := w.core.Append(context.Background(), []core.Batch{{Session: id, Lease: w.at.Lease, Stretch: s}})
	if err != nil || !answers[0].Taken {
		w.t.Fatal(answers, err)
	}
	w.at = answers[0].At
}

// lose has the log lose what is behind an event, and go on in another epoch.
func (w *writer) lose(upTo, epoch uint64) {
	w.t.Helper()
	a, err := w.core.Rewind(context.Background(), core.Cut{Session: id, Lease: w.at.Lease, Epoch: epoch, First: upTo + 1})
	if err != nil || !a.Taken {
		w.t.Fatal(a, err)
	}
	w.at, w.lines = a.At, w.lines[:upTo]
}

// part is the events since < seq <= upTo.
func (w *writer) part(since, upTo uint64) []byte { return bytes.Join(w.lines[since:upTo], nil) }

func (w *writer) open() *log {
	w.t.Helper()
	l, err := open(w.core, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

// TestRangesAreTheLog: whatever is asked for, in whatever pieces it is read, is byte for byte what was written.
//
// Proves: I16.4/read-bytes
func TestRangesAreTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWriter(t, new(memory.Place), core.Record{})
		epoch := uint64(1)
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			w.say(epoch, rapid.SliceOfN(rapid.IntRange(1, 40), 1, 4).Draw(t, "batches")...)
			if rapid.Bool().Draw(t, "loses") {
				epoch++
				w.lose(rapid.Uint64Range(0, w.at.Head).Draw(t, "up to"), epoch)
			}
		}
		l := w.open()
		if oldest, newest := l.Bounds(); oldest != 1 || newest != w.at.Head || l.Epoch() != w.at.Epoch || l.Bytes() != int64(len(w.part(0, newest))) {
			t.Fatalf("the log has %d to %d of epoch %d in %d bytes, want %+v", oldest, newest, l.Epoch(), l.Bytes(), w.at)
		}
		upTo := rapid.Uint64Range(0, w.at.Head).Draw(t, "newest")
		since := rapid.Uint64Range(0, upTo).Draw(t, "since")
		want := w.part(since, upTo)
		r, err := l.Range(since, upTo)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if rapid.Bool().Draw(t, "whole") {
			if err := r.Whole(); err != nil {
				t.Fatal(err)
			}
		}
		var got bytes.Buffer
		if rapid.Bool().Draw(t, "written") {
			if n, err := r.WriteTo(&got); err != nil || n != int64(len(want)) {
				t.Fatal(n, err)
			}
		} else {
			buf := make([]byte, rapid.IntRange(1, 300).Draw(t, "buffer"))
			for r.Size() > 0 {
				n, err := r.Read(buf)
				if got.Write(buf[:n]); err != nil {
					t.Fatal(err)
				}
				if left := int64(len(want) - got.Len()); r.Size() != left {
					t.Fatalf("%d bytes are left, want %d", r.Size(), left)
				}
			}
			if _, err := r.Read(buf); !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("%d to %d: got\n%swant\n%s", since, upTo, got.Bytes(), want)
		}
		most := store.Most{Events: rapid.IntRange(1, 60).Draw(t, "events"), Bytes: 1 << 20}
		s, err := l.Stretch(since, upTo, most)
		if err != nil {
			t.Fatal(err)
		}
		if s.First != since+1 || !bytes.Equal(s.Lines, w.part(since, s.Last())) || since < upTo && s.Count() == 0 || s.Epoch != l.epochAt(s.First) {
			t.Fatalf("the stretch behind %d is %+v", since, s)
		}
	})
}

// asked counts what a reader asks Core.
type asked struct {
	core.Reader
	counts, reads int
}

func (a *asked) Bytes(ctx context.Context, session string, since, upTo uint64) (int64, error) {
	a.counts++
	return a.Reader.Bytes(ctx, session, since, upTo)
}

func (a *asked) Stretches(ctx context.Context, session string, since, upTo uint64) iter.Seq2[store.Stretch, error] {
	a.reads++
	return a.Reader.Stretches(ctx, session, since, upTo)
}

// TestFewEventsAreOneQuestion: who asks for the newest events, with their size before them, has them by one question to Core; a long range is counted first.
//
// Proves: I16.4/read-bytes
func TestFewEventsAreOneQuestion(t *testing.T) {
	w := newWriter(t, new(memory.Place), core.Record{})
	w.say(1, 100, 100, 100, 100)
	for _, c := range []struct {
		since         uint64
		counts, reads int
	}{{360, 0, 1}, {400, 0, 0}, {144, 0, 1}, {100, 1, 1}} {
		l := w.open()
		a := &asked{Reader: l.core}
		l.core = a
		r, err := l.Range(c.since, 400)
		if err != nil {
			t.Fatal(err)
		}
		size := r.Size()
		got, err := io.ReadAll(r)
		if want := w.part(c.since, 400); err != nil || size != int64(len(want)) || !bytes.Equal(got, want) {
			t.Errorf("behind %d: size %d, %d bytes, want %d; %v", c.since, size, len(got), len(want), err)
		}
		if a.counts != c.counts || a.reads != c.reads {
			t.Errorf("behind %d Core was asked %d times for a size, and %d times for events", c.since, a.counts, a.reads)
		}
		_ = r.Close()
	}
}

func TestRangesThatTheLogDoesNotHave(t *testing.T) {
	w := newWriter(t, new(memory.Place), core.Record{First: 5})
	w.say(1, 3)
	l := w.open()
	var gone *store.GoneError
	var beyond *store.BeyondError
	if _, err := l.Range(3, 6); !errors.As(err, &gone) || gone.Oldest != 5 {
		t.Error(err)
	}
	if _, err := l.Range(6, 5); !errors.As(err, &beyond) || beyond.Newest != 7 {
		t.Error(err)
	}
	for _, r := range [][2]uint64{{4, 8}, {9, 7}} { // Core gets them yet
		_, err := l.Range(r[0], r[1])
		_, stretch := l.Stretch(r[0], r[1], store.Most{Events: 1})
		for _, err := range []error{err, stretch} {
			var p *protocol.Problem
			if !errors.As(err, &p) || p.Code != protocol.CodeUnavailable || p.Hint == "" {
				t.Error(err)
			}
		}
	}
	var damage *store.DamageError
	if err := l.Damaged(6, "x"); !errors.As(err, &damage) || damage.Seq != 6 {
		t.Error(err)
	}
}

// TestReadersThatAreManyHaveLess: what readers hold is bounded, however many there are and however slow, and each gets the same bytes.
func TestReadersThatAreManyHaveLess(t *testing.T) {
	w := newWriter(t, new(memory.Place), core.Record{})
	for range 40 {
		w.say(1, 500)
	}
	want := w.part(0, w.at.Head)
	most, many := 20*(chunkSmall+100<<10), 20
	for _, r := range ranks {
		most, many = most+int(r.most)*min(len(want), r.chunk+100<<10), many+int(r.most)
	}
	l := w.open()
	var all []store.Range
	held := 0
	for range many {
		r, err := l.Range(0, w.at.Head)
		if err == nil {
			err = r.Whole()
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
		held += r.(*span).held
	}
	if held > most {
		t.Errorf("%d readers hold %d bytes, at most %d are allowed", len(all), held, most)
	}
	last := all[len(all)-1].(*span)
	if last.chunk != chunkSmall || last.held > 3*chunkSmall {
		t.Errorf("the last one holds %d bytes", last.held)
	}
	for _, r := range all {
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, want %d: %v", len(got), len(want), err)
		}
		if err := errors.Join(r.Close(), r.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range ranks {
		if n := r.readers.Load(); n != 0 {
			t.Errorf("%d readers have chunks of %d bytes, and none reads", n, r.chunk)
		}
	}
}

// TestLogsAreNotMixed: a reader that is slow gets no event of another epoch, also where Core has as many again by then.
//
// Proves: I16.4/read-epochs
func TestLogsAreNotMixed(t *testing.T) {
	w := newWriter(t, new(memory.Place), core.Record{})
	for range 40 { // twelve MB: more than a chunk
		w.append(store.Stretch{
			First: w.at.Head + 1, Epoch: 1, Sources: []store.Made{{Count: 1}}, Lines: append(bytes.Repeat([]byte{'x'}, 300<<10), '\n'),
		})
	}
	w.lines = make([][]byte, 40)
	l := w.open()
	r, err := l.Range(0, 40)
	if err == nil {
		err = r.Whole()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	buf := make([]byte, 100)
	if _, err := io.ReadFull(r, buf); err != nil {
		t.Fatal(err)
	}
	w.lose(20, 2)
	w.say(2, 60)
	n, err := io.Copy(io.Discard, r)
	var changed *store.ChangedError
	if !errors.As(err, &changed) || changed.Seq != 21 || n+100 != 20*(300<<10+1) {
		t.Errorf("it goes on for %d bytes, and ends with %v", n, err)
	}
}

// between does something between the two questions with which a log is opened.
type between struct {
	core.Core
	do func()
}

func (b *between) Epochs(ctx context.Context, session string) (protocol.Epochs, error) {
	b.do()
	return b.Core.Epochs(ctx, session)
}

// TestEpochBeginsMeanwhile: what is read of a log is of one epoch, also where another begins between two questions.
func TestEpochBeginsMeanwhile(t *testing.T) {
	w := newWriter(t, new(memory.Place), core.Record{})
	w.say(1, 5)
	epoch, times := uint64(1), 1
	b := &between{w.core, func() {
		if times--; times >= 0 {
			epoch++
			w.lose(w.at.Head-1, epoch)
			w.say(epoch, 2)
		}
	}}
	l, err := open(b, id)
	if err != nil || l.epoch != 2 || l.newest.Load() != 6 {
		t.Fatalf("%+v, %v", l, err)
	}
	if got, err := rangeOf(t, l, 0, 6); err != nil || !bytes.Equal(got, w.part(0, 6)) {
		t.Fatalf("%v: %s", err, got)
	}
	times = 100
	var changed *store.ChangedError
	if l, err := open(b, id); !errors.As(err, &changed) {
		t.Fatalf("%+v, %v", l, err)
	}
}

// TestCoreIsAway: a reader is told, before the first byte where it asks.
func TestCoreIsAway(t *testing.T) {
	place := new(memory.Place)
	w := newWriter(t, place, core.Record{})
	w.say(1, 3)
	l := w.open()
	place.Leave()
	unavailable := func(err error) {
		t.Helper()
		var p *protocol.Problem
		if !errors.As(err, &p) || p.Code != protocol.CodeUnavailable {
			t.Error(err)
		}
	}
	r, err := l.Range(0, 3)
	if err != nil {
		t.Fatal(err)
	}
	unavailable(r.Whole())
	if r.Size() == 0 {
		t.Error("nothing is left of what could not be read")
	}
	_, err = r.Read(make([]byte, 1))
	unavailable(err)
	if l.Bytes() != 0 {
		t.Error("bytes that nobody has counted")
	}
	_, err = open(w.core, id)
	unavailable(err)
	place.Return()
	_, err = open(w.core, "0199a7a0-0000-7000-8000-000000000009")
	var p *protocol.Problem
	if !errors.As(err, &p) || p.Code != protocol.CodeSessionNotFound {
		t.Error(err)
	}
}
