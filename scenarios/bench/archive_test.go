//go:build linux

package bench

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestArchive is what keeping native lines costs beside everything else that is done for an event, on one core, on both wires of Pi: that of 1.5, and that
// of 0.73, where each update has the whole message twice.
func TestArchive(t *testing.T) {
	needsProgram(t)
	for _, wire := range []struct {
		name, prompt string
		events       int
	}{
		{"Pi 1.5's wire", "write", 300_000},
		{"Pi 0.73's wire", "repeat", 12_000},
	} {
		m := medians(t, []string{"without", "with", "ratio", "rate without", "rate"}, func() []float64 {
			without, rateWithout := flooded(t, wire.prompt, wire.events, "--raw-limit", "0")
			with, rate := flooded(t, wire.prompt, wire.events)
			return []float64{without, with, (with - without) / without * 100, rateWithout, rate}
		})
		aside(t, "archive: CPU per event without it, "+wire.name, m["without"], "µs")
		aside(t, "archive: CPU per event with it, "+wire.name, m["with"], "µs")
		atMost(t, "archive: what it adds to the product's CPU, "+wire.name, m["ratio"], 25, "%")
		aside(t, "archive: rate without it, "+wire.name, m["rate without"], "events/s")
		aside(t, "archive: rate with it, "+wire.name, m["rate"], "events/s")
	}
}

// flooded gives the CPU per event in µs and the rate of a new daemon on one core with one agent that floods.
func flooded(t *testing.T, prompt string, events int, args ...string) (micros, rate float64) {
	t.Helper()
	var p *process
	pinned(t, func() { p = startDaemon(t, "", args...) })
	defer p.stop()
	session := p.create()
	before, begin := p.cpu(), time.Now()
	p.prompt(session, fmt.Sprintf("%s %d", prompt, events))
	p.idle(session)
	return (p.cpu() - before) * 1e6 / float64(events), float64(events) / time.Since(begin).Seconds()
}

// pinned has what is started meanwhile run on one core only.
func pinned(t *testing.T, start func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	for i := range 1024 {
		if all.IsSet(i) {
			one.Set(i)
			break
		}
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.SchedSetaffinity(0, &all) }()
	start()
}
