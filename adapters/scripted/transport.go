package scripted

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Transport runs scripted agents as goroutines of the calling process, with the semantics of real ones: bounded pipes,
// a Stop that first asks and then kills, one Exit. It starts nothing and reads no clock but that of package time, so that
// tests of everything above it run in a synctest bubble.
type Transport struct {
	// Script is the JSON of the script; nil: that of --script in the arguments, else the echo.
	Script []byte
	// Sessions is where the agents find their sessions again; nil: where the arguments say.
	Sessions Sessions
	// Seed makes ids repeatable; 0: they are random.
	Seed uint64
	// Failure, when not nil, is what Start returns: a program that cannot be started.
	Failure error
}

var _ adapters.Transport = Transport{}

// Start runs an agent. Of launch, the arguments, the folder and the MCP server's token count; the program must be there, but is not used.
func (t Transport) Start(ctx context.Context, launch adapters.Launch) (adapters.Conn, error) {
	if err := errors.Join(ctx.Err(), t.Failure); err != nil {
		return nil, err
	}
	args := launch.Args
	if len(args) > 0 && args[0] == Subcommand {
		args = args[1:]
	}
	life, kill := context.WithCancel(context.Background())
	c := &conn{in: newPipe(), out: newPipe(), kill: kill, terminate: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(c.done)
		end := Run(life, Options{
			Args: args, Stdin: reader{c.in}, Stdout: writer{c.out}, Stderr: &c.stderr, Cwd: launch.Dir, Env: launch.Env, Script: t.Script,
			Terminate: c.terminate, Sessions: t.Sessions, Seed: t.Seed,
		})
		c.ended(end)
	}()
	return c, nil
}

// conn is one agent in a goroutine.
type conn struct {
	in, out   *pipe
	kill      context.CancelFunc
	terminate chan struct{}
	done      chan struct{}
	exit      adapters.Exit // valid after done
	stderr    lastLines

	mu        sync.Mutex
	over      bool
	requested bool
	asked     bool // terminate is closed
	killAt    time.Time
	timers    []*time.Timer
}

// Output is what the agent says.
func (c *conn) Output() io.Reader { return reader{c.out} }

// Input is what the agent hears.
func (c *conn) Input() io.WriteCloser { return writer{c.in} }

// Process says that there is none.
func (c *conn) Process() (adapters.Process, bool) { return adapters.Process{}, false }

// Wait returns how the agent ended.
func (c *conn) Wait() adapters.Exit {
	<-c.done
	return c.exit
}

// EndOrphans does nothing: there are no processes.
func (*conn) EndOrphans(_, _ time.Time) {}

// Stop ends the agent as the process transport does: stdin at once, SIGTERM after a quarter of the grace, SIGKILL at its
// end.
func (c *conn) Stop(grace time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	c.requested = true
	if grace <= 0 {
		c.end() // before its stdin: it must not come to an end in order
	}
	_ = writer{c.in}.Close()
	if grace <= 0 {
		return
	}
	killAt := time.Now().Add(grace)
	if !c.killAt.IsZero() && !killAt.Before(c.killAt) {
		return
	}
	c.killAt = killAt
	c.stopTimers()
	c.timers = []*time.Timer{time.AfterFunc(grace/4, c.term), time.AfterFunc(grace, c.end)}
}

func (c *conn) term() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.asked {
		c.asked = true
		close(c.terminate)
	}
}

// end kills: the agent neither says nor keeps anything more, and a write that blocks fails.
func (c *conn) end() {
	c.kill()
	_ = writer{c.out}.Close()
}

func (c *conn) stopTimers() {
	for _, t := range c.timers {
		t.Stop()
	}
	c.timers = nil
}

// ended makes the one Exit.
func (c *conn) ended(end Exit) {
	c.mu.Lock()
	c.over = true
	c.stopTimers()
	requested := c.requested
	c.mu.Unlock()
	c.kill()
	c.exit = adapters.Exit{Code: end.Code, Requested: requested, Stderr: c.stderr.lines()}
	switch {
	case end.Code == killedCode:
		c.exit.Signal = "killed"
	case end.Signal != 0:
		c.exit.Code, c.exit.Signal = -1, end.Signal.String()
	}
	_ = writer{c.out}.Close()
	_ = reader{c.in}.Close()
}

// lastLines keeps the last lines of stderr.
type lastLines struct {
	mu   sync.Mutex
	kept []byte
}

const keptStderr = 4 << 10

func (l *lastLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, p...)
	if extra := len(l.kept) - keptStderr; extra > 0 {
		l.kept = append(l.kept[:0], l.kept[extra:]...)
	}
	return len(p), nil
}

func (l *lastLines) lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(l.kept), "\n"), "\n")
}
