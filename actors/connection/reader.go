package connection

import (
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/process"
)

// read is the reader: it owns the agent's output.
func (c *connection) read() {
	framer := process.NewFramer(c.conn.Output(), c.pool.cfg.MaxLine)
	speaker, lines, bytes := c.pool.cfg.Pace.Speaker(), 0, 0
	for {
		frame, err := framer.Next()
		if err != nil {
			break
		}
		if frame.TooLong != nil {
			c.pool.cfg.Log.Warn("line too long for a shared connection", zap.String("agent", c.agent), zap.Int64("bytes", frame.TooLong.Bytes))
			continue
		}
		full, ok := c.line(frame.Line)
		if !ok {
			break
		}
		for _, l := range full {
			c.hold(l)
		}
		if lines, bytes = lines+1, bytes+len(frame.Line); lines == paceLines || !framer.Buffered() {
			rest(speaker.Said(lines, bytes))
			lines, bytes = 0, 0
		}
	}
	drain(c.conn)
	c.finish(c.conn.Wait())
}

// paceLines is after how many lines it is asked whether they are a flood, where there are more to read.
const paceLines = 64

// rest returns after some time, a second at most.
func rest(long time.Duration) {
	if long > 0 {
		<-time.After(long)
	}
}

// line hands a line to the splitter and gives the lanes that are full now; false: the connection is broken.
func (c *connection) line(line []byte) (full []*lane, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard++
	c.guard(func() { c.splitter.Line(line, &c.split) })
	full, c.full = c.full, nil
	return full, c.broken == ""
}

// hold waits until a full lane has room. Of the reader.
func (c *connection) hold(l *lane) {
	timer := time.NewTimer(c.pool.cfg.Patience)
	defer timer.Stop()
	_, last := l.queue.size()
	for {
		waiting, taken := l.queue.size()
		if waiting <= c.pool.cfg.LaneBytes || c.isBroken() {
			return
		}
		if taken != last {
			last = taken
			timer.Reset(c.pool.cfg.Patience)
		}
		select {
		case <-l.queue.room:
		case <-timer.C:
			if _, taken := l.queue.size(); taken == last && c.letGo(l) {
				return
			}
			timer.Reset(c.pool.cfg.Patience)
		}
	}
}

func (c *connection) isBroken() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.broken != ""
}

// letGo ends a lane whose session takes nothing, unless that session is alone on the connection.
func (c *connection) letGo(l *lane) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.over {
		return true
	}
	if l.parent == nil && c.roots == 1 {
		return false
	}
	c.pool.cfg.Log.Warn("session let go by its connection", zap.String("agent", c.agent), zap.String("session", l.session))
	c.leave(l, adapters.Exit{Code: -1, Error: fmt.Sprintf(
		"fell behind: it took nothing of what the agent said for %v, while other sessions waited", c.pool.cfg.Patience)})
	return true
}

// drain reads the output to its end, so that the agent can end and Wait may be called.
func drain(c adapters.Conn) {
	buf := make([]byte, 32<<10)
	for {
		if _, err := c.Output().Read(buf); err != nil {
			return
		}
	}
}
