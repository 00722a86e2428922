package memory_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/actors/store/storetest"
)

// TestStore holds the store in memory against the rules of all stores.
//
// Proves: I12/store
func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) *storetest.Place { return place(new(memory.Store)) })
}

func place(s *memory.Store) *storetest.Place {
	return &storetest.Place{
		Store: s, Break: s.Break, Damage: s.Damage,
		Kill:      func() *storetest.Place { return place(s.Kill()) },
		PowerLoss: func(random *rand.Rand) *storetest.Place { return place(s.PowerLoss(random)) },
	}
}
