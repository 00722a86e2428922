package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// BenchmarkLog reads a log of 100 MB through /log, and the same bytes as one file through net/http's own file server. The
// goal: log ≥ 0.6 × file (issue), ≥ 0.8 × (design/performance.md). Run both in one go: go test -bench Log ./api
func BenchmarkLog(b *testing.B) {
	const id = "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11"
	tr := newTree(b)
	size := longLog(b, tr, id, 100<<20)
	h := serveTree(b, tr)
	h.want(http.StatusOK, "HEAD", "/sessions/"+id+"/log", "") // starts the actor
	whole := filepath.Join(b.TempDir(), "log.ndjson")
	join(b, tr, id, whole)
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, whole) }))
	defer files.Close()
	read := func(b *testing.B, url string) {
		b.SetBytes(size)
		for b.Loop() {
			r, err := http.NewRequest("GET", url, nil)
			if err != nil {
				b.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+testToken)
			res, err := h.http.Do(r)
			if err != nil {
				b.Fatal(err)
			}
			n, err := io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			if err != nil || n != size {
				b.Fatalf("%d of %d bytes, %v", n, size, err)
			}
		}
	}
	b.Run("file", func(b *testing.B) { read(b, files.URL) })
	b.Run("log", func(b *testing.B) { read(b, h.base+"/sessions/"+id+"/log") })
	b.Run("patch", func(b *testing.B) {
		for b.Loop() { // the cost of since does not depend on where it lies
			h.want(http.StatusOK, "HEAD", "/sessions/"+id+"/log?since=200000", "")
		}
	})
}

// longLog writes the journal of a session that is passive.
func longLog(b *testing.B, tr *tree, id string, size int) int64 {
	j, err := journal.Create(filepath.Join(tr.dir, id), journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	first := protocol.Event{Seq: 1, Time: 1, Payload: &protocol.SessionStart{SessionID: id, AgentBackend: "busy"}}
	lines := protocol.AppendLine(nil, &first)
	seq, total := uint64(1), int64(0)
	text := strings.Repeat("0123456789", 12)
	for total < int64(size) {
		begin := seq
		if total == 0 {
			begin = 1
		}
		for len(lines) < 256<<10 {
			seq++
			e := protocol.Event{Seq: seq, Time: 1, Payload: &protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: text}}}
			lines = protocol.AppendLine(lines, &e)
		}
		if total > 0 {
			begin++
		}
		if err := j.Append(store.Batch{First: begin, Count: int(seq - begin + 1), Lines: lines, Time: 1}); err != nil {
			b.Fatal(err)
		}
		total += int64(len(lines))
		lines = lines[:0]
	}
	if err := j.Close(); err != nil {
		b.Fatal(err)
	}
	tr.sessions[id] = &limb{tree: tr, id: id, summary: session.Summary{ID: id, Agent: "busy"}}
	return total
}

// join makes one file of the segments.
func join(b *testing.B, tr *tree, id, to string) {
	parts, err := filepath.Glob(filepath.Join(tr.dir, id, "*.ndjson"))
	if err != nil {
		b.Fatal(err)
	}
	var all []byte
	for _, p := range parts {
		part, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, part...)
	}
	if err := os.WriteFile(to, all, 0o600); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkFanOut sends one session's events to 100 readers. The reference is the least that this can cost: the same ring
