package model_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// reader follows a session's stream and keeps what it is sent.
type reader struct {
	from   uint64 // the event before the first one
	reset  bool   // its cursor was not of this log
	cancel context.CancelFunc
	done   chan struct{}

	mu     sync.Mutex
	status int
	sent   []byte
	header http.Header

	taken int // bytes of sent that were looked at
	seq   uint64
}

// Header, WriteHeader, Write and Flush make it an http.ResponseWriter.
func (r *reader) Header() http.Header { return r.header }

func (r *reader) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

func (r *reader) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent = append(r.sent, b...)
	return len(b), nil
}

func (r *reader) Flush() {}

// follow begins to read behind a cursor.
func (d *daemon) follow(ctx context.Context, id string, since uint64) *reader {
	ctx, cancel := context.WithCancel(ctx)
	r := &reader{from: since, seq: since, cancel: cancel, done: make(chan struct{}), status: http.StatusOK, header: http.Header{}}
	go func() { // ends with the stream
		defer close(r.done)
		d.edge.web.ServeHTTP(r, d.request(ctx, "GET", fmt.Sprintf("/sessions/%s/stream?since=%d", id, since), ""))
	}()
	return r
}

func (r *reader) leave() {
	r.cancel()
	<-r.done
}

func (r *reader) over() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// readersLeave ends all streams, as the daemon's end does.
func (w *world) readersLeave() {
	for _, x := range w.sessions {
		for _, r := range x.readers {
			r.leave()
		}
		x.past, x.readers = append(x.past, x.readers...), nil
	}
}

// compareReaders holds what each reader was sent against the log: all of it behind its cursor, byte for byte, and nothing else. Those
// of an ended session are let go.
func (w *world) compareReaders(x *session, counted int) {
	for _, r := range x.past { // nothing that they were shown is lost
		w.read(x, r)
	}
	x.past = nil
	live := x.readers[:0]
	for _, r := range x.readers {
		if w.read(x, r); r.status == http.StatusOK && r.seq != x.fold.Seq {
			w.wrong("a stream is not the log", "it ends after event %d of %d", r.seq, x.fold.Seq)
		}
		switch {
		case r.over() && x.model.End == "":
			w.wrong("a stream ended", "status %d after event %d", r.status, r.seq)
		case !r.over() && x.model.End != "":
			w.wrong("the stream of an ended session goes on", "after event %d", r.seq)
		case r.over():
			r.cancel()
			if (r.status == http.StatusNoContent) != (len(r.sent) == 0) {
				w.wrong("an empty stream", "status %d", r.status)
			}
		default:
			live = append(live, r)
		}
	}
	x.readers = live
	w.same("readers", counted, len(live))
}

func (w *world) read(x *session, r *reader) {
	r.mu.Lock()
	defer r.mu.Unlock()
	frames := protocol.NewSSEReader(bytes.NewReader(r.sent[r.taken:]), 0)
	r.taken = len(r.sent)
	for {
		f, err := frames.Next()
		if err != nil {
			break
		}
		m, err := protocol.DecodeMessage(f.Data)
		if err != nil {
			w.wrong("a frame is no message", "%v: %s", err, f.Data)
		}
		switch m := m.(type) {
		case *protocol.Event:
			if m.Seq != r.seq+1 || m.Seq > uint64(len(x.log)) || !bytes.Equal(f.Data, x.log[r.seq]) || f.ID != fmt.Sprint(m.Seq) {
				w.wrong("a stream is not the log", "event %q %s after %d", f.ID, f.Data, r.seq)
			}
			r.seq++
		case *protocol.Heartbeat:
			if m.Seq != r.seq {
				w.wrong("a stream is not the log", "heartbeat %s after %d", f.Data, r.seq)
			}
		case *protocol.Reset:
			if !r.reset || r.seq != r.from {
				w.wrong("a stream was reset", "%s after %d", f.Data, r.seq)
			}
			r.seq = 0
		}
	}
}
