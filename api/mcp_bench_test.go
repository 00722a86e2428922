package api

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

// BenchmarkMCPPush is the time from an event to its push at a client: a hundred sessions, each in a turn that says ten short
// messages a second, at ten clients of the old era.
func BenchmarkMCPPush(b *testing.B) {
	const clients, each = 10, 10
	h := newHarness(b)
	h.tree.agents["drip"] = dripping(20, 100, 100*time.Millisecond)
	list := make([]*mcpClient, clients)
	ids := make([][]string, clients)
	for i := range list {
		list[i] = h.connect(oldEra).listening()
		for range each {
			id := h.create("drip")
			list[i].watch(id)
			ids[i] = append(ids[i], id)
		}
	}
	var late []time.Duration
	turn := 0
	for b.Loop() {
		turn++
		for i, c := range list {
			for _, id := range ids[i] {
				c.say(id, "", "go")
			}
		}
		for _, c := range list {
			c.until(idleAgain(turn * each))
		}
	}
	for _, c := range list {
		late = append(late, c.late...)
	}
	slices.Sort(late)
	b.ReportMetric(float64(late[len(late)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(late[len(late)*99/100].Microseconds())/1000, "ms-p99")
	b.ReportMetric(float64(len(late))/float64(turn), "pushes/op")
}

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
