package robust

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
)

// TestKills is the kill lane: P1 to P6, P15 and P21 of one daemon.
// Proves: 002.3.1, 002.9.1/written, T27, P1/immutable, I2/key, I2/kill, I2/load, I2/left, I5/kills, I13.4/kills, I13.11/removed
func TestKills(t *testing.T) {
	if wanted.perPoint+wanted.random == 0 {
		t.Skip("run task robust")
	}
	t.Logf("seed %d", wanted.seed)
	base := keep(t, "kills")
	p := newPlan(rand.New(rand.NewPCG(wanted.seed, 0)), wanted.perPoint, wanted.random)
	planned, c := len(p.left), newTally()
	var wg sync.WaitGroup
	for i := range wanted.arenas {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(wanted.seed, uint64(i+1)))
			for folder := 0; ; folder++ {
				dir := filepath.Join(base, fmt.Sprintf("%d.%d", i, folder))
				done, err := tell(t.Context(), dir, random, p, c)
				if err != nil {
					c.failed(err)
					p.stop()
					t.Error(err)
				}
				if done || err != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	c.report(t, planned)
}
