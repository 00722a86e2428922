package ring_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
)

// TestBellsAreTakenInOrder: each bell is taken once however often it was rung, the first one first.
func TestBellsAreTakenInOrder(t *testing.T) {
	s := ring.NewBells()
	a, b, c := s.New(), s.New(), s.New()
	for _, x := range []*ring.Bell{b, a, b, b, c, a} {
		x.Ring()
	}
	if got := s.Take(nil); !slices.Equal(got, []*ring.Bell{b, a, c}) {
		t.Fatalf("%d bells were taken, or in another order than they were rung", len(got))
	}
	if got := s.Take(nil); len(got) > 0 {
		t.Fatalf("%d bells were taken twice", len(got))
	}
	a.Ring()
	if got := s.Take([]*ring.Bell{c}); !slices.Equal(got, []*ring.Bell{c, a}) {
		t.Fatal("a bell that was taken was not rung again")
	}
}

// TestBellOfAClosedRing: closing a ring rings, and a bell that was taken away does not.
func TestBellOfAClosedRing(t *testing.T) {
	s, r := ring.NewBells(), ring.New(1, 0, 1<<20)
	b, gone := s.New(), s.New()
	r.Hang(gone)
	r.Hang(b)
	r.Unhang(gone)
	r.Close(ring.Retired)
	if got := s.Take(nil); !slices.Equal(got, []*ring.Bell{b}) {
		t.Fatalf("%d bells were rung", len(got))
	}
}

// TestNoRingIsMissed: a reader that waits for bells alone reads everything of many rings whose writers write at the same time.
func TestNoRingIsMissed(t *testing.T) {
	const rings, each = 40, 300
	s := ring.NewBells()
	all := map[*ring.Bell]*ring.Ring{}
	at := map[*ring.Bell]uint64{}
	var writers sync.WaitGroup
	for n := range rings {
		r, b := ring.New(1, 0, 1<<20), s.New()
		r.Hang(b)
		all[b] = r
		writers.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(n)))
			for r.Next() <= each {
				r.Append(nil, events(r.Next(), 1+random.IntN(3), "x"))
				r.Publish(r.Next() - 1)
			}
			r.Close(ring.Ended)
		})
	}
	for left := rings; left > 0; {
		<-s.Rung()
		for _, b := range s.Take(nil) {
			r := all[b]
			if r == nil {
				continue // it was closed, and told so again
			}
			over := r.State() == ring.Ended
			for {
				frames, last, ok := r.Frames(at[b])
				if !ok {
					t.Fatal("the ring forgot")
				}
				if len(frames) == 0 {
					break
				}
				at[b] = last
			}
			if over {
				if at[b] != r.Head() {
					t.Fatalf("read up to %d of %d", at[b], r.Head())
				}
				delete(all, b)
				left--
			}
		}
	}
	writers.Wait()
}
