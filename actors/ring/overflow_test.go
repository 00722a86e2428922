package ring

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

func overflow(at int64, text string) *protocol.Overflow {
	return &protocol.Overflow{EntryID: "e1", Ts: 1, Offset: at, Delta: &protocol.TextAppend{Text: text}}
}

// taken reads frames of overflows: their texts, in order, where they follow each other.
func taken(t *testing.T, frames []byte) (at int64, text string) {
	t.Helper()
	at = -1
	for len(frames) > 0 {
		var line []byte
		line, frames = CutOverflow(frames)
		m, err := protocol.DecodeMessage(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		o := m.(*protocol.Overflow)
		if at < 0 {
			at = o.Offset
		} else if o.Offset != at+int64(len(text)) {
			t.Fatalf("at %d behind %d", o.Offset, at+int64(len(text)))
		}
		text += o.Delta.(*protocol.TextAppend).Text
	}
	return at, text
}

// TestOverflow: a reader gets what overflows from when it came, whole pieces as frames of a bounded size, and one that is behind gets the newest and sees the gap.
func TestOverflow(t *testing.T) {
	r := New(1, 0, 256<<10)
	if frames, last := r.Overflowed(0, 9); frames != nil || last != 0 || r.OverflowHead() != 0 {
		t.Fatal("something overflows")
	}
	r.Overflow(0, overflow(100, "before"))
	from := r.OverflowHead()
	long := strings.Repeat("é", 50_000)
	r.Overflow(0, overflow(106, long))
	var at int64 = -1
	var got string
	for {
		frames, last := r.Overflowed(from, 0)
		if len(frames) == 0 {
			break
		}
		if len(frames) > blockBytes {
			t.Errorf("%d bytes at once", len(frames))
		}
		where, text := taken(t, frames)
		if at < 0 {
			at = where
		}
		got, from = got+text, last
	}
	if at != 106 || got != long {
		t.Errorf("%d bytes at %d", len(got), at)
	}
	// Nobody reads: what is kept is bounded.
	for n := range int64(100) {
		r.Overflow(0, overflow(n*1000, strings.Repeat("x", 30_000)))
	}
	if of := r.overflow.Load(); of.total > 256<<10+2*blockBytes {
		t.Errorf("%d bytes are kept", of.total)
	}
	frames, _ := r.Overflowed(from, 0)
	if first, _ := taken(t, frames[:strings.Index(string(frames), "\n\n")+2]); first < 80_000 {
		t.Errorf("a reader that is behind goes on at %d", first)
	}
	if frames, _, ok := r.Frames(0); len(frames) > 0 || !ok || r.Head() != 0 {
		t.Error("an overflow is an event")
	}
	r.Release()
	if frames, _ := r.Overflowed(from, 0); len(frames) > 0 {
		t.Error("what was released is there")
	}
	from = r.OverflowHead()
	r.Overflow(0, overflow(7, "again"))
	if frames, _ := r.Overflowed(from, 0); !strings.Contains(string(frames), `"offset":7`) {
		t.Errorf("behind a release: %q", frames)
	}
}

// TestOverflowOrder: an overflow is taken between the event that it follows and the next one, also where these are published together.
// Proves: I15.7/overflow
func TestOverflowOrder(t *testing.T) {
	r := New(1, 0, 1<<20)
	events := func(n int) {
		list := make([]protocol.Event, n)
		for i := range list {
			list[i] = protocol.Event{Seq: r.Next() + uint64(i), Payload: &protocol.PromptRemoved{PromptID: "p"}}
		}
		r.Append(nil, list)
	}
	events(5)
	r.Overflow(2, overflow(0, "a"))
	r.Overflow(2, overflow(1, "b"))
	r.Overflow(4, overflow(2, "c"))
	if _, last := r.Overflowed(0, 0); last != 0 {
		t.Error("an overflow comes before its event")
	}
	r.Publish(5)
	events(1)
	r.Overflow(6, overflow(3, "d"))
	r.Publish(6)
	at, number, got := uint64(0), uint64(0), ""
	for got == "" || r.OverflowAfter(number, at) == at || at < 6 {
		frames, last, ok := r.FramesBefore(at, number)
		switch {
		case !ok:
			t.Fatal("the ring has all")
		case len(frames) > 0:
			got, at = got+fmt.Sprintf(" %d-%d", at+1, last), last
		default:
			frames, number = r.Overflowed(number, at)
			_, text := taken(t, frames)
			got += " " + text
		}
	}
	if want := " 1-2 ab 3-4 c 5-6 d"; got != want {
		t.Errorf("got%s, want%s", got, want)
	}
	// A reader that was behind has had later events from the journal.
	if frames, last := r.Overflowed(0, 3); len(frames) > 0 || last != 2 || r.OverflowAfter(last, 3) != 4 {
		t.Errorf("behind event 3 comes %q, up to %d", frames, last)
	}
	if frames, last := r.Overflowed(0, 4); last != 3 || !strings.Contains(string(frames), `"c"`) || strings.Contains(string(frames), `"b"`) {
		t.Errorf("behind event 4 comes %q, up to %d", frames, last)
	}
}

// TestOverflowBehind: an overflow that a reader has gone past, in the journal, hides nothing that comes later, and keeps nobody awake.
// Proves: I15.7/overflow
func TestOverflowBehind(t *testing.T) {
	r := New(1, 0, 1<<20)
	events := func(n int) {
		for range n {
			r.Append(nil, []protocol.Event{{Seq: r.Next(), Payload: &protocol.PromptRemoved{PromptID: "p"}}})
		}
		r.Publish(r.Next() - 1)
	}
	events(90)
	for range 3 { // more than a block of them
		r.Overflow(90, overflow(0, strings.Repeat("x", 60_000)))
	}
	events(910)
	at, number := uint64(100), uint64(0)
	for at < 1000 {
		frames, last, ok := r.FramesBefore(at, number)
		if !ok || len(frames) == 0 {
			t.Fatalf("behind event %d comes nothing", at)
		}
		at = last
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		woken := make(chan error, 1)
		go func() { woken <- r.WaitUntil(ctx, at, number, nil) }()
		synctest.Wait()
		if len(woken) > 0 {
			t.Error("it does not wait")
		}
		cancel()
		<-woken
	})
}

