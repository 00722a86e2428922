package process

import (
	"io"
	"sync"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Conn is one agent process. It implements adapters.Conn.
//
// Goroutines: supervise, which ends with the process and closes done; the drain of stderr, which ends with its pipe and
// at the latest when supervise says so.
type Conn struct {
	child  child
	id     adapters.Process
	mark   mark
	cgroup *cgroup // nil: none of its own
	kin    kin
	delay  time.Duration
	input  *input
	output *output
	errOut *output
	stderr tail
	quiet  chan struct{} // closed when stderr has ended
	done   chan struct{} // closed when nothing of the agent is left
	exit   adapters.Exit // valid after done

	mu        sync.Mutex
	requested bool
	dead      bool // the process was seen dead
	reaped    bool // its pid may belong to somebody else
	killAt    time.Time
	timers    []*time.Timer
}

var _ adapters.Conn = (*Conn)(nil)

func newConn(b born, p pipes, delay time.Duration) *Conn {
	c := &Conn{
		mark:   b.mark,
		cgroup: b.cgroup,
		delay:  delay,
		input:  &input{file: p.stdin.write},
		output: newOutput(p.stdout.read),
		errOut: newOutput(p.stderr.read),
		quiet:  make(chan struct{}),
		done:   make(chan struct{}),
	}
	// The child cannot be reaped before supervise runs, so the start time is that of our child.
	pid := b.cmd.Process.Pid
	start, _ := startTime(pid)
	c.id = adapters.Process{PID: pid, StartTime: start, Marker: b.marker}
	c.child = newChild(b.cmd)
	agents.enter(c)
	c.output.heard = agents.heard
	go func() {
		defer close(c.quiet)
		c.stderr.drain(c.errOut)
		c.child.stir()
	}()
	go c.supervise()
	return c
}

// Output is what the agent says, straight from its pipe: while it is not read, the agent blocks in its writes.
func (c *Conn) Output() io.Reader { return c.output }

// Input is what the agent hears. A write blocks while the agent does not read, and fails once it is gone; Close may be
// called at any time and any number of times, and ends a blocked write.
func (c *Conn) Input() io.WriteCloser { return c.input }

// Process identifies the process.
func (c *Conn) Process() (adapters.Process, bool) { return c.id, true }

// Stderr returns the last lines that the agent said on stderr so far, fit to be shown.
func (c *Conn) Stderr() []string { return c.stderr.lines() }

// Wait returns how the agent ended. It blocks until nothing of it is left.
func (c *Conn) Wait() adapters.Exit {
	<-c.done
	c.output.release()
	return c.exit
}

// Stop ends the agent as the package's documentation says. It returns at once and may be called any number of times; a
// call that leaves less time than the ones before hurries. A grace of zero or less kills.
func (c *Conn) Stop(grace time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead {
		return
	}
	c.requested = true
	_ = c.input.Close()
	if grace <= 0 {
		c.signalGroup(syscall.SIGKILL)
		return
	}
	killAt := time.Now().Add(grace)
	if !c.killAt.IsZero() && !killAt.Before(c.killAt) {
		return
	}
	c.killAt = killAt
	c.stopTimers()
	c.timers = []*time.Timer{
		time.AfterFunc(grace/4, func() { c.signal(syscall.SIGTERM) }),
		time.AfterFunc(grace, func() { c.signal(syscall.SIGKILL) }),
	}
}

func (c *Conn) signal(sig syscall.Signal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.signalGroup(sig)
}

// signalGroup signals the agent's group unless it may be somebody else's by now. mu is held.
func (c *Conn) signalGroup(sig syscall.Signal) {
	if !c.reaped {
		_ = syscall.Kill(-c.id.PID, sig)
	}
}

// stopTimers stops what Stop has set up. mu is held.
func (c *Conn) stopTimers() {
	for _, t := range c.timers {
		t.Stop()
	}
	c.timers = nil
}

// supervise waits for the agent's death, ends what it left, and makes the one Exit of it all.
func (c *Conn) supervise() {
	defer close(c.done)
	c.child.awaitDeath()
	deadline := time.Now().Add(c.delay)

	c.mu.Lock()
	c.dead = true
	requested := c.requested
	c.stopTimers()
	c.signalGroup(syscall.SIGTERM) // launchers leave the real agent behind, in their group
	c.mu.Unlock()
	_ = c.input.Close()

	sweep(func() []found { return c.left(processes.take()) }, deadline)
	c.cgroup.end() // with what has begun others faster than the sweep could see
	c.awaitPipes(deadline)
	c.signal(syscall.SIGKILL)

	c.mu.Lock()
	end := c.child.reap()
	c.reaped = true
	c.mu.Unlock()
	agents.leave(c)

	<-c.quiet
	c.errOut.release()
	c.exit = adapters.Exit{Requested: requested, Stderr: c.stderr.lines()}
	describe(&c.exit, end, c.output.failure())
}

// left are the processes that a dead but not yet reaped agent left behind.
func (c *Conn) left(table []found) []found {
	return below(table, func(f found) bool { return c.knows(f) || agents.nobodys(c, f) })
}

// knows says that a process is the agent's by what the process itself carries, or that it was seen below it.
func (c *Conn) knows(f found) bool {
	return f.group == c.id.PID || c.id.Marker != "" && f.marker == c.id.Marker || c.mark != 0 && f.mark == c.mark || c.cgroup.holds(f) || c.kin.has(f)
}

// awaitPipes waits until both pipes have ended, at most until the deadline, and then makes them end with what they hold.
// A reader that is late loses nothing by it.
func (c *Conn) awaitPipes(deadline time.Time) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	for _, ended := range []<-chan struct{}{c.quiet, c.output.ended} {
		select {
		case <-ended:
		case <-timer.C:
			c.errOut.hurry()
			c.output.hurry()
			return
		}
	}
}

// ending is what the system says of a child that was reaped.
type ending struct {
	status syscall.WaitStatus // without err
	err    error              // there is no status
}

// describe puts the end of the process into the exit.
func describe(exit *adapters.Exit, end ending, readErr error) {
	exit.Code = -1
	switch {
	case end.err != nil:
		exit.Error = "wait for agent: " + end.err.Error()
	case end.status.Signaled():
		exit.Signal = end.status.Signal().String()
	default:
		exit.Code = end.status.ExitStatus()
	}
	if readErr != nil && exit.Error == "" {
		exit.Error = "read agent output: " + readErr.Error()
	}
}
