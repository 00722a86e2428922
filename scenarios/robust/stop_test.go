package robust

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// TestStops ends a daemon with SIGTERM under load, again and again (P20): within its time and in order, with no process left,
// and its successor has everything that anybody was told.
// Proves: I5/stop
func TestStops(t *testing.T) {
	if wanted.stops == 0 {
		t.Skip("run task robust")
	}
	base := keep(t, "stops")
	c := newTally()
	random := rand.New(rand.NewPCG(wanted.seed, 99))
	var a *arena
	for n := range wanted.stops {
		if n%folderKills == 0 {
			if a != nil {
				if err := a.settle(t.Context()); err != nil {
					t.Fatal(run("the end of the folder", a.files()).Fail(err))
				}
			}
			var err error
			if a, err = newArena(t.Context(), filepath.Join(base, fmt.Sprint(n)), random, nil, c); err != nil {
				t.Fatal(err)
			}
			defer a.daemon.kill()
		}
		k := kill{term: true, after: time.Duration(random.IntN(200)) * time.Millisecond}
		if _, err := a.live(t.Context(), k); err != nil {
			t.Fatal(run(k.String(), a.files()).Fail(err))
		}
	}
	if err := a.settle(t.Context()); err != nil {
		t.Fatal(run("the end of the folder", a.files()).Fail(err))
	}
	t.Logf("%d stops: p50 %s, p99 %s, longest %s", len(c.stops), percentile(c.stops, 0.5), percentile(c.stops, 0.99), percentile(c.stops, 1))
	longest := percentile(c.stops, 1)
	found = append(found,
		figures.Figure{Name: "stops under load", Value: float64(len(c.stops)), Promise: "P20"},
		figures.Figure{Name: "stops over time, or that left something", Promise: "P20", Goal: "0"}, // else the test has failed
		figures.Figure{Name: "longest stop", Value: ms(longest), Unit: "ms", Promise: "P20", Goal: "≤ 10000", Missed: longest > audit.StopTime},
	)
}
