package session

import (
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Gauges are sums over all live sessions that share them, as of now.
type Gauges struct {
	Requests atomic.Int64 // open requests
	Stalled  atomic.Int64 // sessions whose agent works and says nothing

	Illegal atomic.Uint64 // changes of a status that the table does not have, since the start
}

// share is what one session adds to the gauges.
type share struct{ requests, stalled int64 }

// contribute brings the session's share up to date; a nil Gauges takes none.
func (g *Gauges) contribute(was *share, now share) {
	if g == nil || *was == now {
		return
	}
	g.Requests.Add(now.requests - was.requests)
	g.Stalled.Add(now.stalled - was.stalled)
	*was = now
}

// AtWork says that somebody has to go on with a session: a turn runs, or may be about to once the agent is there.
func AtWork(s protocol.State) bool { return s.Busy() || s == protocol.StateStarting }

// loadOf is what a session adds as of its newest event.
func loadOf(s *core.State) share {
	requests, stalled := s.Load()
	now := share{requests: requests}
	if stalled {
		now.stalled = 1
	}
	return now
}
