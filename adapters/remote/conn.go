package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Conn is one attached agent. It implements adapters.Conn.
//
// Goroutines: read, which ends with the websocket; beat, which ends with read; and the closing handshake of Stop, which ends
// after its grace.
type Conn struct {
	ws      *websocket.Conn
	under   net.Conn // below it
	pulse   pulse
	ctx     context.Context // of the whole connection
	cancel  context.CancelFunc
	out     *io.PipeReader
	outEnd  *io.PipeWriter
	passing atomic.Bool   // a message waits for the reader of Output
	passed  atomic.Uint64 // parts of messages that were passed on
	done    chan struct{} // closed when the websocket has ended

	mu      sync.Mutex
	asked   bool  // Stop or Close of the input came first
	silent  bool  // the server did not answer
	problem error // why a write failed
	partial []byte
	closing sync.Once
	exit    adapters.Exit // valid after done
}

var _ adapters.Conn = (*Conn)(nil)

func newConn(ws *websocket.Conn, under net.Conn, p pulse) *Conn {
	ws.SetReadLimit(-1) // messages are passed on as they come; the reader of lines has a limit
	c := &Conn{ws: ws, under: under, pulse: p, done: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.out, c.outEnd = io.Pipe()
	go c.read()
	go c.beat()
	return c
}

// Output is what the agent says, a line for each message. While it is not read, the agent's messages wait.
func (c *Conn) Output() io.Reader { return c.out }

// Input takes lines and sends each as a message. Close hangs up.
func (c *Conn) Input() io.WriteCloser { return (*input)(c) }

// Process is not known.
func (c *Conn) Process() (adapters.Process, bool) { return adapters.Process{}, false }

// Stop hangs up: it says goodbye, and leaves after grace whatever the server does. The agent itself goes on. It returns at once and
// may be called several times.
func (c *Conn) Stop(grace time.Duration) {
	c.mu.Lock()
	c.asked = true
	c.mu.Unlock()
	if grace <= 0 {
		c.hangUp()
		return
	}
	c.closing.Do(func() { go c.goodbye(grace) })
}

// hangUp ends everything at once, also a message that nobody reads and a goodbye that nobody answers.
func (c *Conn) hangUp() {
	c.cancel()
	_ = c.under.Close()
	_ = c.outEnd.Close()
}

// goodbye is the closing handshake, as long as grace lasts.
func (c *Conn) goodbye(grace time.Duration) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = c.ws.Close(websocket.StatusNormalClosure, "")
	}()
	select {
	case <-over:
	case <-c.done:
	case <-timer.C:
	}
	c.hangUp()
	<-over
}

// Wait returns how the connection ended.
func (c *Conn) Wait() adapters.Exit {
	<-c.done
	return c.exit
}

// read passes messages on until the websocket ends.
func (c *Conn) read() {
	defer close(c.done)
	defer c.cancel()
	var err error
	buf := make([]byte, 64<<10)
	for err == nil {
		err = c.message(buf)
	}
	_ = c.ws.CloseNow()
	c.exit = c.end(err)
	_ = c.outEnd.Close()
}

// message passes one message on, as it comes, as one line.
func (c *Conn) message(buf []byte) error {
	typ, r, err := c.ws.Reader(c.ctx)
	if err != nil {
		return err
	}
	if typ != websocket.MessageText {
		_, err = io.Copy(io.Discard, r)
		return err
	}
	for {
		n, err := r.Read(buf)
		for i, b := range buf[:n] {
			if b == '\n' || b == '\r' { // white space between the members of a message
				buf[i] = ' '
			}
		}
		if errors.Is(err, io.EOF) {
			return c.pass(append(buf[:n:n], '\n'))
		}
		if passed := c.pass(buf[:n]); passed != nil {
			return passed
		}
		if err != nil {
			return err
		}
	}
}

func (c *Conn) pass(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	c.passing.Store(true)
	_, err := c.outEnd.Write(b)
	c.passed.Add(1)
	c.passing.Store(false)
	return err
}

// end makes the one Exit of all that may have ended the connection.
func (c *Conn) end(err error) adapters.Exit {
	c.mu.Lock()
	defer c.mu.Unlock()
	exit := adapters.Exit{Requested: c.asked}
	switch status := websocket.CloseStatus(err); {
	case c.asked, status == websocket.StatusNormalClosure, status == websocket.StatusGoingAway:
		return exit
	case c.silent:
		err = fmt.Errorf("no sign of life for %v", c.pulse.within)
	case c.problem != nil:
		err = c.problem
	}
	exit.Code, exit.Error = -1, "connection to the agent lost: "+err.Error()
	return exit
}

// beat asks at intervals whether the server is still there: a connection that is dead without a word would else be taken for
// a silent agent. While its messages are passed on, which may wait for their reader, the answer is not seen: then it means nothing.
func (c *Conn) beat() {
	ticker := time.NewTicker(c.pulse.every)
	defer ticker.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-ticker.C:
		}
		ctx, cancel := context.WithTimeout(c.ctx, c.pulse.within)
		before := c.passed.Load()
		err := c.ws.Ping(ctx)
		cancel()
		if err != nil && !c.passing.Load() && c.passed.Load() == before {
			c.mu.Lock()
			c.silent = errors.Is(err, context.DeadlineExceeded)
			c.mu.Unlock()
			_ = c.under.Close()
			return
		}
	}
}

// input is the Conn as its Input.
type input Conn

// Write sends the lines that are complete; the rest waits for its end.
func (in *input) Write(b []byte) (int, error) {
	c := (*Conn)(in)
	c.partial = append(c.partial, b...)
	for {
		end := bytes.IndexByte(c.partial, '\n')
		if end < 0 {
			return len(b), nil
		}
		if err := c.ws.Write(c.ctx, websocket.MessageText, c.partial[:end]); err != nil {
			err = fmt.Errorf("send to the agent: %w", err)
			c.mu.Lock()
			c.problem = err
			c.mu.Unlock()
			return 0, err
		}
		c.partial = append(c.partial[:0], c.partial[end+1:]...)
	}
}

// Close hangs up with a goodbye.
func (in *input) Close() error {
	(*Conn)(in).Stop(closeGrace)
	return nil
}

// closeGrace is how long a server may take to say goodbye.
const closeGrace = 2 * time.Second
