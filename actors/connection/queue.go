package connection

import (
	"io"
	"sync"
)

// queue holds lines for one lane between the connection's reader and the reader of the lane. put never blocks; the connection's reader bounds the
// queue by its size.
type queue struct {
	arrived chan struct{} // one slot: something came, or the end
	room    chan struct{} // one slot: something was taken, or the end

	mu    sync.Mutex
	buf   []byte // buf[off:] waits
	off   int
	taken uint64 // bytes that were ever taken
	over  bool   // no more comes
}

func newQueue() *queue {
	return &queue{arrived: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

// put adds a line; after the end it is dropped.
func (q *queue) put(line []byte) {
	q.mu.Lock()
	if !q.over {
		if q.off > 0 && q.off > len(q.buf)/2 && len(q.buf)+len(line)+1 > cap(q.buf) {
			q.buf = q.buf[:copy(q.buf, q.buf[q.off:])]
			q.off = 0
		}
		q.buf = append(append(q.buf, line...), '\n')
	}
	q.mu.Unlock()
	signal(q.arrived)
}

// maxIdle is the largest buffer that an empty queue keeps, in bytes.
const maxIdle = 64 << 10

// Read gives what waits; io.EOF after the end. It has one caller at a time.
func (q *queue) Read(p []byte) (int, error) {
	for {
		q.mu.Lock()
		n, over := copy(p, q.buf[q.off:]), q.over
		q.off += n
		q.taken += uint64(n)
		if q.off == len(q.buf) {
			q.buf, q.off = q.buf[:0], 0
			if cap(q.buf) > maxIdle {
				q.buf = nil
			}
		}
		q.mu.Unlock()
		switch {
		case n > 0:
			signal(q.room)
			return n, nil
		case len(p) == 0:
			return 0, nil
		case over:
			return 0, io.EOF
		}
		<-q.arrived
	}
}

// size says how many bytes wait and how many were ever taken; a queue that has ended counts as empty, since it grows no more.
func (q *queue) size() (waiting int, taken uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over {
		return 0, q.taken
	}
	return len(q.buf) - q.off, q.taken
}

// end says that no more comes; what waits can still be read.
func (q *queue) end() {
	q.mu.Lock()
	q.over = true
	q.mu.Unlock()
	signal(q.arrived)
	signal(q.room)
}

// drop ends the queue and forgets what waits.
func (q *queue) drop() {
	q.mu.Lock()
	q.buf, q.off = nil, 0
	q.mu.Unlock()
	q.end()
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
