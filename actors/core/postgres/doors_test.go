package postgres_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core/coretest/doorstest"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
)

// TestDoors holds the credentials of a database against their contract.
//
// Proves: I16.3/credentials
func TestDoors(t *testing.T) {
	doorstest.Run(t, func(t *testing.T) doorstest.Place {
		url := migrated(t)
		p := doorstest.Place{Core: opened(t, url, postgres.Options{}), Doors: must(postgres.OpenDoors(t.Context(), url, postgres.Options{}))}
		t.Cleanup(p.Core.Close)
		t.Cleanup(p.Doors.Close)
		return p
	})
}
