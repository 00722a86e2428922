package bench

import "testing"

// TestManyJournals is 900 sessions at work, each at 2 events per second, with the default durability beside one that syncs nothing: what the syncs of many
// journals cost those who read.
// Proves: T37
func TestManyJournals(t *testing.T) {
	needsProgram(t)
	startChoir(t)
	const sessions = 900
	pc := pace{sessions, 1, 2, 8}
	interval, plain := startDaemon(t, ""), startDaemon(t, "", "--durability", "os")
	synced, unsynced := interval.sessions(sessions), plain.sessions(sessions)
	m := medians(t, []string{"os cpu", "cpu", "os p99", "p50", "p99", "ratio"}, func() []float64 {
		osCPU, osLate := pc.steady(plain, unsynced, pc.singles(t, plain, unsynced))
		cpu, late := pc.steady(interval, synced, pc.singles(t, interval, synced))
		return []float64{osCPU * 100, cpu * 100, ms(osLate, 99), ms(late, 50), ms(late, 99), ms(late, 99) / ms(osLate, 99)}
	})
	aside(t, "900 sessions × 2/s, os: CPU", m["os cpu"], "%")
	aside(t, "900 sessions × 2/s, os: p99", m["os p99"], "ms")
	aside(t, "900 sessions × 2/s, interval: CPU", m["cpu"], "%")
	aside(t, "900 sessions × 2/s, interval: p50", m["p50"], "ms")
	aside(t, "900 sessions × 2/s, interval: p99", m["p99"], "ms")
	atMost(t, "900 sessions × 2/s, interval: p99", m["ratio"], 2, "× os")
}
