package api

import (
	"strconv"
	"testing"
	"time"
)

// BenchmarkMCPPoll pages through a log, each page from where the last one ended: the time for one event does not grow with
// the log.
func BenchmarkMCPPoll(b *testing.B) {
	for _, n := range []int{2_000, 20_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			h := newHarness(b)
			h.tree.agents["drip"] = dripping(n/5, 10, 10*time.Microsecond)
			c := h.connect(oldEra)
			m := c.say("", "drip", "go")
			since := 0
			for e := c.settled(m.SessionID, -1); e.HasMore || e.Status != "idle"; since = e.LastIndex {
				e = c.settled(m.SessionID, since)
			}
			events := 0
			for b.Loop() {
				events += len(c.poll(m.SessionID, 200, everyType...))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
		})
	}
}
