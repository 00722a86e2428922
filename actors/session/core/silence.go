package core

import "time"

// silence is the part of a state that knows how long the agent has said nothing while it was its turn to. An agent that works and says nothing for
// Limits.StallAfter is said to be stalled. Nothing is done about it: a build may take as long, and nobody can tell.
type silence struct {
	heard    int64 // up at the agent's last batch, or at the time from which it was to say something
	expected bool  // as of the last step, the agent is to say something
	stalled  bool  // it has said nothing for so long
	watching bool  // StallOverdue is on its way
}

// watch keeps one look at the agent under way while something is expected of it.
func (q *silence) watch(w *writer, expected bool, after time.Duration) {
	was := q.expected
	q.expected = expected
	switch {
	case !expected:
		q.stalled = false
		return
	case !was:
		q.heard = w.up
	}
	if !q.stalled && !q.watching {
		q.watching = true
		w.do(WatchStall{After: after - q.lasts(w.up)})
	}
}

// lasts is how long the agent has said nothing.
func (q *silence) lasts(up int64) time.Duration { return time.Duration(up-q.heard) * time.Millisecond }

// overdue is the look at the agent.
func (q *silence) overdue(up int64, expected bool, after time.Duration) {
	q.watching = false
	q.stalled = expected && q.lasts(up) >= after
}

// broken takes a sign of life, and says whether the agent was stalled before it.
func (q *silence) broken(up int64) (was bool) {
	q.heard, was, q.stalled = up, q.stalled, false
	return was
}
