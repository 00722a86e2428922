package sync

import (
	"fmt"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// StoreBytes is how many bytes of lines are shown at most before they are stored without a Tick.
const StoreBytes = 64 << 10

// State is what is known of one session that is kept. The zero value is closed. It is not safe for concurrent use.
type State struct {
	phase Phase
	at    protocol.Cursor // of the last line that was shown, or where the log was asked for
	from  uint64          // nothing up to here is shown or stored, as far as that is known

	cached  bool
	pending batch // shown, and not yet given to the cache
	given   batch // given to the cache by the last step, in case that fails
	evicted bool  // room was made for given
	hint    hint  // the checkpoint

	tries tries
	retry time.Duration // that the server asked for in a stream

	jitter float64  // of this step
	out    []Effect // of this step
}

// tries counts what went wrong, for the waits before the next connection.
type tries struct {
	fails   int  // connections in a row that brought no new line and no sign of life
	strikes int  // gaps, strange epochs and resets since the server last agreed on the position
	gaps    int  // gaps in a row, without a good line between them
	heard   bool // this connection has brought something
}

// agreed says that the server and the client are at one position.
func (t *tries) agreed() { *t = tries{heard: true} }

// mostTries bounds what is counted.
const mostTries = 1000

func mark(n *int) { *n = min(*n+1, mostTries) }

// batch is a run of lines.
type batch struct {
	at    protocol.Cursor // of the last one
	lines [][]byte
	bytes int
}

// Phase is where a session stands; the package's comment says what each means.
type Phase uint8

// The phases.
const (
	PhaseClosed Phase = iota
	PhaseConnecting
	PhaseLive
	PhaseWaiting
	PhaseOver
	PhaseAside
	PhaseRefused
	PhaseGone
)

var phases = [...]string{"closed", "connecting", "live", "waiting", "over", "aside", "refused", "gone"}

func (p Phase) String() string {
	if int(p) < len(phases) {
		return phases[p]
	}
	return fmt.Sprintf("phase %d", uint8(p))
}

// Phase is where the session stands.
func (s *State) Phase() Phase { return s.phase }

// At is the position that a connection would begin at: that of the last line shown.
func (s *State) At() protocol.Cursor { return s.at }

// Cached says that what is shown is stored, now or with the next Store.
func (s *State) Cached() bool { return s.cached }

// reading says that lines may come.
func (s *State) reading() bool {
	return s.phase == PhaseLive || s.phase == PhaseOver || s.phase == PhaseAside
}

func (s *State) emit(e Effect) { s.out = append(s.out, e) }
func (s *State) tell(n Notice) { s.emit(Tell{Notice: n}) }
func (b *batch) add(f *Frame) {
	b.at, b.lines, b.bytes = f.At, append(b.lines, f.Line), b.bytes+len(f.Line)+1
}
func (b *batch) store() Effect { return Store{At: b.at, Lines: b.lines} }
func (b *batch) empty() bool   { return len(b.lines) == 0 }
