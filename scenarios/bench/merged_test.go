package bench

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMergedPaced is 500 sessions at work, each at 20 events per second, over one merged stream, beside the same over 500 streams of one session each.
func TestMergedPaced(t *testing.T) {
	needsProgram(t)
	const sessions = 500
	pc := pace{sessions, 1, 20, 6}
	startChoir(t)
	p := startDaemon(t, "")
	list := p.sessions(sessions)
	m := medians(t, []string{"single", "cpu", "ratio", "single p99", "p50", "p99"}, func() []float64 {
		singleShare, singleLate := pc.steady(p, list, pc.singles(t, p, list))
		share, late := pc.steady(p, list, pc.mergedCrowd(t, p, list))
		perSecond := float64(pc.perSecond * sessions)
		return []float64{singleShare * 1e6 / perSecond, share * 1e6 / perSecond, share / singleShare, ms(singleLate, 99), ms(late, 50), ms(late, 99)}
	})
	aside(t, "500 sessions × 20/s over single streams: CPU per delivery", m["single"], "µs")
	aside(t, "500 sessions × 20/s over one stream: CPU per delivery", m["cpu"], "µs")
	atMost(t, "500 sessions × 20/s over one stream: CPU per delivery", m["ratio"], 1.3, "× single streams")
	aside(t, "500 sessions × 20/s over single streams: p99 from the agent's line to the reader", m["single p99"], "ms")
	aside(t, "500 sessions × 20/s over one stream: p50 from the agent's line to the reader", m["p50"], "ms")
	atMost(t, "500 sessions × 20/s over one stream: p99 from the agent's line to the reader", m["p99"], 20, "ms")
}

// TestMergedNeighbours: of 1,000 sessions over one stream one floods, and the others come no more than twice as late. Of these 100 speak.
func TestMergedNeighbours(t *testing.T) {
	needsProgram(t)
	data := filepath.Join(t.TempDir(), "data")
	for _, dir := range []string{data, filepath.Join(data, "sessions")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 900 {
		writeSession(t, data, i)
	}
	startChoir(t)
	p := startDaemon(t, data)
	const speak = 100
	list, noisy := p.sessions(speak-1), p.create()
	pc := pace{speak - 1, 1, 5, 6}
	m := medians(t, []string{"alone", "beside", "ratio"}, func() []float64 {
		_, alone := pc.steady(p, list, pc.mergedCrowd(t, p, list))
		p.prompt(noisy, "flood 100000000")
		_, beside := pc.steady(p, list, pc.mergedCrowd(t, p, list))
		p.do("POST", noisy+"/end", nil, nil)
		noisy = p.create()
		return []float64{ms(alone, 99), ms(beside, 99), ms(beside, 99) / ms(alone, 99)}
	})
	aside(t, "p99 of 99 sessions over one stream of 1,000", m["alone"], "ms")
	aside(t, "p99 of them beside one that floods, over the same stream", m["beside"], "ms")
	atMost(t, "a flood in a merged stream: p99 of the others", m["ratio"], 2, "×")
}
