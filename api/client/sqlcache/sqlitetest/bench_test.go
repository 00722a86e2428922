package sqlitetest

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client/sqlcache"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
)

// BenchmarkStore stores batches of 64 lines.
func BenchmarkStore(b *testing.B) {
	c := opened(b, database(b, b.TempDir()), sqlcache.Options{Budget: 64 << 30})
	k := keep(b, c, one)
	b.ResetTimer()
	for n := range b.N {
		k.must(b, store(1, uint64(n)*64+1, uint64(n+1)*64))
	}
	b.ReportMetric(float64(b.N)*64/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkOpen opens a session of 10,000 lines, checks and reads them.
func BenchmarkOpen(b *testing.B) {
	c := opened(b, database(b, b.TempDir()), sqlcache.Options{})
	k := keep(b, c, one)
	for n := uint64(0); n < 10_000; n += 500 {
		k.must(b, store(1, n+1, n+500))
	}
	k.Close()
	b.ResetTimer()
	for range b.N {
		s, _, err := c.Open(one)
		if err != nil {
			b.Fatal(err)
		}
		lines := 0
		for _, err := range s.Lines(sync.Read{}) {
			if err != nil {
				b.Fatal(err)
			}
			lines++
		}
		if s.Close(); lines != 10_000 {
			b.Fatalf("%d lines", lines)
		}
	}
}
