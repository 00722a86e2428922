package postgres_test

import (
	"sync/atomic"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold/coldtest"
	"github.com/ringmaster-agents/ringmaster/actors/core/coretest"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/actors/fate/network"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects/memory"
)

// TestNobodyCanTell: a database whose events go into objects all the time is a Core as any other.
//
// Proves: I16.5/byte-equal
func TestNobodyCanTell(t *testing.T) {
	var moved atomic.Int64
	coretest.Run(t, func(t *testing.T) *coretest.Place {
		direct := migrated(t)
		p, url := network.Before(t, direct)
		o := new(memory.Place)
		return &coretest.Place{
			Turn: pgtest.Turning(t, direct),
			Way: func(t testing.TB) core.Core {
				return coldtest.Eager(opened(t, url, postgres.Options{Connections: 2}), o.Store(), &moved)
			},
			Disturb: p.Disturb, Long: full,
		}
	})
	t.Logf("%d segments were made", moved.Load())
	if moved.Load() < 500 {
		t.Error("hardly anything was moved")
	}
}

// TestCold holds a database, and a store in a folder, against the contract of moving events.
//
// Proves: I16.5/compactor, I16.5/away
func TestCold(t *testing.T) {
	coldtest.Run(t, func(t *testing.T) *coldtest.Place {
		direct := migrated(t)
		p, url := network.Before(t, direct)
		dir := t.TempDir()
		return &coldtest.Place{
			Long:    full,
			Way:     func(t testing.TB) core.Core { return opened(t, url, postgres.Options{Connections: 2}) },
			Store:   func() objects.Store { return must(disk.Open(dir, disk.Options{})) },
			Turn:    pgtest.Turning(t, direct),
			Disturb: p.Disturb,
		}
	})
}
