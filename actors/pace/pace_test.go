package pace

import (
	"testing"
	"time"
)

// room has agents, and a clock that they move.
type room struct {
	now    time.Duration
	keeper *Keeper
}

func newRoom() *room {
	r := &room{now: time.Hour}
	r.keeper = New(func() time.Duration { return r.now })
	return r
}

// flood lets each of them say batches of 64 lines as fast as they may, 3 µs a line, for so long, and tells how many lines that were of each. Whoever
// is in others says one line every 200 ms.
func (r *room) flood(long time.Duration, bytes int, loud []*Speaker, others ...*Speaker) []int {
	said := make([]int, len(loud))
	may := make([]time.Duration, len(loud))
	spoke := r.now
	for end := r.now + long; r.now < end; {
		next := r.now + 64*3*time.Microsecond
		for i, s := range loud {
			if r.now >= may[i] {
				said[i] += 64
				may[i] = next + s.Said(64, bytes)
			}
		}
		for r.now = next; r.now-spoke >= 200*time.Millisecond; spoke += 200 * time.Millisecond {
			for _, s := range others {
				if s.Said(1, 200) != 0 {
					panic("one that says little waits")
				}
			}
		}
	}
	return said
}

func (r *room) speakers(n int) []*Speaker {
	list := make([]*Speaker, n)
	for i := range list {
		list[i] = r.keeper.Speaker()
	}
	return list
}

// An agent alone is never made to wait, and neither are agents that all flood, once each of them does.
func TestNobodyElse(t *testing.T) {
	for _, n := range []int{1, 3} {
		r := newRoom()
		for i, lines := range r.flood(10*time.Second, 64*200, r.speakers(n)) {
			if lines < 3_000_000 {
				t.Errorf("%d that flood: %d said %d lines in 10 s", n, i, lines)
			}
		}
		if h := r.keeper.Held(); h > time.Duration(n-1)*50*time.Millisecond {
			t.Errorf("%d that flood waited for %v", n, h)
		}
	}
}

// While another one speaks, those that flood share 5,000 lines a second, however many there are.
func TestOthersSpeak(t *testing.T) {
	for _, n := range []int{1, 4, 40} {
		r := newRoom()
		loud := r.speakers(n)
		other := r.keeper.Speaker()
		r.flood(2*time.Second, 64*200, loud, other)
		all := 0
		for i, lines := range r.flood(10*time.Second, 64*200, loud, other) {
			all += lines
			if fair := 50_000 / n; lines < fair*8/10 || lines > fair*12/10 {
				t.Errorf("%d that flood: %d said %d lines in 10 s, want about %d", n, i, lines, fair)
			}
		}
		if all < 42_000 || all > 55_000 {
			t.Errorf("%d that flood said %d lines in 10 s", n, all)
		}
	}
}

// Long lines count by their bytes.
func TestBytes(t *testing.T) {
	r := newRoom()
	loud, other := r.speakers(1), r.keeper.Speaker()
	r.flood(2*time.Second, 1<<20, loud, other)
	lines := r.flood(10*time.Second, 1<<20, loud, other)[0]
	if mib := lines / 64; mib < 17 || mib > 23 {
		t.Errorf("%d MiB in 10 s, want about 20", mib)
	}
}

// A burst of what agents say at most is no flood, and one that stops flooding is no flood any more.
func TestLittle(t *testing.T) {
	r := newRoom()
	busy, other := r.speakers(1)[0], r.keeper.Speaker()
	for range 100 {
		other.Said(1, 100)
		if w := busy.Said(loudLines-1, 1000); w != 0 {
			t.Fatalf("%d lines in %v wait for %v", loudLines-1, span, w)
		}
		r.now += span
	}
	r.flood(time.Second, 64*200, []*Speaker{busy}, other)
	r.now += 3 * span
	other.Said(1, 100)
	if w := busy.Said(64, 1000); w != 0 {
		t.Errorf("after %v of silence it waits for %v", 3*span, w)
	}
}

// Once the others are silent for a second, it is read as fast as can be.
func TestOthersStop(t *testing.T) {
	r := newRoom()
	loud, other := r.speakers(1), r.keeper.Speaker()
	r.flood(2*time.Second, 64*200, loud, other)
	r.flood(quietFor+span, 64*200, loud)
	if lines := r.flood(time.Second, 64*200, loud)[0]; lines < 300_000 {
		t.Errorf("%d lines in the second after", lines)
	}
}

// A wait is short, whatever was said, so that an agent's end is seen soon.
func TestLongest(t *testing.T) {
	r := newRoom()
	loud, other := r.speakers(1)[0], r.keeper.Speaker()
	other.Said(1, 100)
	if w := loud.Said(1, 512<<20); w != longest {
		t.Errorf("512 MiB wait for %v at once, want %v", w, longest)
	}
}

func TestNil(t *testing.T) {
	var k *Keeper
	if w := k.Speaker().Said(1<<20, 1<<30); w != 0 {
		t.Errorf("%v", w)
	}
}
