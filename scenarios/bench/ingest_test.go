package bench

import (
	"fmt"
	"testing"
	"time"
)

// TestIngest is one agent that floods: pipe, translator, actor, journal. The reference only reads the pipe.
func TestIngest(t *testing.T) {
	needsProgram(t)
	const events = 300_000
	reference := startReference(t, 1)
	for durability, goal := range map[string]float64{"os": 250_000, "always": 150_000} {
		p := startDaemon(t, "", "--durability", durability)
		session := p.create()
		m := medians(t, []string{"reference", "rate", "cpu"}, func() []float64 {
			c := newCrowd(t)
			c.follow(c.open(reference, "/0/stream"), 0, false)
			begin := time.Now()
			reference.prompt("/0", fmt.Sprintf("flood %d", events))
			c.wait()
			bare := events / time.Since(begin).Seconds()
			before := p.cpu()
			begin = time.Now()
			p.prompt(session, fmt.Sprintf("flood %d", events))
			p.idle(session)
			return []float64{bare, events / time.Since(begin).Seconds(), (p.cpu() - before) * 1e6 / events}
		})
		if durability == "os" {
			aside(t, "ingest: the agent's pipe read and sent to one reader", m["reference"], "events/s")
		}
		atLeast(t, "ingest, "+durability, m["rate"], goal, "events/s")
		aside(t, "ingest: CPU per event, "+durability, m["cpu"], "µs")
	}
}

// TestNeighbours: while one agent floods, the events of another session come no more than twice as late. The reference does the same:
// an agent that floods and its reader take two processors by themselves.
func TestNeighbours(t *testing.T) {
	needsProgram(t)
	p := startDaemon(t, "")
	sessions, noisy := p.sessions(1), p.create()
	pc := pace{1, 1, 100, 3}
	m := medians(t, []string{"ref alone", "ref beside", "ref ratio", "alone", "beside", "ratio"}, func() []float64 {
		reference := startReference(t, 2)
		defer reference.stop()
		_, refAlone := pc.run(t, reference, []string{"/0"})
		reference.prompt("/1", "flood 50000000")
		_, refBeside := pc.run(t, reference, []string{"/0"})
		reference.stop()
		_, alone := pc.run(t, p, sessions)
		p.prompt(noisy, "flood 1500000")
		_, beside := pc.run(t, p, sessions)
		if p.state(noisy) == "idle" {
			t.Fatal("the flood was over before the measurement was")
		}
		p.do("POST", noisy+"/end", nil, nil)
		noisy = p.create()
		return []float64{
			ms(refAlone, 99), ms(refBeside, 99), ms(refBeside, 99) / ms(refAlone, 99),
			ms(alone, 99), ms(beside, 99), ms(beside, 99) / ms(alone, 99),
		}
	})
	aside(t, "p99 of an agent alone, reference", m["ref alone"], "ms")
	aside(t, "p99 of an agent beside one that floods, reference", m["ref beside"], "ms")
	aside(t, "a flooding neighbour: p99 of the reference", m["ref ratio"], "×")
	aside(t, "p99 of a session alone", m["alone"], "ms")
	aside(t, "p99 of a session beside one that floods", m["beside"], "ms")
	atMost(t, "a flooding neighbour: p99", m["ratio"], 2, "×")
}
