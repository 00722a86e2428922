package server

import (
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// Bounds of the calls that are not answered.
const (
	maxCalls = 32
	maxLater = 1024 // that wait before they are made
)

// Order names what the call of a path changes; empty: nothing, or nothing that matters to others.
type Order func(path string) string

// callQueue orders calls. Those that change the same thing are made one after the other, as they were written: a prompt and an
// abort must not overtake each other.
type callQueue struct {
	order Order
	slots chan struct{} // calls that are being made, or wait for those before them
	later chan struct{} // calls that wait for their time
	tails map[string]chan struct{}
}

// take reads calls and makes them.
func (c *conn) take() {
	defer c.work.Done()
	defer c.calls.Close()
	q := callQueue{order: c.order, slots: make(chan struct{}, maxCalls), later: make(chan struct{}, maxLater), tails: map[string]chan struct{}{}}
	r := lineReader{r: c.calls}
	for {
		line, err := r.next()
		if err != nil {
			return
		}
		l, _ := httpline.Parse(line)
		call, ok := l.(*httpline.Call)
		if !ok {
			continue
		}
		call.Body = append([]byte(nil), call.Body...)
		if !c.begin(&q, call) {
			return
		}
	}
}

// begin gives a call its place; false: the connection has ended.
func (c *conn) begin(q *callQueue, call *httpline.Call) bool {
	if call.AfterMs > 0 {
		select {
		case q.later <- struct{}{}:
			c.work.Add(1)
			go c.makeLater(q, call)
		default: // so many wait already that this one does not
			call.AfterMs = 0
			return c.begin(q, call)
		}
		return true
	}
	select {
	case q.slots <- struct{}{}:
	case <-c.ctx.Done():
		return false
	}
	before, done := q.behind(call)
	c.work.Add(1)
	go c.make(q, call, before, done)
	return true
}

// behind gives what a call has to wait for, nil for nothing, and what to close when it is answered.
func (q *callQueue) behind(call *httpline.Call) (before <-chan struct{}, done chan struct{}) {
	done = make(chan struct{})
	changed := q.order(call.Path)
	if call.Method == http.MethodGet || changed == "" {
		return nil, done
	}
	if len(q.tails) > maxLater {
		for key, tail := range q.tails {
			select {
			case <-tail:
				delete(q.tails, key)
			default:
			}
		}
	}
	if tail := q.tails[changed]; tail != nil {
		before = tail
	}
	q.tails[changed] = done
	return before, done
}

// make makes a call and gives its answer.
func (c *conn) make(q *callQueue, call *httpline.Call, before <-chan struct{}, done chan struct{}) {
	defer c.work.Done()
	defer func() { <-q.slots }()
	defer close(done)
	if before != nil {
		select {
		case <-before:
		case <-c.ctx.Done():
			return
		}
	}
	c.say(c.server.call(c.ctx, call).Append(nil))
}

// makeLater waits for a call's time, makes it and gives its answer. What waits when the connection ends is not made.
func (c *conn) makeLater(q *callQueue, call *httpline.Call) {
	defer c.work.Done()
	defer func() { <-q.later }()
	timer := time.NewTimer(time.Duration(call.AfterMs) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.hear.Done():
		return
	case <-c.drained:
		return
	}
	select {
	case q.slots <- struct{}{}:
	case <-c.ctx.Done():
		return
	}
	defer func() { <-q.slots }()
	c.say(c.server.call(c.ctx, call).Append(nil))
}
