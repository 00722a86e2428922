package pace

import (
	"sync"
	"sync/atomic"
	"time"
)

// How much is a flood, and how much of it is read while others speak. The fastest models say some hundred lines a second.
const (
	span      = 100 * time.Millisecond // over which is counted
	loudLines = 500                    // in a span
	loudBytes = 256 << 10              // in a span

	// Of all that flood together, while others speak: 5,000 lines and 2 MiB a second.
	perLine = time.Second / 5_000
	perMiB  = time.Second / 2

	census   = time.Second / 2  // over which is counted who floods: longer than each of many waits for its turn
	quietFor = time.Second      // others speak: one of them has said something within
	slack    = time.Millisecond // that a reader may be ahead: a timer is not shorter
	longest  = time.Second      // that a reader waits at once
)

// Keeper knows who speaks. Its methods and those of its speakers may be called from any goroutine, and wait for nobody; a nil Keeper keeps nobody.
type Keeper struct {
	now  func() time.Duration // never goes back
	held atomic.Int64         // nanoseconds that were asked for

	mu    sync.Mutex
	quiet [2]mark       // the two that have spoken last, other than by flooding, the newest first
	loud  [2]int        // how many flood in this census, and in the one before
	begun time.Duration // this census
}

// mark is when somebody has spoken.
type mark struct {
	who *Speaker
	at  time.Duration
}

// New makes one. now is the time since any moment, such as the start of the program.
func New(now func() time.Duration) *Keeper { return &Keeper{now: now} }

// Held is how long readers were made to wait, all together.
func (k *Keeper) Held() time.Duration { return time.Duration(k.held.Load()) }

// Speaker is one more agent's output.
func (k *Keeper) Speaker() *Speaker {
	if k == nil {
		return nil
	}
	return &Speaker{keeper: k}
}

// spoke notes that somebody speaks who does not flood.
func (k *Keeper) spoke(s *Speaker, now time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.quiet[0].who != s {
		k.quiet[1] = k.quiet[0]
	}
	k.quiet[0] = mark{s, now}
}

// floods notes that somebody floods. It gives how many do; 0: nobody else speaks that does not.
func (k *Keeper) floods(s *Speaker, now time.Duration) (share int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if gone := now - k.begun; gone >= census {
		if k.loud[1] = k.loud[0]; gone >= 2*census {
			k.loud[1] = 0
		}
		k.loud[0], k.begun = 0, now-now%census
	}
	if s.counted != k.begun+1 {
		s.counted = k.begun + 1
		k.loud[0]++
	}
	for i, m := range k.quiet {
		switch {
		case m.who == s: // it began like the others
			k.quiet[i] = mark{}
		case m.who != nil && now-m.at < quietFor:
			share = max(k.loud[0], k.loud[1])
		}
	}
	return share
}
