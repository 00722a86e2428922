package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
)

// crowd fills a Core with nodes that have so many sessions each, half of which go on elsewhere.
func crowd(b *testing.B, c core.Core, nodes, sessions int) (list []core.Owner) {
	b.Helper()
	for n := range nodes {
		as := must(c.Join(b.Context(), fmt.Sprintf("node%04d", n)))
		list = append(list, as)
		must(c.Beat(b.Context(), as, core.Beat{Lease: time.Hour}))
		var records []core.Record
		for s := range sessions {
			r := core.Record{Session: fmt.Sprintf("0199a7a0-0000-7000-8000-%04x%08x", n, s), Updated: time.Unix(int64(s), 0)}
			if s%2 == 0 {
				r.Failover = core.FailoverAuto
			}
			records = append(records, r)
			if len(records) == 1000 || s == sessions-1 {
				must(c.Take(b.Context(), as, records))
				records = nil
			}
		}
	}
	return list
}

// BenchmarkPlacement measures what nodes ask of Core again and again, where most of the time nothing has happened.
func BenchmarkPlacement(b *testing.B) {
	c := opened(b, migrated(b), postgres.Options{})
	defer c.Close()
	all := crowd(b, c, 10, 5000)
	me := all[0]
	b.Run("beat", func(b *testing.B) {
		for b.Loop() {
			if is := must(c.Beat(b.Context(), me, core.Beat{Lease: time.Hour})); is != core.StateUp {
				b.Fatal(is)
			}
		}
	})
	b.Run("declare", func(b *testing.B) {
		for b.Loop() {
			must(c.Declare(b.Context(), me))
		}
	})
	b.Run("nodes", func(b *testing.B) {
		for b.Loop() {
			must(c.Nodes(b.Context(), true))
		}
	})
	b.Run("claim nothing", func(b *testing.B) {
		for b.Loop() {
			if got := must(c.Claim(b.Context(), me, core.Want{Families: 8})); len(got.Taken) > 0 {
				b.Fatal(got)
			}
		}
	})
	must(c.Leave(b.Context(), all[9]))
	b.Run("claim lost", func(b *testing.B) { // eight of 2500, and fewer then
		n := 0
		for b.Loop() {
			n += len(must(c.Claim(b.Context(), me, core.Want{Families: 8})).Taken)
		}
		b.ReportMetric(float64(n)/float64(b.N), "sessions/op")
	})
}
