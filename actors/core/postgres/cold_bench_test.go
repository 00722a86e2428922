package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold/coldtest"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/objects/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// BenchmarkCold reads one log from rows, and then from objects: all of it, its last 40 events, and 40 events anywhere. It tells what both take.
func BenchmarkCold(b *testing.B) {
	url := migrated(b)
	direct := opened(b, url, postgres.Options{})
	s := must(disk.Open(b.TempDir(), disk.Options{}))
	c := cold.Join(direct, coldtest.Of(s))
	defer c.Close()
	p := registered(b, c, id)[0]
	size := speak(b, c, &p, 64<<20)
	conn := must(pgx.Connect(b.Context(), url))
	defer func() { _ = conn.Close(context.WithoutCancel(b.Context())) }()
	relation := func(name string) (n int64) {
		if _, err := conn.Exec(b.Context(), "VACUUM ANALYZE "+name); err != nil {
			b.Fatal(err)
		}
		if err := conn.QueryRow(b.Context(), "SELECT pg_total_relation_size($1)", name).Scan(&n); err != nil {
			b.Fatal(err)
		}
		return n
	}
	measure := func(of string, bytes int64) {
		b.Run(of, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				n := int64(0)
				for st, err := range c.Stretches(b.Context(), id, 0, p.Head) {
					if err != nil {
						b.Fatal(err)
					}
					n += int64(len(st.Lines))
				}
				if n != size {
					b.Fatalf("%d bytes, want %d", n, size)
				}
			}
			b.ReportMetric(float64(bytes)/float64(p.Head), "stored-B/event")
		})
		b.Run(of+"/chunks", func(b *testing.B) { // as a mirror reads: some 1 MiB at a time
			b.SetBytes(size)
			chunk := p.Head * (1 << 20) / uint64(size)
			for b.Loop() {
				for from := uint64(0); from < p.Head; from += chunk {
					for _, err := range c.Stretches(b.Context(), id, from, min(from+chunk, p.Head)) {
						if err != nil {
							b.Fatal(err)
						}
					}
				}
			}
		})
		for name, since := range map[string]func() uint64{
			"last40": func() uint64 { return p.Head - 40 },
			"any40":  func() uint64 { return rand.Uint64N(p.Head - 40) },
		} {
			b.Run(of+"/"+name, func(b *testing.B) {
				var all []time.Duration
				for b.Loop() {
					from, began := since(), time.Now()
					for _, err := range c.Stretches(b.Context(), id, from, from+40) {
						if err != nil {
							b.Fatal(err)
						}
					}
					all = append(all, time.Since(began))
				}
				slices.Sort(all)
				b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
			})
		}
	}
	measure("rows", relation("session_batch"))
	began := time.Now()
	r, err := (&cold.Compactor{Core: c, Store: s, Rest: time.Nanosecond}).Pass(b.Context())
	if err != nil || r.Events != p.Head {
		b.Fatal(r, err)
	}
	b.Logf("%+v in %v", r, time.Since(began))
	rows := relation("session_segment")
	b.Logf("%.1f B/event in objects, %.1f in rows of the database", float64(r.Bytes)/float64(p.Head), float64(rows)/float64(p.Head))
	measure("objects", r.Bytes+rows)
}

// speak appends what an agent says in pieces of some words, and the whole of it, until there are so many bytes: batches of 64 events and less.
func speak(b *testing.B, c core.Core, p *core.Position, size int64) (said int64) {
	b.Helper()
	text := must(os.ReadFile("../../../ARCHITECTURE.md"))
	words := strings.Fields(string(text))
	random := rand.New(rand.NewPCG(1, 1))
	source := store.Source{Incarnation: 1}
	for entry, seq := 0, uint64(1); said < size; entry++ {
		from := random.IntN(len(words) - 500)
		rest := words[from:][:20+random.IntN(300)]
		st := store.Stretch{First: seq, Epoch: 1, Time: 1_767_225_600_000 + int64(seq)*30}
		for len(rest) > 0 && st.Count() < 64 {
			n := min(1+random.IntN(6), len(rest))
			st.Lines = fmt.Appendf(st.Lines, `{"seq":%d,"ts":%d,"type":"entry_delta","entryId":"e%d","delta":{"op":"text_append","text":%q}}`+"\n",
				seq, 1_767_225_600_000+int64(seq)*30, entry, strings.Join(rest[:n], " ")+" ")
			rest = rest[n:]
			if seq++; seq%2 == 0 {
				source.Batch++
				st.Sources = append(st.Sources, store.Made{Count: 1, Source: source})
			} else if k := len(st.Sources); k > 0 {
				st.Sources[k-1].Count++
			} else {
				st.Sources = append(st.Sources, store.Made{Count: 1, Source: source})
			}
		}
		*p = taken(b.Context(), b, c, *p, st)
		said += int64(len(st.Lines))
	}
	return said
}
