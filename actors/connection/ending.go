package connection

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// leave has the splitter end a lane, and ends it with the lanes of its children: at once, or with a connection that is broken.
// With mu held.
func (c *connection) leave(l *lane, exit adapters.Exit) {
	if l.id != 0 {
		c.guard(func() { c.splitter.Leave(l.id, &c.split) })
	}
	for _, other := range c.family(l) {
		if c.broken != "" {
			other.requested = other.requested || exit.Requested
			c.retire(other)
		} else {
			c.end(other, exit)
		}
	}
}

// ended ends a lane because its agent says that it is over. Children of it that are not claimed end as well: a session could have claimed them only
// through this lane. Children that are claimed are ended by their sessions. With mu held.
func (c *connection) ended(l *lane) {
	for _, other := range c.family(l) {
		switch {
		case other == l:
			c.end(l, adapters.Exit{})
		case !other.claimed || other.id == 0:
			other.queue.drop()
			c.end(other, adapters.Exit{Error: errUnclaimed})
		}
	}
}

// family is a lane with those of its children, alive. With mu held.
func (c *connection) family(l *lane) []*lane {
	list := []*lane{l}
	for _, other := range c.lanes {
		if other.under(l) {
			list = append(list, other)
		}
	}
	for _, other := range c.children {
		if other.id == 0 && other.under(l) {
			list = append(list, other)
		}
	}
	return list
}

// shut ends the connection once all waiting lines are written to the agent, at the latest after a quarter of the grace. With mu held.
func (c *connection) shut(grace time.Duration) {
	c.close()
	if grace <= 0 {
		c.conn.Stop(0)
		return
	}
	c.timer = time.AfterFunc(grace/4, func() { c.conn.Stop(grace - grace/4) })
	c.writer.then(func() { c.conn.Stop(grace) })
}

// endUnused ends a connection that no session joined, and waits for its end.
func (c *connection) endUnused() {
	c.mu.Lock()
	unused := c.roots == 0 && !c.closing
	if unused {
		c.shut(0)
	}
	c.mu.Unlock()
	if unused {
		<-c.done
	}
}

// finish ends what is left with the connection.
func (c *connection) finish(exit adapters.Exit) {
	c.mu.Lock()
	c.close()
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.broken != "" {
		exit.Error, exit.Requested = c.broken, false
	}
	for _, l := range c.children {
		c.retire(l)
	}
	for _, l := range c.lanes {
		c.retire(l)
	}
	c.over, c.exit = true, exit
	for _, l := range c.waiting {
		l.gone(exit)
	}
	c.waiting = nil
	c.mu.Unlock()
	c.writer.close()
	_ = c.conn.Input().Close() // ends a writer that blocks on the agent's pipe
	close(c.done)
}
