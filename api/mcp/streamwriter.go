package mcp

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
)

// streamWriter lets heartbeats in between the writes of a handler, and makes a problem of what the SDK refuses in a line of
// text.
type streamWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	every   time.Duration
	life    context.Context // of a stream of notifications: done when nobody can be pushed to by it

	mu      sync.Mutex
	beats   *time.Timer // nil: no stream of events
	holds   int         // by those who have more to write at once
	due     bool        // what was written meanwhile has to be sent
	refused bool
	begun   bool
	closed  bool
}

func newStreamWriter(w http.ResponseWriter, every time.Duration) *streamWriter {
	return &streamWriter{ResponseWriter: w, control: http.NewResponseController(w), every: every}
}

// Unwrap is for http.ResponseController.
func (w *streamWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *streamWriter) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(status)
}

// begin sends the header. With mu held.
func (w *streamWriter) begin(status int) {
	if w.begun {
		return
	}
	w.begun = true
	media := w.Header().Get("Content-Type")
	switch {
	case status >= http.StatusBadRequest && strings.HasPrefix(media, "text/plain"):
		w.refused = true
		problem.Refuse(w.ResponseWriter, problem.Refusal(status))
		return
	case strings.HasPrefix(media, "text/event-stream"):
		w.beats = time.AfterFunc(w.every, w.beat) // stopped by close
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *streamWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(http.StatusOK)
	if w.refused {
		return len(b), nil
	}
	if w.beats != nil {
		w.beats.Reset(w.every)
	}
	return w.ResponseWriter.Write(b)
}

// FlushError is for http.ResponseController.
func (w *streamWriter) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(http.StatusOK)
	if w.due = w.holds > 0; w.due {
		return nil
	}
	return w.control.Flush()
}

// hold keeps what is written until somebody releases, or it is much: the SDK sends every message by itself.
func (w *streamWriter) hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holds++
}

// release sends what was kept. It follows each hold.
func (w *streamWriter) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holds--
	if w.due && !w.closed {
		_ = w.control.Flush() // the next write tells
	}
	w.due = false
}

// Flush implements http.Flusher.
func (w *streamWriter) Flush() { _ = w.FlushError() }

var heartbeat = []byte(": heartbeat\n\n")

func (w *streamWriter) beat() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	if _, err := w.ResponseWriter.Write(heartbeat); err == nil && w.control.Flush() == nil {
		w.beats.Reset(w.every)
	}
}

// close ends the heartbeats; the handler has ended.
func (w *streamWriter) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.beats != nil {
		w.beats.Stop()
	}
}
