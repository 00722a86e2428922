package connection

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// lane is one session's part of a connection. It implements Family.
type lane struct {
	c       *connection
	session string // of a sub-agent: empty
	parent  *lane
	native  string // of a sub-agent
	queue   *queue
	input   input
	born    chan struct{} // closed when id is valid
	done    chan struct{} // closed when exit is valid

	// With connection.mu.
	id        adapters.Lane // 0: not born yet
	claimed   bool          // a sub-agent's session has it
	over      bool          // nothing more comes
	requested bool          // it was stopped
	said      time.Time     // the first word to the agent since the line heard
	heard     uint64        // lines of the connection when it was said
	exit      adapters.Exit
}

func newLane(c *connection, session string) *lane {
	l := &lane{c: c, session: session, queue: newQueue(), born: make(chan struct{}), done: make(chan struct{})}
	l.input = input{lane: l, closed: make(chan struct{})}
	return l
}

// begin gives it its place in the connection. With connection.mu held.
func (l *lane) begin(id adapters.Lane) {
	l.id = id
	l.c.lanes[id] = l
	close(l.born)
}

// under says whether a lane is a child of another, or a child's child.
func (l *lane) under(other *lane) bool {
	for p := l.parent; p != nil; p = p.parent {
		if p == other {
			return true
		}
	}
	return false
}

// Output is what the agent says to this session. It ends with the lane.
func (l *lane) Output() io.Reader { return l.queue }

// Input takes lines for the agent. A write blocks while the agent does not read.
func (l *lane) Input() io.WriteCloser { return &l.input }

// Process is that of the whole connection.
func (l *lane) Process() (adapters.Process, bool) { return l.c.conn.Process() }

// Wait returns how the lane ended. Where the connection ends with it, nothing of the process is left then.
func (l *lane) Wait() adapters.Exit {
	<-l.done
	return l.exit
}

// Stop ends the lane; the last session's ends the connection with this grace. It returns at once.
func (l *lane) Stop(grace time.Duration) {
	c := l.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.over {
		if slices.Contains(c.waiting, l) { // the lane waits for the connection's end, which may now have a shorter grace
			c.conn.Stop(grace)
		}
		return
	}
	l.requested = true
	if l.parent == nil && c.roots > 1 && c.deaf(l) {
		c.pool.cfg.Log.Warn("agent does not answer", zap.String("agent", c.agent), zap.String("session", l.session))
		c.giveUp("the agent did not answer any more")
	}
	if l.parent != nil || c.roots > 1 {
		c.leave(l, adapters.Exit{Requested: true})
		return
	}
	c.guard(func() { c.splitter.Leave(l.id, &c.split) })
	c.shut(grace)
	for _, other := range c.family(l) { // they end with the connection
		other.requested = true
		c.retire(other)
	}
}

// EndOrphans ends orphans only for a session that is alone on its connection with its sub-agents: otherwise they may be of another session's commands.
func (l *lane) EndOrphans(since, until time.Time) {
	c := l.c
	c.mu.Lock()
	alone := l.parent == nil && c.roots == 1
	c.mu.Unlock()
	if alone {
		c.conn.EndOrphans(since, until)
	}
}

// deaf says that the agent says nothing at all any more, although the lane spoke to it a good while ago. With mu held.
func (c *connection) deaf(l *lane) bool {
	return !l.said.IsZero() && l.heard == c.heard && c.pool.cfg.Now().Sub(l.said) >= deafAfter
}

// end ends a lane now. With mu held.
func (c *connection) end(l *lane, exit adapters.Exit) {
	if l.over {
		return
	}
	c.remove(l)
	if l.requested {
		exit.Requested = true
	}
	l.exit = exit
	close(l.done)
}

// retire ends a lane's output, and the lane itself with the connection. With mu held.
func (c *connection) retire(l *lane) {
	if l.over {
		return
	}
	c.remove(l)
	if c.over {
		l.gone(c.exit)
		return
	}
	c.waiting = append(c.waiting, l)
}

// remove takes a lane out. With mu held.
func (c *connection) remove(l *lane) {
	l.over = true
	if c.lanes[l.id] == l {
		delete(c.lanes, l.id)
	}
	if l.parent == nil {
		c.roots--
	}
	for k, other := range c.children {
		if k.parent == l.id || other == l && l.claimed {
			delete(c.children, k)
		}
	}
	l.queue.end()
}

// gone tells a lane how its connection ended. With mu held.
func (l *lane) gone(exit adapters.Exit) {
	if l.requested && !exit.Requested {
		exit.Requested, exit.Error = true, ""
	}
	l.exit = exit
	close(l.done)
}

// input cuts the session's writes into lines.
type input struct {
	lane   *lane
	once   sync.Once
	closed chan struct{}

	mu   sync.Mutex // of writes
	part []byte     // of a line without its end
}

var errLaneEnded = errors.New("the session's part of the connection has ended")

// Write takes whole lines; a part of one waits for its rest.
func (i *input) Write(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := 0
	for {
		line, _, whole := bytes.Cut(p[n:], []byte{'\n'})
		if !whole {
			i.part = append(i.part, line...)
			return len(p), nil
		}
		n += len(line) + 1
		if len(i.part) > 0 {
			i.part = append(i.part, line...)
			line = i.part
		}
		err := i.lane.say(line)
		if i.part = i.part[:0]; cap(i.part) > maxIdle {
			i.part = nil
		}
		if err != nil {
			return n, err
		}
	}
}

// Close ends the writes. The agent hears nothing of it: others speak to it as well.
func (i *input) Close() error {
	i.once.Do(func() { close(i.closed) })
	return nil
}

// say hands a line to the splitter and waits while the agent does not read.
func (l *lane) say(line []byte) error {
	select {
	case <-l.born:
	case <-l.input.closed:
		return errLaneEnded
	case <-l.done:
		return errLaneEnded
	}
	c := l.c
	c.mu.Lock()
	if l.over {
		c.mu.Unlock()
		return errLaneEnded
	}
	if l.said.IsZero() || l.heard != c.heard {
		l.said, l.heard = c.pool.cfg.Now(), c.heard
	}
	c.guard(func() { c.splitter.Say(l.id, line, &c.split) })
	c.mu.Unlock()
	for {
		full := c.writer.full()
		if full == nil {
			return nil
		}
		select {
		case <-full:
		case <-l.input.closed:
			return errLaneEnded
		case <-l.done:
			return errLaneEnded
		}
	}
}
