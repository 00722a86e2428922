package ring_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"pgregory.net/rapid"
)

func events(from uint64, n int, text string) []protocol.Event {
	list := make([]protocol.Event, n)
	for i := range list {
		list[i] = protocol.Event{
			Seq: from + uint64(i), Time: 1, Payload: &protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: text}},
		}
	}
	return list
}

// read takes everything after since, and says at which seq it stopped because the ring does not go back that far.
func read(r *ring.Ring, since uint64) (frames []byte, last uint64, ok bool) {
	for {
		f, next, ok := r.Frames(since)
		if !ok || len(f) == 0 {
			return frames, since, ok
		}
		frames, since = append(frames, f...), next
	}
}

func TestFramesAreTheLinesOfTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epoch := rapid.Uint64Range(1, 3).Draw(t, "epoch")
		start := rapid.Uint64Range(0, 2000).Draw(t, "start")
		r := ring.New(epoch, start, 1<<20)
		var all []string // frames, as the protocol says they are
		var want []byte  // lines
		for range rapid.IntRange(1, 30).Draw(t, "batches") {
			batch := events(r.Next(), rapid.IntRange(1, 90).Draw(t, "n"), strings.Repeat("x", rapid.IntRange(0, 3000).Draw(t, "size")))
			lines := r.Append(nil, batch)
			want = append(want, lines...)
			for _, e := range batch {
				c := protocol.Cursor{Epoch: epoch, Seq: e.Seq}
				all = append(all, fmt.Sprintf("id: %s\ndata: %s\n\n", c, protocol.Append(nil, &e)))
			}
			r.Publish(batch[len(batch)-1].Seq)
		}
		since := start + rapid.Uint64Range(0, uint64(len(all))).Draw(t, "since")
		got, last, ok := read(r, since)
		if !ok {
			if len(want) < 1<<19 {
				t.Fatalf("the ring forgot %d bytes", len(want))
			}
			return
		}
		if last != r.Head() || last != start+uint64(len(all)) {
			t.Fatalf("last %d, head %d, want %d", last, r.Head(), start+uint64(len(all)))
		}
		if w := strings.Join(all[since-start:], ""); string(got) != w {
			t.Fatalf("got %d bytes of frames, want %d", len(got), len(w))
		}
	})
}

func TestUnpublishedIsNotShown(t *testing.T) {
	r := ring.New(1, 0, 1<<20)
	r.Append(nil, events(1, 5, "a"))
	if f, _, ok := r.Frames(0); len(f) > 0 || !ok {
		t.Fatalf("%d bytes shown before they were published", len(f))
	}
	r.Publish(3)
	if f, last, _ := r.Frames(0); last != 3 || bytes.Count(f, []byte("\n\n")) != 3 {
		t.Fatalf("last %d: %q", last, f)
	}
}

// kept is how many bytes of frames there are from the oldest one on.
func kept(r *ring.Ring) int {
	oldest := r.Head()
	for oldest > 0 {
		if _, _, ok := r.Frames(oldest - 1); !ok {
			break
		}
		oldest--
	}
	f, _, _ := read(r, oldest)
	return len(f)
}

func TestKeepsTheNewest(t *testing.T) {
	const keep = 256 << 10
	r := ring.New(1, 0, keep)
	for r.Head() < 10_000 {
		r.Append(nil, events(r.Next(), 50, strings.Repeat("y", 200)))
		r.Publish(r.Next() - 1)
	}
	if _, _, ok := r.Frames(0); ok {
		t.Fatal("the ring kept everything")
	}
	if n := kept(r); n < keep/2 || n > keep+64<<10 {
		t.Fatalf("%d bytes of frames are kept, of %d that may be", n, keep)
	}
	if f, last, ok := read(r, 9_900); !ok || last != 10_000 || bytes.Count(f, []byte("\n\n")) != 100 {
		t.Fatalf("ok %v, last %d", ok, last)
	}
	r.Release()
	if _, _, ok := r.Frames(9_999); ok {
		t.Fatal("released, and still there")
	}
	r.Append(nil, events(r.Next(), 1, "z"))
	r.Publish(r.Next() - 1)
	if f, last, ok := r.Frames(10_000); !ok || last != 10_001 || !bytes.Contains(f, []byte(`"z"`)) {
		t.Fatalf("after a release: ok %v last %d", ok, last)
	}
}

