package fake

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// calls is the face of a program that is spoken to over HTTP. Its goroutines are those of its server, which ends with it.
type calls struct {
	log   stderrLines
	queue *queue
	conns *listener

	mu      sync.Mutex
	n       uint64
	open    map[uint64]*pending
	streams map[*events]bool
}

// pending is a call that waits for its answer.
type pending struct {
	answer chan *httpline.Answer
	over   chan struct{} // closed when the answer was written, or nobody waits any more
}

// events is an open stream of events.
type events struct {
	mu   sync.Mutex
	w    http.ResponseWriter
	over bool
}

func newCalls(q *queue, l *listener) *calls {
	return &calls{queue: q, conns: l, open: map[uint64]*pending{}, streams: map[*events]bool{}}
}

func (c *calls) stderr(line string) { c.log.add(line) }
func (c *calls) cut()               { c.conns.cut() }

// write takes answers, and events.
func (c *calls) write(text []byte) {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		l, _ := httpline.Parse(line)
		if a, ok := l.(*httpline.Answer); ok {
			c.answer(a)
			continue
		}
		c.mu.Lock()
		streams := make([]*events, 0, len(c.streams))
		for s := range c.streams {
			streams = append(streams, s)
		}
		c.mu.Unlock()
		for _, s := range streams {
			s.send("data: " + string(line) + "\n\n")
		}
	}
}

func (c *calls) answer(a *httpline.Answer) {
	c.mu.Lock()
	p := c.open[a.N]
	delete(c.open, a.N)
	c.mu.Unlock()
	if p != nil {
		a.Body = bytes.Clone(a.Body)
		p.answer <- a
		<-p.over
	}
}

// ServeHTTP takes a call, and waits until the script has an answer.
func (c *calls) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/event"):
		c.stream(w, r)
		return
	case r.URL.Path == "/global/health":
		_, _ = io.WriteString(w, `{"healthy":true}`)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the call was cut off
	}
	p := &pending{answer: make(chan *httpline.Answer, 1), over: make(chan struct{})}
	defer close(p.over)
	c.mu.Lock()
	c.n++
	call := httpline.Call{N: c.n, Method: r.Method, Path: r.URL.RequestURI(), Body: body}
	c.open[c.n] = p
	c.mu.Unlock()
	c.queue.push(heard{line: call.Append(nil)})
	select {
	case a := <-p.answer:
		w.Header().Set("Content-Type", "application/json")
		if len(a.Body) > 0 {
			w.Header().Set("Content-Length", strconv.Itoa(len(a.Body))) // so that it is whole before the program goes on
		}
		w.WriteHeader(a.Status)
		_, _ = w.Write(a.Body)
		_ = http.NewResponseController(w).Flush()
	case <-r.Context().Done():
	}
}

func (c *calls) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	s := &events{w: w}
	c.mu.Lock()
	c.streams[s] = true
	c.mu.Unlock()
	s.send("")
	opened := httpline.Stream{State: httpline.Open, Path: r.URL.RequestURI()}
	c.queue.push(heard{line: opened.Append(nil), free: true})
	<-r.Context().Done()
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	c.mu.Lock()
	delete(c.streams, s)
	c.mu.Unlock()
}

// send returns when the reader has it, or is gone.
func (s *events) send(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		_, _ = io.WriteString(s.w, text)
		_ = http.NewResponseController(s.w).Flush()
	}
}
