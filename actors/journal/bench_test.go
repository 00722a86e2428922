package journal_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// agentText makes lines of about 250 bytes, as the figures of design/performance.md have them.
const agentText = "some text that an agent says, of the length that the figures of the design are about, a hundred and twenty bytes or so"

// BenchmarkAppend: what the journal adds to one write of the same bytes to a file. The reference appends to a plain file;
// "two" to two files, which is what the journal must do at least.
func BenchmarkAppend(b *testing.B) {
	for _, count := range []int{1, 64} {
		lines := batch(1_000_000_000, count, agentText, journal.Source{}).Lines
		b.Run(fmt.Sprintf("lines=%d/file", count), func(b *testing.B) { appendFiles(b, lines, 1, count) })
		b.Run(fmt.Sprintf("lines=%d/two", count), func(b *testing.B) { appendFiles(b, lines, 2, count) })
		for _, mode := range []string{"os", "always"} {
			b.Run(fmt.Sprintf("lines=%d/journal-%s", count, mode), func(b *testing.B) {
				j, err := journal.Create(filepath.Join(b.TempDir(), "s"), journal.Options{SegmentBytes: 1 << 40})
				if err != nil {
					b.Fatal(err)
				}
				defer j.Close()
				// The bytes of the lines are made outside of what is measured: Append wants the right first number only.
				next := batch(1, count, agentText, journal.Source{})
				b.SetBytes(int64(len(lines)))
				b.ReportAllocs()
				for b.Loop() {
					if err := j.Append(next); err != nil {
						b.Fatal(err)
					}
					if mode == "always" {
						if err := j.Sync(); err != nil {
							b.Fatal(err)
						}
					}
					next = follow(next)
				}
				b.ReportMetric(float64(count*b.N)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}

// follow gives the batch the next numbers in place, without making its lines anew: the first line's number is what counts.
func follow(b journal.Batch) journal.Batch {
	b.First += uint64(b.Count)
	head := strconv.AppendUint([]byte(`{"seq":`), b.First, 10)
	old := len(strconv.FormatUint(b.First-uint64(b.Count), 10)) + len(`{"seq":`)
	if len(head) == old {
		copy(b.Lines, head)
		return b
	}
	b.Lines = append(head, b.Lines[old:]...)
	return b
}

func appendFiles(b *testing.B, lines []byte, files, count int) {
	var open []*os.File
	for i := range files {
		f, err := os.OpenFile(filepath.Join(b.TempDir(), strconv.Itoa(i)), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		open = append(open, f)
	}
	record := make([]byte, journal.RecordSize)
	b.SetBytes(int64(len(lines)))
	b.ReportAllocs()
	for b.Loop() {
		for i, f := range open {
			bytes := lines
			if i > 0 {
				bytes = record
			}
			if _, err := f.Write(bytes); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(count*b.N)/b.Elapsed().Seconds(), "events/s")
}

// filled is a journal of so many events on the real disk.
func filled(b *testing.B, events int) *journal.Journal {
	j, err := journal.Create(filepath.Join(b.TempDir(), "s"), journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for n := 0; n < events; n += 64 {
		if err := j.Append(batch(uint64(n+1), 64, agentText, journal.Source{})); err != nil {
			b.Fatal(err)
		}
	}
	b.Cleanup(func() { j.Close() })
	return j
}

// BenchmarkSince: the cost of finding a position must not grow with the log.
func BenchmarkSince(b *testing.B) {
	for _, events := range []int{6_400, 64_000, 640_000} {
		b.Run(fmt.Sprintf("events=%d", events), func(b *testing.B) {
			l := filled(b, events).Log()
			r := seeded(1)
			b.ReportAllocs()
			for b.Loop() {
				p, err := l.Range(r.Uint64N(uint64(events)), uint64(events))
				if err != nil {
					b.Fatal(err)
				}
				p.Close()
			}
		})
	}
}

// BenchmarkBackfill: a full log through net/http, beside a range of one plain file of the same bytes.
func BenchmarkBackfill(b *testing.B) {
	const events = 256_000
	j := filled(b, events)
	plain := filepath.Join(b.TempDir(), "plain")
	f, err := os.Create(plain)
	if err != nil {
		b.Fatal(err)
	}
	r, err := j.Log().Range(0, events)
	if err != nil {
		b.Fatal(err)
	}
	size := r.Size()
	if _, err := r.WriteTo(f); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	for name, serve := range map[string]http.HandlerFunc{
		"file": func(w http.ResponseWriter, _ *http.Request) {
			f, err := os.Open(plain)
			if err != nil {
				b.Error(err)
				return
			}
			defer f.Close()
			w.Header().Set("Content-Type", "application/x-ndjson")
			w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
			io.CopyN(w, f, size)
		},
		"journal": func(w http.ResponseWriter, _ *http.Request) {
			r, err := j.Log().Range(0, events)
			if err != nil {
				b.Error(err)
				return
			}
			defer r.Close()
			w.Header().Set("Content-Type", "application/x-ndjson")
			w.Header().Set("Content-Length", strconv.FormatInt(r.Size(), 10))
			r.WriteTo(w)
		},
		"journal-lines": func(w http.ResponseWriter, _ *http.Request) {
			r, err := store.LinesOf(j.Log(), 0, events)
			if err != nil {
				b.Error(err)
				return
			}
			defer r.Close()
			w.Header().Set("Content-Type", "text/event-stream")
			out := make([]byte, 0, 64<<10)
			for r.Next() {
				out = append(append(strconv.AppendUint(append(out, "id: "...), r.Seq(), 10), "\ndata: "...), r.Line()...)
				if out = append(out, "\n\n"...); len(out) > 32<<10 {
					w.Write(out)
					out = out[:0]
				}
			}
			w.Write(out)
		},
	} {
		b.Run(name, func(b *testing.B) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			server := &http.Server{Handler: serve}
			go server.Serve(listener)
			defer server.Close()
			b.SetBytes(size)
			buf := make([]byte, 256<<10)
			for b.Loop() {
				answer, err := http.Get("http://" + listener.Addr().String())
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, answer.Body, buf); err != nil {
					b.Fatal(err)
				}
				answer.Body.Close()
			}
		})
	}
}

// BenchmarkOpen: how fast a session's log is checked when it is activated.
func BenchmarkOpen(b *testing.B) {
	const events = 64_000
	path := filepath.Join(b.TempDir(), "s")
	j, err := journal.Create(path, journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for n := 0; n < events; n += 64 {
		if err := j.Append(batch(uint64(n+1), 64, agentText, journal.Source{})); err != nil {
			b.Fatal(err)
		}
	}
	size := j.Log().Bytes()
	if err := j.Close(); err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := journal.Open(path, journal.Options{}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("stat", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := journal.Stat(path, journal.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
