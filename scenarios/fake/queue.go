package fake

import "sync"

// heard is a line that the program was told.
type heard struct {
	line []byte
	free bool // nobody need wait for it
}

// queue holds what the program was told and has not read.
type queue struct {
	mu    sync.Mutex
	lines []heard
	ended bool
	news  chan struct{} // has room for one: something is new
}

func newQueue() *queue { return &queue{news: make(chan struct{}, 1)} }

func (q *queue) push(h heard) {
	q.mu.Lock()
	q.lines = append(q.lines, h)
	q.mu.Unlock()
	q.wake()
}

// end says that nothing more comes.
func (q *queue) end() {
	q.mu.Lock()
	q.ended = true
	q.mu.Unlock()
	q.wake()
}

func (q *queue) wake() {
	select {
	case q.news <- struct{}{}:
	default:
	}
}

// take gives the first line that is wanted, and takes it out.
func (q *queue) take(wanted func(heard) bool) (h heard, ok, ended bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, h := range q.lines {
		if wanted(h) {
			q.lines = append(q.lines[:i:i], q.lines[i+1:]...)
			return h, true, q.ended
		}
	}
	return heard{}, false, q.ended
}
