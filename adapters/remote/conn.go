package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// Conn is one attached agent. It implements adapters.Conn. It lives longer than the websocket below it: one that is lost is
// opened again, and lines of its own on Output say so.
//
// Goroutines: run, which ends with the connection; beat, one of each websocket, which ends with it; and the closing handshake
// of Stop, which ends after its grace.
type Conn struct {
	dial    func(ctx context.Context) (*link, error)
	pulse   pulse
	retry   retry
	ctx     context.Context // of the whole connection
	cancel  context.CancelFunc
	out     *io.PipeReader
	outEnd  *io.PipeWriter
	passing atomic.Bool   // a message waits for the reader of Output
	passed  atomic.Uint64 // parts of messages that were read or passed on
	done    chan struct{} // closed when the connection has ended
	partial []byte        // of a line, of the writer of Input

	mu      sync.Mutex
	asked   bool   // Stop or Close of the input came first
	link    *link  // nil: lost, and not open again
	opened  int    // how often a lost websocket was opened again
	await   []byte // the line to hear before others are sent, after that; nil: none
	closing sync.Once
	exit    adapters.Exit // valid after done
}

var _ adapters.Conn = (*Conn)(nil)

func newConn(l *link, dial func(ctx context.Context) (*link, error), p pulse, r retry) *Conn {
	c := &Conn{dial: dial, pulse: p, retry: r, link: l, done: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.out, c.outEnd = io.Pipe()
	go c.run(l)
	return c
}

// Output is what the agent says, a line for each message, and a line of httpline when the websocket was lost and when it is open
// again. While it is not read, the agent's messages wait.
func (c *Conn) Output() io.Reader { return c.out }

// Input takes lines and sends each as a message. What is written when the websocket was lost is dropped, until the line by which
// Output said that it is open again is written back: so nothing that was meant for the old websocket gets to the new one.
// Close hangs up.
func (c *Conn) Input() io.WriteCloser { return (*input)(c) }

// Process is not known.
func (c *Conn) Process() (adapters.Process, bool) { return adapters.Process{}, false }

// EndOrphans does nothing: what an attached agent has begun is its own.
func (*Conn) EndOrphans(_, _ time.Time) {}

// Stop hangs up: it says goodbye, and leaves after grace whatever the server does. The agent itself goes on. It returns at once and
// may be called several times.
func (c *Conn) Stop(grace time.Duration) {
	c.mu.Lock()
	c.asked = true
	l := c.link
	c.mu.Unlock()
	if grace <= 0 || l == nil {
		c.hangUp()
		return
	}
	c.closing.Do(func() { go c.goodbye(l, grace) })
}

// hangUp ends everything at once, also a message that nobody reads, a goodbye that nobody answers and the way back.
func (c *Conn) hangUp() {
	c.cancel()
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	if l != nil {
		_ = l.under.Close()
	}
	_ = c.outEnd.Close()
}

// goodbye is the closing handshake, as long as grace lasts.
func (c *Conn) goodbye(l *link, grace time.Duration) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = l.ws.Close(websocket.StatusNormalClosure, "")
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

// run passes messages on until the connection ends.
func (c *Conn) run(l *link) {
	defer close(c.done)
	defer c.cancel()
	away := time.Duration(0) // without a websocket, since one last stood for long enough
	for {
		stood, why := c.serve(l)
		if stood >= c.retry.steady {
			away = 0
		}
		if c.ending() || c.mark(httpline.Stream{State: httpline.Lost, Error: why.Error()}) != nil {
			break
		}
		var err error
		if l, err = c.back(&away); err != nil {
			c.exit = adapters.Exit{Code: -1, Error: fmt.Sprintf("connection to the agent lost: %v; %v", why, err)}
			break
		}
	}
	if c.ending() {
		c.exit = adapters.Exit{Requested: true}
	}
	_ = c.outEnd.Close()
}

// serve passes on the messages of one websocket until it ends.
func (c *Conn) serve(l *link) (stood time.Duration, why error) {
	began := time.Now()
	beating := make(chan struct{})
	go func() {
		defer close(beating)
		c.beat(l)
	}()
	buf := make([]byte, 64<<10)
	for why == nil {
		why = c.message(l, buf)
	}
	stood = time.Since(began)
	c.mu.Lock()
	c.link = nil
	c.mu.Unlock()
	l.cancel()
	_ = l.ws.CloseNow()
	<-beating
	if l.silent.Load() {
		why = fmt.Errorf("no sign of life for %v", c.pulse.within)
	}
	return stood, why
}

func (c *Conn) ending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked
}

