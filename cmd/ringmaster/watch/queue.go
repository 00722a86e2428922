package watch

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxWaiting is how many notices wait at most. When there are so many, nothing more is read: the daemon's logs are the queue.
const maxWaiting = 100

// queue is the notices that wait, those that are being told, and the position up to which each session is done. It is pure.
type queue struct {
	most    int // at once
	waiting []Told
	busy    map[string]bool // sessions of which a notice is being told
	done    map[string]protocol.Cursor
}

func newQueue(most int, done map[string]protocol.Cursor) *queue {
	return &queue{most: most, busy: map[string]bool{}, done: done}
}

func (q *queue) full() bool { return len(q.waiting) >= maxWaiting }
func (q *queue) idle() bool { return len(q.waiting) == 0 && len(q.busy) == 0 }

// add takes what was read. Behind a notice that waits or is being told, a session is not done, whatever comes.
func (q *queue) add(t Told) {
	behind := q.busy[t.Session] || slices.ContainsFunc(q.waiting, func(w Told) bool { return w.Session == t.Session })
	switch {
	case t.Notice != nil:
		q.waiting = append(q.waiting, t)
	case !behind:
		q.pass(t)
	}
}

// next is a notice that may be told now; false: there is none.
func (q *queue) next() (Told, bool) {
	if len(q.busy) >= q.most {
		return Told{}, false
	}
	for i, t := range q.waiting {
		if !q.busy[t.Session] {
			q.waiting = slices.Delete(q.waiting, i, i+1)
			q.busy[t.Session] = true
			return t, true
		}
	}
	return Told{}, false
}

// told notes that somebody has been told, or that it was given up.
func (q *queue) told(t Told) {
	q.leave(t)
	q.pass(t)
}

// leave notes that nobody is being told any more, and that nobody has been.
func (q *queue) leave(t Told) { delete(q.busy, t.Session) }

func (q *queue) pass(t Told) {
	if t.Gone {
		delete(q.done, t.Session)
		return
	}
	q.done[t.Session] = t.At
}
