package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// pace is so many sessions with readers, whose agents say so many events per second for some seconds.
type pace struct{ sessions, readers, perSecond, seconds int }

// run gives the CPU microseconds per delivery and how late events come.
func (pc pace) run(t *testing.T, p *process, sessions []string) (float64, *hdrhistogram.Histogram) {
	t.Helper()
	return pc.measure(p, sessions, pc.singles(t, p, sessions))
}

// mergedCrowd has one merged stream for each reader.
func (pc pace) mergedCrowd(t *testing.T, p *process, sessions []string) *crowd {
	t.Helper()
	c := newCrowd(t)
	for range pc.readers {
		c.follow(c.openMerged(p, `{"select":{},"begin":"newest"}`), pc.perSecond*pc.seconds*len(sessions), true)
	}
	return c
}

// singles has a stream of its own for each session and reader.
func (pc pace) singles(t *testing.T, p *process, sessions []string) *crowd {
	t.Helper()
	c := newCrowd(t)
	for _, s := range sessions {
		since := p.newest(s)
		for range pc.readers {
			c.follow(c.open(p, s+"/stream"+since), pc.perSecond*pc.seconds, true)
		}
	}
	return c
}

// steady measures readers of sessions that are all at work: their agents begin together once each has its prompt, and the first and the last second are
// read and not counted. It gives the daemon's processor time in between, as a share of one processor, and how late events come.
func (pc pace) steady(p *process, sessions []string, c *crowd) (share float64, late *hdrhistogram.Histogram) {
	p.t.Helper()
	begin := time.Now().Add(time.Second + time.Duration(len(sessions))*10*time.Millisecond)
	for _, s := range sessions {
		p.prompt(s, fmt.Sprintf("pace %d %d %d", pc.perSecond*pc.seconds, 1_000_000/pc.perSecond, begin.UnixMilli()))
	}
	if behind := time.Since(begin); behind > 0 {
		p.t.Fatalf("the prompts took %v longer than they have", behind)
	}
	from, until := begin.Add(time.Second), begin.Add(time.Duration(pc.seconds-1)*time.Second)
	c.from.Store(from.UnixNano())
	c.until.Store(until.UnixNano())
	<-time.After(time.Until(from))
	before := p.cpu()
	<-time.After(time.Until(until))
	used := p.cpu() - before
	c.wait()
	c.leave()
	for _, s := range sessions {
		p.idle(s)
	}
	return used / until.Sub(from).Seconds(), c.late
}

// measure lets the agents speak to readers that are there.
func (pc pace) measure(p *process, sessions []string, c *crowd) (float64, *hdrhistogram.Histogram) {
	n := pc.perSecond * pc.seconds
	before := p.cpu()
	for _, s := range sessions {
		p.prompt(s, fmt.Sprintf("pace %d %d", n, 1_000_000/pc.perSecond))
	}
	c.wait()
	used := p.cpu() - before
	c.leave()
	if p.auth != "" {
		for _, s := range sessions {
			p.idle(s)
		}
	}
	return used * 1e6 / float64(n*len(sessions)*pc.readers), c.late
}

func ms(h *hdrhistogram.Histogram, q float64) float64 { return float64(h.ValueAtQuantile(q)) / 1000 }

// TestPaced is 20 sessions with 10 readers each at 50 events per second, from the agents' pipes to the sockets. Beside the reference
// of the goal, which forgets what is said with its end, is one that writes it to files before it shows it, and syncs them as often.
// Proves: T37
func TestPaced(t *testing.T) {
	needsProgram(t)
	pc := pace{20, 10, 50, 3}
	p, reference, journalling := startDaemon(t, ""), startReference(t, 20), startJournalling(t, 20)
	sessions, agents := p.sessions(20), reference.sessions(20)
	names := []string{"ref cpu", "cpu", "cpu ratio", "journalled", "ref p50", "p50", "p50 ratio", "ref p99", "p99", "p99 ratio"}
	m := medians(t, names, func() []float64 {
		refCPU, refLate := pc.run(t, reference, agents)
		journalCPU, _ := pc.run(t, journalling, agents)
		cpu, late := pc.run(t, p, sessions)
		return []float64{
			refCPU, cpu, cpu / refCPU, cpu / journalCPU, ms(refLate, 50), ms(late, 50), ms(late, 50) / ms(refLate, 50),
			ms(refLate, 99), ms(late, 99), ms(late, 99) / ms(refLate, 99),
		}
	})
	aside(t, "paced 20 × 10 × 50/s, reference: CPU per delivery", m["ref cpu"], "µs")
	aside(t, "paced 20 × 10 × 50/s: CPU per delivery", m["cpu"], "µs")
	atMost(t, "paced 20 × 10 × 50/s: CPU per delivery", m["cpu ratio"], 1.1, "× reference")
	aside(t, "paced 20 × 10 × 50/s: CPU per delivery, to a reference with a journal", m["journalled"], "×")
	aside(t, "paced 20 × 10 × 50/s: p50", m["p50"], "ms")
	atMost(t, "paced 20 × 10 × 50/s: p50", m["p50 ratio"], 1.2, "× reference")
	aside(t, "paced 20 × 10 × 50/s: p99", m["p99"], "ms")
	atMost(t, "paced 20 × 10 × 50/s: p99", m["p99 ratio"], 1.5, "× reference")
}

// TestHundredSessions is promise P32: 100 sessions at 20 events per second, each on the disk before it is shown.
// Proves: T37
func TestHundredSessions(t *testing.T) {
	needsProgram(t)
	pc := pace{100, 1, 20, 3}
	p := startDaemon(t, "", "--durability", "always")
	sessions := p.sessions(100)
	m := medians(t, []string{"p50", "p99"}, func() []float64 {
		_, late := pc.run(t, p, sessions)
		return []float64{ms(late, 50), ms(late, 99)}
	})
	atMost(t, "100 sessions × 20/s, always: p50 from the agent's line to the socket", m["p50"], 1, "ms")
	atMost(t, "100 sessions × 20/s, always: p99 from the agent's line to the socket", m["p99"], 20, "ms")
}

// TestSlowReaders: 20 readers that stop reading change nothing for 20 that read.
func TestSlowReaders(t *testing.T) {
	needsProgram(t)
	pc := pace{1, 20, 500, 3}
	p := startDaemon(t, "")
	sessions := p.sessions(1)
	m := medians(t, []string{"p99", "beside", "ratio"}, func() []float64 {
		_, alone := pc.run(t, p, sessions)
		slow := newCrowd(t)
		for range 20 {
			slow.open(p, sessions[0]+"/stream") // the whole log waits in it
		}
		_, beside := pc.run(t, p, sessions)
		slow.leave()
		return []float64{ms(alone, 99), ms(beside, 99), ms(beside, 99) / ms(alone, 99)}
	})
	aside(t, "p99 of 20 readers", m["p99"], "ms")
	aside(t, "p99 of 20 readers beside 20 that stopped reading", m["beside"], "ms")
	atMost(t, "slow readers: p99 of the others", m["ratio"], 1.1, "×")
}
