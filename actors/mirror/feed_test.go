package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// node has a session's log ahead of Core, and feeds mirrors.
type node struct {
	mu    sync.Mutex
	name  string // "": nobody has the session
	epoch uint64
	lines [][]byte
	news  chan struct{}
	cut   error // what feeds end with; nil: they go on
	deaf  bool  // it takes a question and says nothing
	over  bool

	skips uint64 // events are left out

	feeds, open atomic.Int32
}

var errCut = errors.New("cut")

func newNode() *node { return &node{name: "other", epoch: 1, news: make(chan struct{})} }

func (n *node) change(f func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f()
	close(n.news)
	n.news = make(chan struct{})
}

// show has it show lines that Core does not have.
func (n *node) show(count int) {
	n.change(func() {
		for range count {
			seq := len(n.lines) + 1
			n.lines = append(n.lines, fmt.Appendf(nil, `{"seq":%d,"ts":1,"type":"note","epoch":%d,"text":"%0*d"}`+"\n", seq, n.epoch, 1+seq%90, seq))
		}
	})
}

func (n *node) Node() string { n.mu.Lock(); defer n.mu.Unlock(); return n.name }

func (n *node) Follow(ctx context.Context, _ string, since protocol.Cursor, take func(*News) error) error {
	n.feeds.Add(1)
	n.open.Add(1)
	defer n.open.Add(-1)
	at, told := since.Seq, false
	for {
		n.mu.Lock()
		epoch, lines, news, cut, deaf, over, skips := n.epoch, n.lines[min(int(at), len(n.lines)):], n.news, n.cut, n.deaf, n.over, n.skips
		n.mu.Unlock()
		switch {
		case cut != nil:
			return cut
		case over && len(lines) == 0 && !told:
			return ErrOver
		case over && len(lines) == 0:
			return nil
		case !deaf:
			told = true
			err := take(&News{Epoch: epoch, First: at + 1 + skips, Count: len(lines), Lines: bytes.Join(lines, nil)})
			if err != nil {
				return err
			}
			at += uint64(len(lines))
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (n *node) Lines(_ context.Context, _ string, since protocol.Cursor, upTo uint64) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.cut != nil || since.Epoch != n.epoch || upTo > uint64(len(n.lines)) {
		return nil, errCut
	}
	return bytes.Join(n.lines[since.Seq:min(upTo, since.Seq+7)], nil), nil
}

// ship has Core get what the node has shown, up to an event.
func (h *house) ship(n *node, upTo uint64) {
	h.test.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if s := n.lines[h.at.Head:upTo]; len(s) > 0 {
		h.append(store.Stretch{First: h.at.Head + 1, Epoch: n.epoch, Time: 1, Sources: []store.Made{{Count: len(s)}}, Lines: bytes.Join(s, nil)})
		h.lines = append(h.lines, s...)
	}
}

// fedIn runs a test of a mirror that a node feeds.
func fedIn(t *testing.T, test func(t *testing.T, h *house, n *node)) {
	n := newNode()
	in(t, core.Record{}, func(t *testing.T, h *house) {
		n.news = make(chan struct{})
		test(t, h, n)
	}, func(c *Config) { c.Owner = n })
	if n.open.Load() != 0 {
		t.Errorf("%d feeds are left", n.open.Load())
	}
}

// rangeOf reads a part of a log to its end.
func rangeOf(t *testing.T, l store.Log, since, upTo uint64) ([]byte, error) {
	t.Helper()
	lines, err := store.LinesOf(l, since, upTo)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	var out []byte
	for lines.Next() {
		out = append(append(out, lines.Line()...), '\n')
	}
	return out, lines.Err()
}

// TestNodeFeedsMirrors: what the session's node shows is shown at once, by one feed for all that read, and a slow one reads it out of Core, and out of the node
// where Core does not have it yet.
//
// Proves: I16.7/mirror-fed
func TestNodeFeedsMirrors(t *testing.T) {
	fedIn(t, func(t *testing.T, h *house, n *node) {
		n.show(5)
		h.ship(n, 3)
		a, b := h.join(), h.join()
		synctest.Wait()
		if a.Ring != b.Ring || a.Ring.Head() != 5 || n.feeds.Load() != 1 || h.mirror.Node() != "other" {
			t.Fatalf("shown up to %d, by %d feeds", a.Ring.Head(), n.feeds.Load())
		}
		n.show(40)
		synctest.Wait()
		if a.Ring.Head() != 45 || !bytes.Equal(shown(t, a.Ring, 3), bytes.Join(n.lines[3:], nil)) {
			t.Fatalf("shown up to %d", a.Ring.Head())
		}
		text, err := rangeOf(t, a.Log, 0, 45)
		if err != nil || !bytes.Equal(text, bytes.Join(n.lines, nil)) {
			t.Fatalf("%v: %s", err, text)
		}
		h.ship(n, 20)
		h.moved() // Core is behind, and says so
		if a.Ring.Head() != 45 || a.Ring.State() != ring.Open {
			t.Fatal("what Core lacks is shown no more")
		}
		h.ship(n, 45)
		h.moved()
		n.show(2)
		h.ship(n, 47)
		h.moved() // both tell of them
		if synctest.Wait(); !bytes.Equal(shown(t, a.Ring, 3), bytes.Join(n.lines[3:], nil)) {
			t.Fatalf("not each event once:\n%s", shown(t, a.Ring, 3))
		}
	})
}

// TestNodeGoesAway: Core tells what the node does not, and the node goes on where Core was; an event that only the node had is shown once.
//
// Proves: I16.7/mirror-moves
func TestNodeGoesAway(t *testing.T) {
	fedIn(t, func(t *testing.T, h *house, n *node) {
		n.show(5)
		h.ship(n, 4)
		r := h.join()
		synctest.Wait()
		n.change(func() { n.cut = errCut })
		synctest.Wait()
		if h.mirror.Node() != "" || r.Ring.Head() != 5 {
			t.Fatal("it is fed still")
		}
		if _, err := rangeOf(t, r.Log, 0, 5); !isAway(err) {
			t.Fatalf("what nobody has: %v", err)
		}
		n.show(5)
		h.ship(n, 8)
		h.moved()
		if r.Ring.Head() != 8 {
			t.Fatalf("Core has 8, shown are %d", r.Ring.Head())
		}
		n.change(func() { n.cut, n.name = nil, "next" }) // which has the session now
		n.show(3)
		h.moved()
		if synctest.Wait(); r.Ring.Head() != 13 || h.mirror.Node() != "next" || !bytes.Equal(shown(t, r.Ring, 4), bytes.Join(n.lines[4:], nil)) {
			t.Fatalf("shown up to %d", r.Ring.Head())
		}
		h.mirror.Lost() // Core takes it for dead
		if synctest.Wait(); h.mirror.Node() != "" {
			t.Fatal("it is believed still")
		}
	})
}

// TestSlowNode: a node that takes a question and says nothing holds up nobody; Core goes on to tell.
//
// Proves: I16.7/mirror-slow
func TestSlowNode(t *testing.T) {
	fedIn(t, func(t *testing.T, h *house, n *node) {
		n.deaf = true
		n.show(5)
		h.ship(n, 3)
		r := h.join()
		h.ship(n, 5)
		h.moved()
		if r.Ring.Head() != 5 || h.mirror.Node() != "" {
			t.Fatalf("shown up to %d", r.Ring.Head())
		}
		n.show(2)
		h.ship(n, 6)
		n.change(func() { n.deaf = false }) // what it says begins before what Core has said
		if synctest.Wait(); r.Ring.Head() != 7 || !bytes.Equal(shown(t, r.Ring, 3), bytes.Join(n.lines[3:], nil)) {
			t.Fatalf("shown up to %d:\n%s", r.Ring.Head(), shown(t, r.Ring, 3))
		}
	})
}

// TestNodeHasAnotherEpoch: what a node tells of another epoch is not shown as of this one: readers come again once Core tells where it begins.
func TestNodeHasAnotherEpoch(t *testing.T) {
	fedIn(t, func(t *testing.T, h *house, n *node) {
		n.show(5)
		h.ship(n, 5)
		r := h.join()
		synctest.Wait()
		n.change(func() { n.lines, n.epoch = n.lines[:4], 2 })
		n.show(3)
		h.lose(4, 2)
		synctest.Wait()
		if r.Ring.Head() != 5 {
			t.Fatalf("shown up to %d", r.Ring.Head())
		}
		h.ship(n, 6)
		h.moved()
		if r.Ring.State() != ring.Retired {
			t.Fatal("readers are told nothing")
		}
		again := h.join()
		time.Sleep(feedSeldom) // of the bubble
		h.moved()
		if upTo, known := again.Agree(1); !known || upTo != 4 || again.Ring.Epoch() != 2 || again.Ring.Head() != 7 {
			t.Fatal(upTo, known, again.Ring.Epoch(), again.Ring.Head())
		}
	})
}

// TestNodeLeavesEventsOut: what does not follow is not shown.
func TestNodeLeavesEventsOut(t *testing.T) {
	fedIn(t, func(t *testing.T, h *house, n *node) {
		n.show(3)
		h.ship(n, 3)
		r := h.join()
		synctest.Wait()
		n.change(func() { n.skips = 1 })
		n.show(3)
		if synctest.Wait(); r.Ring.Head() != 3 || h.mirror.Node() != "" {
			t.Fatalf("shown up to %d", r.Ring.Head())
		}
	})
}

// TestNodeSaysThatItIsOver: readers are let go when the session's node says that it has ended, whatever the list has heard.
func TestNodeSaysThatItIsOver(t *testing.T) {
	fedIn(t, func(t *testing.T, h *house, n *node) {
		n.show(3)
		h.ship(n, 2)
		r := h.join()
		synctest.Wait()
		n.change(func() { n.over = true })
		if synctest.Wait(); r.Ring.State() != ring.Ended || r.Ring.Head() != 3 {
			t.Fatal("it is not over")
		}
		h.ship(n, 3)
		h.moved()
		if r.Ring.State() != ring.Ended {
			t.Fatal("it goes on")
		}
		if feeds := n.feeds.Load(); feeds > 2 {
			t.Errorf("%d feeds", feeds)
		}
		r.Leave()
		synctest.Wait()
		if h.join().Ring.State() == ring.Retired {
			t.Error("who comes is sent away")
		}
	})
}

// TestMirrorsLinger: a mirror that nobody reads is fed for a moment, and who comes meanwhile has it; then the feed ends.
//
// Proves: I16.7/mirror-lingers
func TestMirrorsLinger(t *testing.T) {
	fedIn(t, func(t *testing.T, h *house, n *node) {
		n.show(3)
		h.ship(n, 2)
		r := h.join()
		synctest.Wait()
		r.Leave()
		time.Sleep(lingers / 2) // of the bubble, as all below
		n.show(1)
		synctest.Wait()
		if n.open.Load() != 1 {
			t.Fatal("it is fed no more")
		}
		if r = h.join(); r.Ring.Head() != 4 || n.feeds.Load() != 1 {
			t.Fatal(r.Ring.Head(), n.feeds.Load())
		}
		time.Sleep(2 * lingers)
		if n.open.Load() != 1 {
			t.Fatal("somebody reads")
		}
		r.Leave()
		time.Sleep(lingers + time.Second)
		if n.open.Load() != 0 || h.mirror.Node() != "" {
			t.Fatal("it is fed for nobody")
		}
	})
}

// TestQuietMirrorsRest: readers that yield are let go when they have everything, and that is said; while a feed is there the position in Core is no reason.
func TestQuietMirrorsRest(t *testing.T) {
	fedIn(t, func(t *testing.T, h *house, n *node) {
		n.show(3)
		h.ship(n, 3)
		r, err := h.try(true, false)
		if err != nil {
			t.Fatal(err)
		}
		r.At(3)
		h.moved()
		if r.Ring.State() != ring.Open {
			t.Fatal("it is let go though more comes at once")
		}
		h.mirror.Rest()
		if synctest.Wait(); r.Ring.State() != ring.Retired || n.open.Load() != 0 {
			t.Fatal("it is kept, with a feed for nothing")
		}
	})
}

// TestFeedsOfAnyHistory: a session shows, ships, loses its end and moves, feeds are cut and go silent, at random; a reader that follows has each event once, in
// order, or a reset that says what is void, and in the end the log.
//
// Proves: I16.7/mirror-any-history
func TestFeedsOfAnyHistory(t *testing.T) {
	for seed := range uint64(60) {
		fedIn(t, func(t *testing.T, h *house, n *node) {
			random := rand.New(rand.NewPCG(seed, 16))
			n.show(3)
			h.ship(n, 3)
			reads := &reading{h: h, reader: h.join()}
			for range 200 {
				switch random.IntN(12) {
				case 0, 1, 2, 3:
					n.show(1 + random.IntN(30))
				case 4, 5:
					h.ship(n, h.at.Head+uint64(random.IntN(len(n.lines)-int(h.at.Head)+1)))
				case 6:
					n.change(func() { n.cut = errCut })
				case 7:
					n.change(func() { n.cut, n.deaf = nil, random.IntN(4) == 0 })
				case 8:
					n.change(func() { n.name = fmt.Sprint("node ", random.IntN(3)) })
				case 9: // it goes on elsewhere with what Core has: feeds of the node before end first, as they do where its lease runs out
					n.change(func() { n.cut = errCut })
					synctest.Wait()
					h.lose(h.at.Head, n.epoch+1)
					n.change(func() { n.lines, n.epoch, n.cut = n.lines[:h.at.Head], n.epoch+1, nil })
					n.show(1)
					h.ship(n, h.at.Head+1)
				case 10:
					time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
				case 11:
					if random.IntN(3) == 0 {
						h.mirror.Lost()
					}
				}
				if random.IntN(3) > 0 {
					h.moved()
				}
				if random.IntN(2) == 0 {
					reads.on(t)
				}
			}
			n.change(func() { n.cut, n.deaf = nil, false })
			h.ship(n, uint64(len(n.lines)))
			for range 5 {
				time.Sleep(feedSeldom)
				h.moved()
				reads.on(t)
			}
			if !bytes.Equal(bytes.Join(reads.lines, nil), bytes.Join(n.lines, nil)) {
				t.Fatalf("seed %d: read %d of %d events", seed, len(reads.lines), len(n.lines))
			}
			reads.reader.Leave()
			synctest.Wait()
		})
		if t.Failed() {
			return
		}
	}
}

// reading is a reader that keeps what it has read.
type reading struct {
	h      *house
	reader *session.Reader
	lines  [][]byte
	at     protocol.Cursor
	resets int
}

// on reads what there is.
func (r *reading) on(t *testing.T) {
	t.Helper()
	for {
		synctest.Wait()
		if r.reader.Ring.State() == ring.Retired {
			r.reader.Leave()
			r.reader = r.h.join()
			at, ok := r.reader.Behind(r.at, r.reader.Ring.Head())
			if !ok {
				upTo, _ := r.reader.Agree(r.at.Epoch)
				r.resets++
				at = min(upTo, r.at.Seq)
			}
			r.lines, r.at = r.lines[:at], r.reader.Cursor(at)
		}
		frames, last, ok := r.reader.Frames(r.at.Seq)
		if !ok {
			lines, err := store.LinesOf(r.reader.Log, r.at.Seq, r.reader.Ring.Head())
			if err != nil {
				return // it is tried again
			}
			for lines.Next() {
				r.take(t, lines.Line(), lines.Seq())
			}
			err = lines.Err()
			if lines.Close(); err != nil {
				return
			}
			continue
		}
		if len(frames) == 0 {
			return
		}
		for seq := r.at.Seq + 1; len(frames) > 0; seq++ {
			var line []byte
			_, line, frames = ring.Cut(frames)
			r.take(t, line, seq)
		}
		r.at.Seq = last
	}
}

func (r *reading) take(t *testing.T, line []byte, seq uint64) {
	t.Helper()
	if !store.Begins(line, seq) || seq != uint64(len(r.lines))+1 {
		t.Fatalf("event %d of %d is %s", seq, len(r.lines)+1, line)
	}
	r.lines = append(r.lines, append(bytes.Clone(line), '\n'))
	r.at.Seq = seq
}
