package server

import (
	"bufio"
	"context"
	"io"
	"regexp"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// conn is a connection to a server, as lines: events and answers out, calls in.
//
// Goroutines, all of which have ended when Wait returns: drain reads what a started server says on its standard output, and
// ends with it; supervise waits for the end of the server or of the connection, and then for the others; listen reads the
// stream of events; take reads the calls, each of which has one of its own.
type conn struct {
	server  server
	process adapters.Conn // nil: it runs already
	order   Order
	path    string       // of the stream
	first   *eventStream // the stream that Connect opened

	address chan string   // where the server listens
	drained chan struct{} // closed when the standard output of the server has ended; never without one
	stopped chan struct{} // closed when the connection to a server that runs on is to end
	failed  chan struct{} // closed when the server cannot be heard any more
	ended   chan struct{} // closed when nothing more comes

	lines  chan []byte
	output output
	input  *io.PipeWriter
	calls  *io.PipeReader

	work   sync.WaitGroup
	ctx    context.Context // of all calls and of the stream
	cancel context.CancelFunc
	hear   context.Context // of the stream
	deaf   context.CancelFunc

	mu        sync.Mutex
	requested bool
	linger    time.Duration
	problem   string // why the connection failed
}

var _ adapters.Conn = (*conn)(nil)

// maxLines is how many lines may wait for the reader of Output.
const maxLines = 64

func newConn(process adapters.Conn, order Order) *conn {
	c := &conn{
		process: process, order: order, linger: lingerFor,
		address: make(chan string, 1), drained: make(chan struct{}), stopped: make(chan struct{}), failed: make(chan struct{}),
		ended: make(chan struct{}), lines: make(chan []byte, maxLines),
	}
	c.calls, c.input = io.Pipe()
	c.output.lines = c.lines
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.hear, c.deaf = context.WithCancel(c.ctx)
	if process != nil {
		go c.drain()
	}
	return c
}

// listening is the line by which a server says where.
var listening = regexp.MustCompile(`listening on (https?://\S+)`)

// drain reads what the server says on its standard output, so that it never blocks on it.
func (c *conn) drain() {
	defer close(c.drained)
	r := bufio.NewReader(c.process.Output())
	for {
		line, err := r.ReadSlice('\n')
		if m := listening.FindSubmatch(line); m != nil {
			select {
			case c.address <- string(m[1]):
			default:
			}
		}
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
	}
}

// run begins the work.
func (c *conn) run() {
	c.work.Add(2)
	go c.listen()
	go c.take()
	go c.supervise()
}

// supervise ends the connection when the server has ended, when it cannot be heard any more, and when it is asked to.
func (c *conn) supervise() {
	select {
	case <-c.drained:
	case <-c.failed:
		if c.process != nil {
			c.process.Stop(lingerFor)
		}
	case <-c.stopped:
		c.deaf()
	}
	_ = c.input.Close()
	c.mu.Lock()
	timer := time.AfterFunc(c.linger, c.cancel)
	c.mu.Unlock()
	c.work.Wait()
	timer.Stop()
	c.cancel()
	c.server.client.CloseIdleConnections()
	close(c.lines)
	close(c.ended)
}

// ending says that no stream is opened again.
func (c *conn) ending() bool {
	select {
	case <-c.drained:
	case <-c.stopped:
	case <-c.hear.Done():
	default:
		return false
	}
	return true
}

// say gives a line to the reader of Output. It gives up when the connection does.
func (c *conn) say(line []byte) {
	select {
	case c.lines <- append(line, '\n'):
	case <-c.ctx.Done():
	}
}

// fail ends the connection because of a fault.
func (c *conn) fail(problem string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.problem == "" {
		c.problem = problem
		close(c.failed)
	}
}

// Output is events, answers and states of the stream.
func (c *conn) Output() io.Reader { return &c.output }

// Input takes calls. A write blocks while too many are not answered.
func (c *conn) Input() io.WriteCloser { return c.input }

// Process identifies the server, where it was started.
func (c *conn) Process() (adapters.Process, bool) {
	if c.process == nil {
		return adapters.Process{}, false
	}
	return c.process.Process()
}

// EndOrphans is of the server, where it was started.
func (c *conn) EndOrphans(since, until time.Time) {
	if c.process != nil {
		c.process.EndOrphans(since, until)
	}
}

// Stop ends the server, where it was started. Calls that were written are still made: the server is asked to end a quarter
// of the grace later. A connection to a server that runs on is ended when they are answered, at the latest after grace.
func (c *conn) Stop(grace time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.requested
	c.requested = true
	if c.process != nil {
		c.process.Stop(grace)
		return
	}
	c.linger = max(0, grace)
	if first {
		close(c.stopped)
	}
	if grace <= 0 {
		c.cancel()
	}
}

// Wait returns how the connection ended; for a server that was started, how that did.
func (c *conn) Wait() adapters.Exit {
	<-c.ended
	var exit adapters.Exit
	if c.process != nil {
		<-c.drained
		exit = c.process.Wait()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	exit.Requested = c.requested
	if c.problem != "" && !c.requested {
		exit.Code, exit.Error = -1, c.problem
	}
	return exit
}

// abandon ends what Connect has begun.
func (c *conn) abandon(err *ConnectError) error {
	c.cancel()
	c.deaf()
	if c.first != nil {
		c.first.silent.Stop()
		_ = c.first.body.Close()
	}
	if c.server.client != nil {
		c.server.client.CloseIdleConnections()
	}
	if c.process != nil {
		c.process.Stop(0)
		<-c.drained
		err.Stderr = c.process.Wait().Stderr
	}
	return err
}

// output reads the lines.
type output struct {
	lines <-chan []byte
	rest  []byte
}

// Read blocks until there is a line.
func (o *output) Read(p []byte) (int, error) {
	if len(o.rest) == 0 {
		line, ok := <-o.lines
		if !ok {
			return 0, io.EOF
		}
		o.rest = line
	}
	n := copy(p, o.rest)
	for o.rest = o.rest[n:]; len(o.rest) == 0 && n < len(p); {
		select {
		case line, ok := <-o.lines:
			if !ok {
				return n, nil
			}
			m := copy(p[n:], line)
			n, o.rest = n+m, line[m:]
		default:
			return n, nil
		}
	}
	return n, nil
}
