package adapter

import (
	"io"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// maxUnwritten bounds the lines, in bytes, that wait for an agent that does not read its input; over it the agent is stopped.
const maxUnwritten = 256 << 20

// writer writes lines to the agent. put never blocks: the agent may not be reading. Its goroutine lives while there are lines: most agents are told
// something now and then.
type writer struct {
	to io.Writer

	mu      sync.Mutex
	lines   [][]byte
	bytes   int
	closed  bool
	running bool
}

func newWriter(to io.Writer) *writer { return &writer{to: to} }

// put takes lines without newlines; false: too much waits already.
func (w *writer) put(lines [][]byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return true
	}
	for _, l := range lines {
		w.bytes += len(l) + 1
	}
	w.lines = append(w.lines, lines...)
	if !w.running && len(w.lines) > 0 {
		w.running = true
		go w.run()
	}
	return w.bytes <= maxUnwritten
}

// close takes nothing more. What waits is still written, where the agent's input takes it.
func (w *writer) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
}

// run writes until nothing waits. A write error means that the agent is ending: its output tells how.
func (w *writer) run() {
	failed := false
	var buf []byte
	for {
		w.mu.Lock()
		lines := w.lines
		w.lines, w.bytes = nil, 0
		if len(lines) == 0 {
			w.running = false
			w.mu.Unlock()
			return
		}
		w.mu.Unlock()
		if failed {
			continue
		}
		buf = buf[:0]
		for _, l := range lines {
			buf = append(append(buf, l...), '\n')
		}
		failpoint.Hit("adapter/beforeCommand")
		_, err := w.to.Write(buf)
		failed = err != nil
		if cap(buf) > 1<<20 {
			buf = nil
		}
	}
}