// TestBudget: whatever the events' sizes, the ring holds about what it may, and the newest event always.
func TestBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const keep = 128 << 10
		r := ring.New(1, 0, keep)
		for range rapid.IntRange(1, 12).Draw(t, "batches") {
			size := rapid.SampledFrom([]int{10, 3000, 30_000, 200_000}).Draw(t, "size")
			r.Append(nil, events(r.Next(), rapid.IntRange(1, 5).Draw(t, "n"), strings.Repeat("x", size)))
			r.Publish(r.Next() - 1)
			f, last, ok := r.Frames(r.Head() - 1)
			if !ok || last != r.Head() || len(f) < size {
				t.Fatalf("the newest event is not there: ok %v, last %d of %d", ok, last, r.Head())
			}
		}
		r.Append(nil, events(r.Next(), 300, "small")) // a block of its own: what is too much goes with it
		r.Publish(r.Next() - 1)
		if n := kept(r); n > keep+64<<10 {
			t.Fatalf("%d bytes of frames are kept", n)
		}
	})
}

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := ring.New(1, 0, 1<<20)
		const readers = 100
		var woken sync.WaitGroup
		for range readers {
			woken.Go(func() {
				if err := r.Wait(t.Context(), 0); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		r.Append(nil, events(1, 1, "a"))
		r.Publish(1)
		woken.Wait()

		gone := errors.New("gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		woken.Go(func() {
			if err := r.Wait(ctx, 1); !errors.Is(err, gone) {
				t.Errorf("got %v", err)
			}
		})
		synctest.Wait()
		cancel(gone)
		woken.Wait()

		woken.Go(func() {
			if err := r.Wait(t.Context(), 1); err != nil || r.State() != ring.Ended {
				t.Errorf("got %v in state %d", err, r.State())
			}
		})
		synctest.Wait()
		r.Close(ring.Ended)
		woken.Wait()
	})
}

// TestReadersSeeEachEventOnce runs readers of all speeds beside the writer; the race detector watches the shared memory.
func TestReadersSeeEachEventOnce(t *testing.T) {
	const total = 20_000
	r := ring.New(1, 0, 128<<10)
	var readers sync.WaitGroup
	for n := range 20 {
		readers.Go(func() {
			var since, seen, missed uint64
			for since < total {
				f, last, ok := r.Frames(since)
				switch {
				case !ok: // too slow: the journal would have it
					head := r.Head()
					missed += head - since
					since = head
				case len(f) == 0:
					if r.Wait(t.Context(), since) != nil {
						return
					}
				default:
					if got := uint64(bytes.Count(f, []byte("\n\n"))); got != last-since {
						t.Errorf("%d frames for %d events", got, last-since)
					}
					seen += last - since
					since = last
				}
			}
			if seen+missed != total {
				t.Errorf("reader %d: %d seen, %d left to the journal", n, seen, missed)
			}
		})
	}
	for r.Head() < total {
		r.Append(nil, events(r.Next(), 20, "abcdefghijklmnop"))
		r.Publish(r.Next() - 1)
	}
	readers.Wait()
}

func BenchmarkAppend(b *testing.B) {
	batch := events(1, 16, strings.Repeat("t", 120))
	r := ring.New(1, 0, 1<<20)
	var lines []byte
	b.ReportAllocs()
	for b.Loop() {
		for i := range batch {
			batch[i].Seq = r.Next() + uint64(i)
		}
		lines = r.Append(lines[:0], batch)
		r.Publish(r.Next() - 1)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*16), "ns/event")
}

// TestWaitUntil: the time ends a wait for nothing, and what was published by then comes first.
func TestWaitUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := ring.New(1, 0, 1<<20)
		begin := time.Now()
		if err := r.WaitUntil(t.Context(), 0, 0, time.After(time.Second)); !errors.Is(err, ring.ErrDue) || time.Since(begin) != time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		due := make(chan time.Time, 1)
		due <- begin
		r.Append(nil, events(1, 1, "a"))
		r.Publish(1)
		if err := r.WaitUntil(t.Context(), 0, 0, due); err != nil {
			t.Error(err)
		}
	})
}

// TestLinesFromElsewhere: lines that were encoded elsewhere become the frames that events become.
func TestLinesFromElsewhere(t *testing.T) {
	events := []protocol.Event{
		{Seq: 8, Time: 1, Payload: &protocol.SessionEnd{}}, {Seq: 9, Time: 2, Payload: &protocol.SessionEnd{Reason: "a\nb"}},
	}
	made, given := ring.New(3, 7, 1<<20), ring.New(3, 7, 1<<20)
	lines := made.Append(nil, events)
	ring.AppendLines(given, lines)
	clear(lines)
	made.Publish(9)
	given.Publish(9)
	want, _, _ := made.Frames(7)
	got, last, ok := given.Frames(7)
	if !ok || last != 9 || !bytes.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