// behind a handler of ten lines, fed without actor and journal. Compare cpu-ns/delivery, which holds on a noisy machine; the
// clients are the same program and count on both sides. The goal: stream ≤ 1.5 × bare.
func BenchmarkFanOut(b *testing.B) {
	const readers, batch = 100, 64
	text := strings.Repeat("0123456789", 12)
	b.Run("bare", func(b *testing.B) {
		r := ring.New(1, 0, 1<<20)
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			control, at := http.NewResponseController(w), uint64(0)
			_ = control.Flush()
			for {
				frames, last, _ := r.Frames(at)
				if len(frames) == 0 {
					if r.Wait(req.Context(), at) != nil {
						return
					}
					continue
				}
				if _, err := w.Write(frames); err != nil || control.Flush() != nil {
					return
				}
				at = last
			}
		}))
		defer srv.Close()
		seq := uint64(0)
		fanOut(b, srv.URL, readers, batch, func() uint64 {
			events := make([]protocol.Event, batch)
			for i := range events {
				seq++
				events[i] = protocol.Event{Seq: seq, Time: 1, Payload: &protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: text}}}
			}
			r.Append(nil, events)
			r.Publish(seq)
			return seq
		})
	})
	b.Run("stream", func(b *testing.B) {
		h := newHarness(b)
		id := h.create("busy")
		a := h.tree.agentOf(id)
		key := a.key()
		a.say(adapters.EntryOpened{Key: key, Type: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}})
		h.want(http.StatusOK, "PATCH", "/sessions/"+id, `{"title":"x"}`)
		seq := seqOf(h, id)
		fanOut(b, h.base+"/sessions/"+id+"/stream", readers, batch, func() uint64 {
			drafts := make([]adapters.Draft, batch)
			for i := range drafts {
				drafts[i] = adapters.EntryChanged{Key: key, Delta: &protocol.TextAppend{Text: text}}
			}
			a.say(drafts...)
			seq += batch
			return seq
		})
	})
}

// fanOut runs b.N batches past readers that must see every one; appendBatch returns the seq that it made.
func fanOut(b *testing.B, url string, readers, batch int, appendBatch func() uint64) {
	ctx, cancel := context.WithCancel(b.Context())
	var done sync.WaitGroup
	var target atomic.Uint64
	drains := make([]*drain, readers)
	for i := range drains {
		d := &drain{target: &target, woke: make(chan struct{}, 1)}
		drains[i] = d
		done.Go(func() { // ends with cancel
			if err := d.read(ctx, url); err != nil && ctx.Err() == nil {
				b.Error(err)
			}
		})
	}
	wait := func(seq uint64) {
		target.Store(seq)
		for _, d := range drains {
			for d.at.Load() < seq {
				<-d.woke
			}
		}
	}
	wait(appendBatch()) // all are connected
	b.ResetTimer()
	before, last := cpu(), uint64(0)
	for n := range b.N {
		last = appendBatch()
		if n%32 == 31 { // not more ahead than a ring holds: the journal has its own benchmark
			wait(last)
		}
	}
	wait(last)
	b.ReportMetric(float64(cpu()-before)/float64(b.N*batch*readers), "cpu-ns/delivery")
	b.ReportMetric(float64(b.N*batch*readers)/b.Elapsed().Seconds(), "deliveries/s")
	cancel()
	done.Wait()
}

// drain reads a stream as cheaply as can be and knows the newest seq that went by.
type drain struct {
	target *atomic.Uint64
	at     atomic.Uint64
	woke   chan struct{} // at has reached target
}

func (d *drain) read(ctx context.Context, url string) error {
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	c, err := net.Dial("tcp", host)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	if _, err := fmt.Fprintf(c, "GET /%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", path, host, testToken); err != nil {
		return err
	}
	mark, buf, keep := []byte(`{"seq":`), make([]byte, 64<<10), 0
	for {
		n, err := c.Read(buf[keep:])
		if err != nil {
			return err
		}
		have := buf[:keep+n]
		if i := bytes.LastIndex(have, mark); i >= 0 {
			digits, _, whole := bytes.Cut(have[i+len(mark):], []byte(","))
			if seq, err := strconv.ParseUint(string(digits), 10, 64); whole && err == nil {
				d.at.Store(seq)
				if seq >= d.target.Load() {
					select {
					case d.woke <- struct{}{}:
					default:
					}
				}
			}
		}
		keep = copy(buf, have[max(0, len(have)-64):])
	}
}

// cpu is what this process has used so far, in nanoseconds.
func cpu() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
