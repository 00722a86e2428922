package coreapi_test

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/remote"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/coreapi"
)

// metered counts what its connections read.
type metered struct {
	net.Listener
	bytes *atomic.Int64
}

func (m metered) Accept() (net.Conn, error) {
	c, err := m.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return counting{c.(*net.TCPConn), m.bytes}, nil
}

type counting struct {
	*net.TCPConn
	bytes *atomic.Int64
}

func (c counting) Read(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	c.bytes.Add(int64(n))
	return n, err
}

// BenchmarkAppend compares what is appended over HTTP with what is appended directly, on one database: events a second, the time of this process (client and
// server) for each, and bytes on the wire. Lines have about 160 bytes.
func BenchmarkAppend(b *testing.B) {
	for _, size := range []struct{ sessions, lines int }{{1, 64}, {100, 10}, {100, 64}} {
		url := migrated(b)
		connect := func(ctx context.Context) (core.Core, error) { return postgres.Open(ctx, url, postgres.Options{}) }
		var wire atomic.Int64
		l := listen(b)
		address := "http://" + l.Addr().String()
		serve(b, metered{l, &wire}, coreapi.Config{Connect: connect})
		for _, way := range []string{"direct", "http"} {
			b.Run(fmt.Sprintf("%dx%d/%s", size.sessions, size.lines, way), func(b *testing.B) {
				open := connect
				if way == "http" {
					open = func(ctx context.Context) (core.Core, error) {
						return remote.Open(ctx, address, remote.Options{Token: token})
					}
				}
				c, err := open(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				defer c.Close()
				appends(b, c, way, size.sessions, size.lines, &wire)
			})
		}
	}
}

func appends(b *testing.B, c core.Core, node string, sessions, lines int, wire *atomic.Int64) {
	b.Helper()
	as, err := c.Join(b.Context(), fmt.Sprintf("%s %d", node, time.Now().UnixNano()))
	if err != nil {
		b.Fatal(err)
	}
	var records []core.Record
	for n := range sessions {
		records = append(records, core.Record{Session: fmt.Sprintf("0199a7a0-0000-7000-8000-%012x", time.Now().UnixNano()&0xffffffff<<16|int64(n))})
	}
	at, err := c.Take(b.Context(), as, records)
	if err != nil {
		b.Fatal(err)
	}
	batches := make([]core.Batch, len(at))
	events := 0
	wire.Store(0)
	var busy time.Duration
	for b.Loop() {
		b.StopTimer()
		for i, p := range at {
			batches[i] = core.Batch{Session: p.Session, Lease: p.Lease, Stretch: typical(uint64(i), p.Head+1, lines)}
		}
		before := spent()
		b.StartTimer()
		answers, err := c.Append(b.Context(), batches)
		if err != nil {
			b.Fatal(err)
		}
		busy += spent() - before
		for i, a := range answers {
			if !a.Taken {
				b.Fatal(a)
			}
			at[i] = a.At
		}
		events += sessions * lines
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(busy.Nanoseconds())/float64(events)/1000, "cpu-µs/event")
	b.ReportMetric(float64(wire.Load())/float64(events), "wire-B/event")
}

// spent is the time that this process has had on processors.
func spent() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// typical are lines as sessions have them: most are pieces of a text.
func typical(session, first uint64, n int) store.Stretch {
	s := store.Stretch{First: first, Epoch: 1, Time: 1_700_000_000_000, Sources: []store.Made{{Count: n, Source: store.Source{Incarnation: 1, Batch: first}}}}
	words := []string{"the", "journal", "is", "the outbox", "of", "a", "session", "and", "no", "event", "waits", "for", "anybody"}
	for i := range uint64(n) {
		seq := first + i
		salt := seq + session*7919
		s.Lines = fmt.Appendf(s.Lines, `{"seq":%d,"ts":%d,"type":"entry_delta","entryId":"e%d","delta":{"op":"text_append","text":"%s %s %s %s %s %d"}}`+"\n",
			seq, 1_700_000_000_000+seq*37, seq/200, words[salt*31%13], words[salt*salt%13], words[salt*5%11], words[salt*salt*3%12], words[salt*11%13], salt*2654435761%100000)
	}
	return s
}
