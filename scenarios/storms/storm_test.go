package storms

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// storms are those that one daemon stands one after the other.
var storms = []struct {
	name string
	blow func(*testing.T, *daemon)
}{
	{"reconnects", reconnects},
	{"stalled readers", stalledReaders},
	{"trickle", trickling},
	{"crash loops", crashLoops},
	{"flood", flooding},
	{"giant line", giantLine},
	{"hostile input", hostileInput},
	{"neighbours", neighbours},
}

// TestStorms lets the storms loose: at full size one after the other on one daemon, which is then back where it was; else side by
// side, each on its own, since they wait most of the time.
// Proves: T37
func TestStorms(t *testing.T) {
	needProcess(t)
	if !size.full {
		t.Parallel()
		for _, s := range storms {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				d := start(t, confined{env: hostile(t)})
				s.blow(t, d)
				d.stop()
			})
		}
		return
	}
	d := start(t, confined{env: hostile(t)})
	base := d.mustVitals()
	for _, s := range storms {
		t.Run(s.name, func(t *testing.T) {
			here := *d
			here.t = t
			s.blow(t, &here)
		})
	}
	calm(t, d, base)
	d.stop()
}

// calm looks at a daemon that has everything behind it and nothing to do (P17).
func calm(t *testing.T, d *daemon, base vitals) {
	t.Helper()
	d.returns(base, 20*time.Second)
	const kept = 48 << 20
	_ = eventually(t.Context(), 3*time.Minute, func() error { // the runtime looks every two minutes for what it can give back
		if now := d.mustVitals(); now.rss > base.rss+kept {
			return errNever
		}
		return nil
	})
	now := d.mustVitals()
	t.Logf("before: %v\nafter:  %v", base, now)
	sessions, err := os.ReadDir(filepath.Join(d.data, "sessions"))
	if err != nil {
		t.Error(err)
	}
	count(t, "sessions' folders left after all storms", "P17", len(sessions))
	atMost(t, figures.Figure{Name: "goroutines left after all storms", Value: float64(now.goroutines - base.goroutines), Promise: "P17"}, slack, slack)
	atMost(t, figures.Figure{Name: "descriptors left after all storms", Value: float64(now.descriptors - base.descriptors), Promise: "P17"}, slack, slack)
	atMost(t, figures.Figure{Name: "RSS left after all storms", Value: float64(now.rss-base.rss) / (1 << 20), Unit: "MiB", Promise: "P19"}, kept>>20, 4*kept>>20)
}

// hostile puts an agent that says what it likes in place of Pi.
func hostile(t *testing.T) (env []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pi")
	if err := os.WriteFile(path, []byte(agentScript), 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{"RINGMASTER_PI=" + path}
}
