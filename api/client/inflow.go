package client

import (
	"io"
	stdsync "sync"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxInflow bounds the frames that were read from a connection and not looked at, in bytes.
const maxInflow = 1 << 20

// arrived is one frame, kept.
type arrived struct {
	id   string
	data []byte
}

// inflow reads one connection, and hands its frames on in bunches.
type inflow struct {
	mu     stdsync.Mutex
	frames []arrived
	bytes  int
	err    error
	closed bool
	news   chan struct{} // has something when there is something
	room   *stdsync.Cond
}

func newInflow() *inflow {
	f := &inflow{news: make(chan struct{}, 1)}
	f.room = stdsync.NewCond(&f.mu)
	return f
}

// read reads to the end of the connection, or until close.
func (f *inflow) read(body io.Reader) {
	frames := protocol.NewSSEReader(body, 0)
	for {
		last := frames.LastEventID()
		frame, err := frames.Next()
		if frame.ID == last { // that of an event before: a signal has none
			frame.ID = ""
		}
		f.mu.Lock()
		for f.bytes > maxInflow && !f.closed {
			f.room.Wait()
		}
		if err != nil || f.closed {
			f.err = err
		} else {
			f.frames = append(f.frames, arrived{frame.ID, append([]byte(nil), frame.Data...)})
			f.bytes += len(frame.Data)
		}
		stop := err != nil || f.closed
		f.mu.Unlock()
		select {
		case f.news <- struct{}{}:
		default:
		}
		if stop {
			return
		}
	}
}

// take gives what has come. The error is for after the frames.
func (f *inflow) take() ([]arrived, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list, err := f.frames, f.err
	f.frames, f.bytes = nil, 0
	f.room.Signal()
	return list, err
}

func (f *inflow) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.room.Signal()
}
