package bench

import (
	"bytes"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// bursts are how many readers hear an agent that says so many events as fast as they are taken.
var bursts = []struct {
	readers, events   int
	cpu, bridged, not string
}{
	{1, 100_000, "burst to 1 reader: CPU per delivery, ", "burst to 1 reader: CPU per delivery with the bridge, ", "burst to 1 reader: lost, "},
	{10, 100_000, "burst to 10 readers: CPU per delivery, ", "burst to 10 readers: CPU per delivery with the bridge, ", "burst to 10 readers: lost, "},
	{100, 40_000, "burst to 100 readers: CPU per delivery, ", "burst to 100 readers: CPU per delivery with the bridge, ", "burst to 100 readers: lost, "},
}

// TestPeersBurst is one agent with 1, 10 and 100 readers, as fast as possible, through the daemon, the reference and brokers that one might take instead.
// The processor time is that of the server alone, which favours brokers: the daemon and the reference read the agent's pipe themselves, and have it
// counted. NATS and Redis keep nothing; JetStream and streams write to the disk, as the daemon does.
func TestPeersBurst(t *testing.T) {
	needsProgram(t)
	all := peers(t, 1)
	for _, b := range bursts {
		var names []string
		for _, p := range all {
			names = append(names, p.name, p.name+" bridged")
		}
		lost := map[string]float64{} // in all rounds
		m := medians(t, names, func() (values []float64) {
			for _, p := range all {
				server, both, less := p.burst(t, b.events, b.readers)
				values = append(values, server, both)
				lost[p.name] += less
			}
			return values
		})
		for _, p := range all {
			aside(t, b.cpu+p.name, m[p.name], "µs")
			if p.bridge != nil {
				aside(t, b.bridged+p.name, m[p.name+" bridged"], "µs")
			}
			if p.name == "Ringmaster" {
				atMost(t, b.not+p.name, lost[p.name], 0, "")
			} else {
				aside(t, b.not+p.name, lost[p.name], "")
			}
		}
	}
}

// burst gives the processor microseconds per delivery of the server, and of it with its bridge, and how many events some reader did not get.
func (p *peer) burst(t *testing.T, events, readers int) (server, both, lost float64) {
	t.Helper()
	c := newCrowd(t)
	var heard atomic.Int64
	for range readers {
		c.hear(p.join(c, 0), &heard)
	}
	before, bothBefore := p.cpu()
	p.prompt(0, fmt.Sprintf("flood %d", events))
	c.wait()
	after, bothAfter := p.cpu()
	c.leave()
	p.rest()
	n := float64(heard.Load())
	if n == 0 {
		t.Fatalf("%s: nobody has heard anything", p.name)
	}
	return (after - before) * 1e6 / n, (bothAfter - bothBefore) * 1e6 / n, float64(events*readers) - n
}

// hear counts the texts of a burst, each of which has one ~, up to the last one, which has the only @: single bytes, since what carries the texts may
// cut them anywhere. A reader that is cut off, or hears nothing for long, has heard what it has.
func (c *crowd) hear(conn net.Conn, heard *atomic.Int64) {
	c.wg.Go(func() {
		for buf := make([]byte, 256<<10); ; {
			_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
			n, err := conn.Read(buf)
			if err != nil {
				return
			}
			heard.Add(int64(bytes.Count(buf[:n], []byte("~"))))
			if bytes.IndexByte(buf[:n], '@') >= 0 {
				heard.Add(1)
				return
			}
		}
	})
}

// TestPeersPaced is 20 agents with 10 readers each at 50 events per second, through each of them.
func TestPeersPaced(t *testing.T) {
	needsProgram(t)
	pc := pace{20, 10, 50, 3}
	all := peers(t, pc.sessions)
	var names []string
	for _, p := range all {
		names = append(names, p.name, p.name+" bridged", p.name+" p50", p.name+" p99")
	}
	m := medians(t, names, func() (values []float64) {
		for _, p := range all {
			values = append(values, p.paced(t, pc)...)
		}
		return values
	})
	for _, p := range all {
		aside(t, "paced 20 × 10 × 50/s: CPU per delivery, "+p.name, m[p.name], "µs")
		if p.bridge != nil {
			aside(t, "paced 20 × 10 × 50/s: CPU per delivery with the bridge, "+p.name, m[p.name+" bridged"], "µs")
		}
		aside(t, "paced 20 × 10 × 50/s: p50, "+p.name, m[p.name+" p50"], "ms")
		aside(t, "paced 20 × 10 × 50/s: p99, "+p.name, m[p.name+" p99"], "ms")
	}
}

// paced gives the processor microseconds per delivery, without the bridge and with it, and how late events come, p50 and p99.
func (p *peer) paced(t *testing.T, pc pace) []float64 {
	t.Helper()
	c := newCrowd(t)
	n := pc.perSecond * pc.seconds
	for agent := range pc.sessions {
		for range pc.readers {
			conn := p.join(c, agent)
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute)) // what does not come until then is told as missing
			c.follow(conn, n, true)
		}
	}
	before, bothBefore := p.cpu()
	for agent := range pc.sessions {
		p.prompt(agent, fmt.Sprintf("pace %d %d", n, 1_000_000/pc.perSecond))
	}
	c.wait()
	after, bothAfter := p.cpu()
	c.leave()
	p.rest()
	each := 1e6 / float64(n*pc.sessions*pc.readers)
	if want, got := int64(n*pc.sessions*pc.readers), c.late.TotalCount(); got != want {
		t.Errorf("%s: %d of %d events have come", p.name, got, want)
	}
	return []float64{(after - before) * each, (bothAfter - bothBefore) * each, ms(c.late, 50), ms(c.late, 99)}
}
