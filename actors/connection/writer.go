package connection

import (
	"io"
	"sync"
)

const (
	// fullBytes is how many bytes may wait for the agent before the sessions that write to it wait, too.
	fullBytes = 4 << 20
	// maxUnwritten bounds what the splitter itself adds, in bytes: it cannot wait. An agent over it does not read.
	maxUnwritten = 256 << 20
)

// writer writes lines to the agent, for all lanes.
type writer struct {
	mu      sync.Mutex
	buf     []byte
	after   func() // once what waits now is written
	closed  bool
	arrived chan struct{} // one slot
	room    chan struct{} // closed, and replaced, when what waited was taken
}

func newWriter() *writer {
	return &writer{arrived: make(chan struct{}, 1), room: make(chan struct{})}
}

// put takes a line without its newline; false: too much waits already. It never blocks.
func (w *writer) put(line []byte) bool {
	w.mu.Lock()
	w.buf = append(append(w.buf, line...), '\n')
	fits := len(w.buf) <= maxUnwritten
	w.mu.Unlock()
	signal(w.arrived)
	return fits
}

// full gives a channel that is closed when there is room again; nil: there is.
func (w *writer) full() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || len(w.buf) <= fullBytes {
		return nil
	}
	return w.room
}

// then does something once everything that waits now is written.
func (w *writer) then(do func()) {
	w.mu.Lock()
	w.after = do
	w.mu.Unlock()
	signal(w.arrived)
}

// close ends run. Lines that were not written are dropped: the agent has ended.
func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	signal(w.arrived)
}

// run writes until close. A write error means that the agent is ending: its output tells how.
func (w *writer) run(to io.Writer) {
	var buf []byte
	failed := false
	for {
		w.mu.Lock()
		buf, w.buf = w.buf, buf[:0]
		after, closed := w.after, w.closed
		w.after = nil
		close(w.room)
		w.room = make(chan struct{})
		w.mu.Unlock()
		if len(buf) > 0 && !failed {
			_, err := to.Write(buf)
			failed = err != nil
		}
		if after != nil {
			after()
		}
		switch {
		case closed:
			return
		case len(buf) == 0:
			<-w.arrived
		case cap(buf) > 1<<20:
			buf = nil
		}
	}
}