// mark writes a line of the connection itself.
func (c *Conn) mark(s httpline.Stream) error {
	return c.pass(append(s.Append(nil), '\n'))
}

// maxWhole is how long a message may be to be passed on in one piece, in bytes.
const maxWhole = 1 << 20

// message passes one message on, as one line. A longer one is passed on as it comes, so one that is cut off in the middle may be
// a line that is no message; of others nothing is said then.
func (c *Conn) message(l *link, buf []byte) error {
	typ, r, err := l.ws.Reader(l.ctx)
	if err != nil {
		return err
	}
	if typ != websocket.MessageText {
		_, err = io.Copy(io.Discard, r)
		return err
	}
	var line []byte
	begun := false
	for {
		n, err := r.Read(buf)
		c.passed.Add(1)
		for i, b := range buf[:n] {
			if b == '\n' || b == '\r' { // white space between the members of a message
				buf[i] = ' '
			}
		}
		line = append(line, buf[:n]...)
		switch {
		case errors.Is(err, io.EOF) && !l.under.ended.Load():
			if !begun {
				line = httpline.Event(line)
			}
			return c.pass(append(line, '\n'))
		case err != nil:
			if begun {
				_ = c.pass([]byte{'\n'})
			}
			return err
		}
		if len(line) >= maxWhole {
			if !begun {
				line = httpline.Event(line)
			}
			if err := c.pass(line); err != nil {
				return err
			}
			begun, line = true, line[:0]
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

// beat asks at intervals whether the server is still there: a connection that is dead without a word would else be taken for
// a silent agent. While its messages are passed on, which may wait for their reader, the answer is not seen: then it means nothing.
func (c *Conn) beat(l *link) {
	ticker := time.NewTicker(c.pulse.every)
	defer ticker.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-ticker.C:
		}
		ctx, cancel := context.WithTimeout(l.ctx, c.pulse.within)
		before := c.passed.Load()
		err := l.ws.Ping(ctx)
		cancel()
		if err != nil && !c.passing.Load() && c.passed.Load() == before {
			l.silent.Store(errors.Is(err, context.DeadlineExceeded))
			_ = l.under.Close()
			return
		}
	}
}

// input is the Conn as its Input.
type input Conn

// Write sends the lines that are complete; the rest waits for its end. It fails when the connection has ended.
func (in *input) Write(b []byte) (int, error) {
	c := (*Conn)(in)
	c.partial = append(c.partial, b...)
	for {
		end := bytes.IndexByte(c.partial, '\n')
		if end < 0 {
			return len(b), nil
		}
		if l := c.takes(c.partial[:end]); l != nil {
			if err := l.ws.Write(l.ctx, websocket.MessageText, c.partial[:end]); err != nil {
				_ = l.under.Close() // lost: what was not sent is known to be, by whoever waits for an answer
			}
		}
		if c.ctx.Err() != nil {
			return 0, errors.New("send to the agent: the connection has ended")
		}
		c.partial = append(c.partial[:0], c.partial[end+1:]...)
	}
}

// takes gives the websocket that a line goes to; nil: none.
func (c *Conn) takes(line []byte) *link {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.link == nil, httpline.Is(line) && !bytes.Equal(line, c.await):
		return nil
	case c.await == nil:
		return c.link
	case bytes.Equal(line, c.await):
		c.await = nil
	}
	return nil
}

// Close hangs up with a goodbye.
func (in *input) Close() error {
	(*Conn)(in).Stop(closeGrace)
	return nil
}

// closeGrace is how long a server may take to say goodbye.
const closeGrace = 2 * time.Second
