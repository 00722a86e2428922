// Package stream has what the SDK lacks for streams over HTTP: a store that is bounded, and a writer that keeps silent ones alive.
package stream

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
)

// Writer lets heartbeats in between the writes of a handler, and makes a problem of what the SDK refuses in a line of
// text.
type Writer struct {
	http.ResponseWriter
	Control *http.ResponseController
	every   time.Duration
	Life    context.Context // of a stream of notifications: done when nobody can be pushed to by it

	mu      sync.Mutex
	beats   *time.Timer // nil: no stream of events
	holds   int         // by those who have more to write at once
	due     bool        // what was written meanwhile has to be sent
	refused bool
	begun   bool
	closed  bool
}

// NewWriter writes to w, and sends a comment where nothing else was for so long.
func NewWriter(w http.ResponseWriter, every time.Duration) *Writer {
	return &Writer{ResponseWriter: w, Control: http.NewResponseController(w), every: every}
}

// Unwrap is for http.ResponseController.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *Writer) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(status)
}

// begin sends the header. With mu held.
func (w *Writer) begin(status int) {
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

// Write implements http.ResponseWriter.
func (w *Writer) Write(b []byte) (int, error) {
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
func (w *Writer) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(http.StatusOK)
	if w.due = w.holds > 0; w.due {
		return nil
	}
	return w.Control.Flush()
}

// Hold keeps what is written until somebody releases, or it is much: the SDK sends every message by itself.
func (w *Writer) Hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holds++
}

// Release sends what was kept. It follows each hold.
func (w *Writer) Release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holds--
	if w.due && !w.closed {
		_ = w.Control.Flush() // the next write tells
	}
	w.due = false
}

// Flush implements http.Flusher.
func (w *Writer) Flush() { _ = w.FlushError() }

var heartbeat = []byte(": heartbeat\n\n")

func (w *Writer) beat() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	if _, err := w.ResponseWriter.Write(heartbeat); err == nil && w.Control.Flush() == nil {
		w.beats.Reset(w.every)
	}
}

// Close ends the heartbeats; the handler has ended.
func (w *Writer) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.beats != nil {
		w.beats.Stop()
	}
}
