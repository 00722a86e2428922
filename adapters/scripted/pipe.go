package scripted

import (
	"io"
	"sync"
)

// pipeSize is what a pipe holds, as the kernel's do.
const pipeSize = 64 << 10

// pipe is a bounded pipe in memory. A write blocks while it is full, a read while it is empty; what was written before
// the writer's end is still read. It may be used inside a synctest bubble.
type pipe struct {
	mu      sync.Mutex
	changed sync.Cond
	held    []byte
	noMore  bool // the writer has ended
	unread  bool // the reader has ended
}

func newPipe() *pipe {
	p := &pipe{}
	p.changed.L = &p.mu
	return p
}

// reader and writer are the two ends.
type (
	reader struct{ *pipe }
	writer struct{ *pipe }
)

func (r reader) Read(b []byte) (int, error) {
	p := r.pipe
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.held) == 0 {
		if p.noMore {
			return 0, io.EOF
		}
		if p.unread {
			return 0, io.ErrClosedPipe
		}
		p.changed.Wait()
	}
	n := copy(b, p.held)
	p.held = p.held[:copy(p.held, p.held[n:])]
	p.changed.Broadcast()
	return n, nil
}

// Close makes writes fail, also one that is blocked.
func (r reader) Close() error {
	p := r.pipe
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unread = true
	p.changed.Broadcast()
	return nil
}

func (w writer) Write(b []byte) (n int, err error) {
	p := w.pipe
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(b) > 0 {
		switch {
		case p.unread, p.noMore:
			return n, io.ErrClosedPipe
		case len(p.held) == pipeSize:
			p.changed.Wait()
			continue
		}
		k := min(len(b), pipeSize-len(p.held))
		p.held = append(p.held, b[:k]...)
		b, n = b[k:], n+k
		p.changed.Broadcast()
	}
	return n, nil
}

// Close ends the pipe for the reader, behind what it holds; a blocked write fails.
func (w writer) Close() error {
	p := w.pipe
	p.mu.Lock()
	defer p.mu.Unlock()
	p.noMore = true
	p.changed.Broadcast()
	return nil
}
