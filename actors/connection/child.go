package connection

import (
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// maxUnclaimed bounds the sub-agents of a connection that no session has taken up.
const maxUnclaimed = 64

// born gives a sub-agent its lane. With mu held.
func (c *connection) born(id adapters.Lane, b *adapters.Birth) {
	parent := c.lanes[b.Parent]
	if parent == nil || id == 0 || c.lanes[id] != nil {
		return // a sub-agent of a session that has left, or of none here: its lines are dropped
	}
	k := child{b.Parent, b.NativeID}
	l := c.children[k]
	if l != nil && l.id == 0 { // its session waits for it
		delete(c.children, k)
		l.begin(id)
		return
	}
	if l != nil { // its birth is told again before a session has claimed it
		c.forgo(k, l)
	}
	c.makeRoom()
	l = newLane(c, "")
	l.parent, l.native = parent, b.NativeID
	c.children[k] = l
	l.begin(id)
}

// makeRoom drops the sub-agent that has waited longest for a session, when there are too many. With mu held.
func (c *connection) makeRoom() {
	var oldest *lane
	unclaimed := 0
	for _, l := range c.children {
		if l.id == 0 {
			continue
		}
		unclaimed++
		if oldest == nil || l.id < oldest.id {
			oldest = l
		}
	}
	if unclaimed >= maxUnclaimed {
		c.pool.cfg.Log.Warn("sub-agent without a session dropped", zap.String("agent", c.agent))
		c.forgo(child{oldest.parent.id, oldest.native}, oldest)
	}
}

// forgo drops a sub-agent that no session has claimed. With mu held.
func (c *connection) forgo(k child, l *lane) {
	delete(c.children, k)
	l.queue.drop()
	c.end(l, adapters.Exit{Error: errUnclaimed})
}

const errUnclaimed = "nobody took what the sub-agent said"

// Family is a lane as the supervisor sees it: a Parent that also says which sub-agents wait for their sessions.
type Family interface {
	adapters.Parent
	// Unclaimed says that a sub-agent is there and no session has claimed it by Child.
	Unclaimed(nativeID string) bool
}

var _ Family = (*lane)(nil)

// Unclaimed says that a sub-agent is there and no session has claimed it by Child.
func (l *lane) Unclaimed(nativeID string) bool {
	l.c.mu.Lock()
	defer l.c.mu.Unlock()
	found := l.c.children[child{l.id, nativeID}]
	return !l.over && found != nil && !found.claimed
}

// Child gives the connection of a sub-agent, once; ok is false when a session has it already, and when the lane itself has ended. The sub-agent
// need not be there yet: then its Output waits for it. A sub-agent that wrote more than its bound before it was claimed has ended with an error.
func (l *lane) Child(nativeID string) (adapters.Conn, bool) {
	c := l.c
	c.mu.Lock()
	defer c.mu.Unlock()
	k := child{l.id, nativeID}
	found := c.children[k]
	switch {
	case l.over || nativeID == "":
		return nil, false
	case found == nil:
		for _, other := range c.lanes {
			if other.parent == l && other.native == nativeID {
				return nil, false // it has its session
			}
		}
		found = newLane(c, "")
		found.parent, found.native, found.claimed = l, nativeID, true
		c.children[k] = found
		return found, true
	case found.claimed:
		return nil, false
	}
	found.claimed = true
	delete(c.children, k)
	return found, true
}
