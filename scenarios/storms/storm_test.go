package storms

import (
	"os"
	"path/filepath"
	"testing"
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
}

// TestStorms lets the storms loose: at full size one after the other on one daemon, which is then back where it was; else side by
// side, each on its own, since they wait most of the time.
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
	for _, s := range storms {
		t.Run(s.name, func(t *testing.T) {
			here := *d
			here.t = t
			s.blow(t, &here)
		})
	}
	d.stop()
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