// TestOverflowsWhileTheyCome: a reader that keeps up misses none, however the writer's steps and its own fall.
// Proves: I15.7/overflow
func TestOverflowsWhileTheyCome(t *testing.T) {
	const steps = 20_000
	r := New(1, 0, 64<<20)
	go func() { // ends with its steps
		for range steps {
			seq := r.Next()
			r.Append(nil, []protocol.Event{{Seq: seq, Payload: &protocol.PromptRemoved{PromptID: "p"}}, {Seq: seq + 1, Payload: &protocol.PromptRemoved{PromptID: "p"}}})
			r.Overflow(seq, overflow(int64(seq), "x"))
			r.Publish(seq + 1)
		}
	}()
	at, number := uint64(0), uint64(0)
	for taken := uint64(0); at < 2*steps; {
		frames, last, ok := r.FramesBefore(at, number)
		if !ok {
			t.Fatal("the ring has all")
		}
		at = last
		if len(frames) > 0 {
			continue
		}
		if frames, number = r.Overflowed(number, at); len(frames) > 0 {
			if taken++; number != taken || at != 2*taken-1 {
				t.Fatalf("overflow %d is taken as number %d, behind event %d", number, taken, at)
			}
		}
	}
	if number != steps {
		t.Errorf("%d overflows were taken", number)
	}
}

// TestOverflowWakes: a reader that waits is woken, by its bell too.
func TestOverflowWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(1, 5, 1<<20)
		bells := NewBells()
		r.Hang(bells.New())
		woken := make(chan error, 1)
		go func() { woken <- r.WaitUntil(context.Background(), 5, 0, nil) }()
		synctest.Wait()
		r.Overflow(5, overflow(1, "x"))
		if err := <-woken; err != nil {
			t.Error(err)
		}
		if len(bells.Take(nil)) != 1 {
			t.Error("no bell was rung")
		}
		if err := r.WaitUntil(context.Background(), 5, 0, nil); err != nil {
			t.Error(err)
		}
	})
}
