package memory_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/coretest"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// TestCore holds the Core in memory against the contract.
//
// Proves: I16.3/core
func TestCore(t *testing.T) {
	coretest.Run(t, func(*testing.T) *coretest.Place {
		p := new(memory.Place)
		return &coretest.Place{
			Long: true,
			Way:  func(testing.TB) core.Core { return p.Core() },
			Disturb: func(on bool) {
				if p.Disturb(nil, nil); on {
					p.Disturb(sometimes(1), sometimes(2))
				}
			},
		}
	})
}

// sometimes fails one call of twelve.
func sometimes(seed uint64) func(op string) error {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(seed, 0))
	return func(string) error {
		mu.Lock()
		defer mu.Unlock()
		if random.IntN(12) == 0 {
			return errLost
		}
		return nil
	}
}
