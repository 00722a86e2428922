// Package bridge carries MCP between standard input and output, as hosts start servers, and the daemon's /mcp. Clients of both eras go
// through it, each message as it is. Of what is said it remembers what a client at a pipe, which does not see that its daemon was started
// again, cannot say again: its opening, what it subscribed to, what is pushed to it and which tools it offers.
package bridge

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// Daemon sends one request to the daemon's /mcp, with a header that it may change, and gives the answer as it came.
type Daemon func(ctx context.Context, method string, header http.Header, body []byte) (*http.Response, error)

const (
	maxLine   = 64 << 20 // bytes
	maxCalls  = 256      // at work; further lines wait
	leaveTime = 5 * time.Second

	settleTime = time.Second
)

// Run carries messages until in ends, and returns nil then; or until ctx is done, or in or out fails.
func Run(ctx context.Context, daemon Daemon, in io.Reader, out, log io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	b := &bridge{
		daemon: daemon, log: log, cancel: cancel, slots: make(chan struct{}, maxCalls), calls: map[string]context.CancelFunc{},
		out: out,
	}
	err := b.read(ctx, in)
	cancel(context.Canceled)
	b.wg.Wait()
	b.leave()
	var broken *outputError
	if errors.As(context.Cause(ctx), &broken) {
		return broken
	}
	return err
}

// outputError is why nothing can be told any more.
type outputError struct{ err error }

func (e *outputError) Error() string { return "write to the MCP client: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

type bridge struct {
	daemon Daemon
	log    io.Writer
	cancel context.CancelCauseFunc
	slots  chan struct{}
	wg     sync.WaitGroup

	writing sync.Mutex
	out     io.Writer

	reviving sync.Mutex

	mu      sync.Mutex
	session string // of the old era; empty: none yet
	version string // that was negotiated
	hello   []byte // initialize, as the client said it
	memory  memory
	calls   map[string]context.CancelFunc // of the new era, by their id
}

func (b *bridge) read(ctx context.Context, in io.Reader) error {
	lines, failed := make(chan []byte), make(chan error, 1)
	go func() { // ends with in; the program ends before it where that stays open
		s := bufio.NewScanner(in)
		s.Buffer(make([]byte, 64<<10), maxLine)
		for s.Scan() {
			select {
			case lines <- append([]byte(nil), s.Bytes()...):
			case <-ctx.Done():
				return
			}
		}
		failed <- s.Err()
	}()
	for {
		select {
		case line := <-lines:
			b.take(ctx, line)
		case err := <-failed:
			if err != nil {
				return fmt.Errorf("read from the MCP client: %w", err)
			}
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// take passes one message on: what others may depend on in order, the rest at once.
func (b *bridge) take(ctx context.Context, line []byte) {
	m, err := parse(line)
	if err != nil {
		b.complain("a line of the client is no message: %v", err)
		return
	}
	switch {
	case m.empty:
	case m.cancels != "" && b.give(m.cancels): // a call of the new era is cancelled by leaving it
	case m.call && m.Method != initialize:
		ctx, done := b.begin(ctx, m)
		begun := make(chan struct{})
		if m.modern() && m.Method == listen {
			m.begun = sync.OnceFunc(func() { close(begun) })
		}
		select {
		case b.slots <- struct{}{}:
		case <-ctx.Done():
			done()
			return
		}
		b.wg.Go(func() { // ends with the answer, or with ctx
			defer func() { <-b.slots }()
			defer done()
			if m.begun != nil {
				defer m.begun() // it was refused
			}
			b.pass(ctx, m)
		})
		if m.begun != nil { // what the client says next may change what it has subscribed to
			b.settle(ctx, begun)
		}
	default:
		b.pass(ctx, m)
		if m.Method == initialized {
			tried := make(chan struct{})
			b.wg.Go(func() { b.listen(ctx, tried) }) // ends with ctx
			b.settle(ctx, tried)
		}
	}
}

// settle waits for the stream of notifications: what the client says next may ask whether pushes arrive.
func (b *bridge) settle(ctx context.Context, tried <-chan struct{}) {
	limit := time.NewTimer(settleTime)
	defer limit.Stop()
	select {
	case <-tried:
	case <-limit.C:
	case <-ctx.Done():
	}
}

// begin makes a call of the new era one that can be given up.
func (b *bridge) begin(ctx context.Context, m *message) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	if !m.modern() {
		return ctx, cancel
	}
	id := string(m.ID)
	b.mu.Lock()
	b.calls[id] = cancel
	b.mu.Unlock()
	return ctx, func() {
		cancel()
		b.mu.Lock()
		delete(b.calls, id)
		b.mu.Unlock()
	}
}

func (b *bridge) give(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	cancel, ok := b.calls[id]
	if ok {
		cancel()
	}
	return ok
}

// say writes one message to the client. If that fails, everything ends.
func (b *bridge) say(message []byte) {
	b.writing.Lock()
	defer b.writing.Unlock()
	if _, err := b.out.Write(append(message, '\n')); err != nil {
		b.cancel(&outputError{err})
	}
}

func (b *bridge) complain(format string, args ...any) {
	b.writing.Lock()
	defer b.writing.Unlock()
	_, _ = fmt.Fprintf(b.log, "ringmaster mcp: "+format+"\n", args...)
}

// leave ends the MCP session of the old era.
func (b *bridge) leave() {
	if b.session == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if resp, err := b.daemon(ctx, http.MethodDelete, b.header(nil), nil); err == nil {
		_ = resp.Body.Close()
	}
}
