package postgres_test

import (
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
)

// modes are how statements are sent: as behind a pooler, and prepared once.
var modes = map[string]string{"described": "", "prepared": "&default_query_exec_mode=cache_statement"}

func BenchmarkAppend(b *testing.B) {
	for _, size := range []struct{ sessions, lines int }{{1, 64}, {100, 10}, {10, 200}, {10, 2000}} {
		for mode, setting := range modes {
			b.Run(fmt.Sprintf("%dx%d/%s", size.sessions, size.lines, mode), func(b *testing.B) {
				c := opened(b, migrated(b)+setting, postgres.Options{})
				defer c.Close()
				var ids []string
				for n := range size.sessions {
					ids = append(ids, fmt.Sprintf("0199a7a0-0000-7000-8000-%012x", n))
				}
				at := registered(b, c, ids...)
				batches := make([]core.Batch, len(at))
				events := 0
				for b.Loop() {
					b.StopTimer()
					for i, p := range at {
						batches[i] = core.Batch{Session: p.Session, Lease: p.Lease, Stretch: lines(p.Head+1, size.lines)}
					}
					b.StartTimer()
					answers, err := c.Append(b.Context(), batches)
					if err != nil {
						b.Fatal(err)
					}
					for i, a := range answers {
						if !a.Taken {
							b.Fatal(a)
						}
						at[i] = a.At
						events += size.lines
					}
				}
				b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}

func BenchmarkStretches(b *testing.B) {
	url := migrated(b)
	c := opened(b, url, postgres.Options{})
	defer c.Close()
	p := registered(b, c, id)[0]
	for p.Head < 100_000 {
		p = taken(b.Context(), b, c, p, lines(p.Head+1, 64))
	}
	b.SetBytes(int64(p.Head) * 160)
	for b.Loop() {
		for _, err := range c.Stretches(b.Context(), id, 0, p.Head) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(p.Head)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
