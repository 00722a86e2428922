package memory_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/coretest"
	"github.com/ringmaster-agents/ringmaster/actors/core/coretest/doorstest"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/fate"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// TestCore holds the Core in memory against the contract.
//
// Proves: I16.3/core, I16.6/at-work
func TestCore(t *testing.T) {
	coretest.Run(t, func(*testing.T) *coretest.Place {
		p := new(memory.Place)
		return &coretest.Place{
			Long: true,
			Way:  func(testing.TB) core.Core { return p.Core() },
			Turn: p.Turn,
			Disturb: func(on bool) {
				if p.Disturb(nil, nil); on {
					p.Disturb(fate.Sometimes(1, errLost), fate.Sometimes(2, errLost))
				}
			},
		}
	})
}

// TestDoors holds the credentials of a Core in memory against their contract.
//
// Proves: I16.3/credentials
func TestDoors(t *testing.T) {
	doorstest.Run(t, func(*testing.T) doorstest.Place {
		p := new(memory.Place)
		return doorstest.Place{Core: p.Core(), Doors: p.Doors()}
	})
}
