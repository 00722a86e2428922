package adapter

import (
	"io"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// maxUnwritten bounds the lines, in bytes, that wait for an agent that does not read its input; over it the agent is stopped.
const maxUnwritten = 256 << 20

// writer writes lines to the agent. put never blocks: the agent may not be reading.
type writer struct {
	mu      sync.Mutex
	lines   [][]byte
	bytes   int
	closed  bool
	arrived chan struct{} // one slot
}

func newWriter() *writer { return &writer{arrived: make(chan struct{}, 1)} }

// put takes lines without newlines; false: too much waits already.
func (w *writer) put(lines [][]byte) bool {
	w.mu.Lock()
	for _, l := range lines {
		w.bytes += len(l) + 1
	}
	w.lines = append(w.lines, lines...)
	fits := w.bytes <= maxUnwritten
	w.mu.Unlock()
	w.signal()
	return fits
}

func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.signal()
}

func (w *writer) signal() {
	select {
	case w.arrived <- struct{}{}:
	default:
	}
}

// run writes until close. A write error means that the agent is ending: its output tells how.
func (w *writer) run(to io.Writer) {
	failed := false
	var buf []byte
	for {
		w.mu.Lock()
		lines, closed := w.lines, w.closed
		w.lines, w.bytes = nil, 0
		w.mu.Unlock()
		if len(lines) == 0 {
			if closed {
				return
			}
			<-w.arrived
			continue
		}
		if failed {
			continue
		}
		buf = buf[:0]
		for _, l := range lines {
			buf = append(append(buf, l...), '\n')
		}
		failpoint.Hit("adapter/beforeCommand")
		_, err := to.Write(buf)
		failed = err != nil
		if cap(buf) > 1<<20 {
			buf = nil
		}
	}
}
