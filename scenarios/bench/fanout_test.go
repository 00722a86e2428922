package bench

import (
	"fmt"
	"testing"
	"time"
)

func needsProgram(t *testing.T) {
	t.Helper()
	if *program == "" {
		t.Skip("no -program: see tools/bench-system.sh")
	}
}

// flood lets one agent say so many deltas to so many readers, and gives the CPU microseconds per delivery.
func flood(t *testing.T, p *process, session string, events, readers int) float64 {
	t.Helper()
	c := newCrowd(t)
	since := p.newest(session)
	for range readers {
		c.follow(c.open(p, session+"/stream"+since), 0, false)
	}
	before := p.cpu()
	p.prompt(session, fmt.Sprintf("flood %d", events))
	c.wait()
	used := p.cpu() - before
	c.leave()
	if p.auth != "" {
		p.idle(session)
	}
	return used * 1e6 / float64(events*readers)
}

// TestFanOut is one session with 100 readers, as fast as possible; and whether a delivery costs as much with ten times as many.
func TestFanOut(t *testing.T) {
	needsProgram(t)
	const events, readers = 40_000, 100
	daemons := map[string]*process{"os": startDaemon(t, "", "--durability", "os"), "always": startDaemon(t, "", "--durability", "always")}
	reference := startReference(t, 1)
	sessions := map[string]string{"os": daemons["os"].create(), "always": daemons["always"].create()}
	m := medians(t, []string{"reference", "os", "always", "os/reference", "always/reference"}, func() []float64 {
		ref := flood(t, reference, "/0", events, readers)
		inOS := flood(t, daemons["os"], sessions["os"], events, readers)
		always := flood(t, daemons["always"], sessions["always"], events, readers)
		return []float64{ref, inOS, always, inOS / ref, always / ref}
	})
	aside(t, "fan-out to 100, reference: CPU per delivery", m["reference"], "µs")
	atMost(t, "fan-out to 100, os: CPU per delivery", m["os"], 0.55, "µs")
	atMost(t, "fan-out to 100, always: CPU per delivery", m["always"], 0.70, "µs")
	aside(t, "fan-out to 100, os", m["os/reference"], "× reference")
	aside(t, "fan-out to 100, always", m["always/reference"], "× reference")
}

// TestGrowth: what a delivery costs, without what the event itself does, does not depend on how many readers there are.
func TestGrowth(t *testing.T) {
	needsProgram(t)
	const paced = 2 * time.Millisecond
	p := startDaemon(t, "", "--durability", "os")
	sessions := p.sessions(1)
	cost := func(readers, seconds int) float64 { // of one event
		used, _ := pace{1, readers, int(time.Second / paced), seconds}.run(t, p, sessions)
		return used * float64(readers)
	}
	m := medians(t, []string{"10", "1000", "ratio"}, func() []float64 {
		one := cost(1, 4)
		few := (cost(11, 4) - one) / 10
		many := (cost(1001, 2) - one) / 1000
		return []float64{few, many, many / few}
	})
	aside(t, "CPU per delivery with 10 readers", m["10"], "µs")
	aside(t, "CPU per delivery with 1,000 readers", m["1000"], "µs")
	atMost(t, "growth: 1,000 readers to 10", m["ratio"], 1.2, "×")
}
