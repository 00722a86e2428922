package connection

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// deafAfter is how long an agent may write no line at all after a session has spoken to it. After that, stopping the session ends the connection.
const deafAfter = 8 * time.Second

// connection is one live connection that carries lanes. Locks are taken in the order connection.mu, Pool.mu.
type connection struct {
	pool   *Pool
	shared *shared // nil: of one session and its sub-agents
	agent  string
	conn   adapters.Conn
	writer *writer
	done   chan struct{} // closed when nothing of the connection is left

	mu       sync.Mutex // guards what follows, and the splitter
	splitter adapters.Splitter
	split    adapters.Split
	lanes    map[adapters.Lane]*lane // alive
	children map[child]*lane         // that their parents' sessions have not claimed, or claimed before they were born
	roots    int                     // lanes of sessions that joined, alive
	waiting  []*lane                 // lanes that are over, and whose Wait returns at the connection's end
	full     []*lane                 // lanes whose queue went over its bound since the last line
	heard    uint64                  // lines so far
	closing  bool                    // no session may join
	over     bool                    // nothing is left; exit is valid
	exit     adapters.Exit
	broken   string      // the daemon's reason to end it; empty: it has not
	timer    *time.Timer // of shut
}

// child names a sub-agent of a lane.
type child struct {
	parent adapters.Lane
	native string
}

// newConnection takes over a connection that was made, and starts its reader and writer.
func newConnection(p *Pool, s *shared, conn adapters.Conn, agent adapters.Splitting, spec adapters.Spec) *connection {
	c := &connection{
		pool: p, shared: s, agent: agent.Name(), conn: conn, writer: newWriter(), done: make(chan struct{}),
		lanes: map[adapters.Lane]*lane{}, children: map[child]*lane{},
	}
	c.mu.Lock()
	c.guard(func() {
		c.splitter = agent.Splitter(spec)
		c.splitter.Start(&c.split)
	})
	c.mu.Unlock()
	go c.writer.run(conn.Input())
	go c.read()
	return c
}

// join gives a session a lane; ok is false when the connection is ending and another one must be made. A session that has waited for this
// start gets its failure instead, as an end of its lane: so the session counts it as a restart, and an agent that dies at once is not started for ever.
func (c *connection) join(spec adapters.Spec, waited bool) (l *lane, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	failed := c.broken != "" || c.over && !c.exit.Requested
	if c.closing && c.shared != nil && !(waited && failed) {
		return nil, false
	}
	l = newLane(c, spec.SessionID)
	c.roots++
	if !c.over {
		c.guard(func() {
			id := c.splitter.Join(spec, &c.split)
			if id == 0 || c.lanes[id] != nil {
				panic(fmt.Sprintf("lane %d is given twice", id))
			}
			l.begin(id)
		})
	}
	if l.id == 0 { // the splitter has failed, or the agent has ended: so does the lane
		c.retire(l)
	}
	return l, true
}

// guard calls the splitter and passes on its output. A splitter that panics ends its connection. With mu held.
func (c *connection) guard(do func()) {
	if c.broken != "" {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			c.pool.cfg.Log.Error("splitter panic", zap.String("agent", c.agent), zap.ByteString("stack", debug.Stack()))
			c.split = adapters.Split{}
			c.giveUp("the daemon's splitter failed on what was said")
		}
	}()
	do()
	c.pass()
}

// giveUp ends the connection because of a fault; its lanes end with it, and their sessions go on with another. With mu held.
func (c *connection) giveUp(why string) {
	if c.broken != "" {
		return
	}
	c.broken = why
	c.close()
	c.conn.Stop(0)
	for _, l := range c.lanes {
		signal(l.queue.room) // the reader may wait for room in it
	}
}

// close has the connection take no more sessions. With mu held.
func (c *connection) close() {
	c.closing = true
	if c.shared != nil {
		c.pool.mu.Lock()
		c.pool.forget(c.shared)
		c.pool.mu.Unlock()
	}
}

// pass passes on the splitter's output since the last time. With mu held.
func (c *connection) pass() {
	for _, line := range c.split.Lines {
		if !c.writer.put(line) {
			c.giveUp("the agent does not read its input")
		}
	}
	for i := range c.split.Parts {
		part := &c.split.Parts[i]
		l := c.lanes[part.Lane]
		switch {
		case part.Born != nil:
			c.born(part.Lane, part.Born)
		case l == nil: // the session has left, or never was here
		case part.Over:
			c.ended(l)
		case !part.Sent:
			l.queue.put(part.Line)
			if waiting, _ := l.queue.size(); waiting > c.pool.cfg.LaneBytes {
				c.overfull(l)
			}
		}
	}
	clear(c.split.Lines)
	clear(c.split.Parts)
	c.split.Lines, c.split.Parts = c.split.Lines[:0], c.split.Parts[:0]
}

// overfull notes that a lane's queue is over its bound. A sub-agent that no session has claimed is dropped: there may never be a session for
// it. With mu held.
func (c *connection) overfull(l *lane) {
	if l.parent != nil && !l.claimed {
		c.pool.cfg.Log.Warn("sub-agent without a session dropped", zap.String("agent", c.agent))
		l.queue.drop()
		c.end(l, adapters.Exit{Error: errUnclaimed})
		return
	}
	if !slices.Contains(c.full, l) {
		c.full = append(c.full, l)
	}
}
