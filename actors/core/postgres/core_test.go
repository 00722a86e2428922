package postgres_test

import (
	"context"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/coretest"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
)

// migrated is a database with the tables.
func migrated(t testing.TB) string {
	t.Helper()
	url := pgtest.Database(t)
	if _, _, err := postgres.Migrate(t.Context(), url, postgres.Options{}); err != nil {
		t.Fatal(err)
	}
	return url
}

// opened tries until the database answers: connections may be cut while they are made.
func opened(t testing.TB, url string, options postgres.Options) core.Core {
	t.Helper()
	for {
		c, err := postgres.Open(t.Context(), url, options)
		if err == nil {
			return c
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

// TestCore holds the Core on PostgreSQL against the contract. Each way has two connections, so that one which is not given back is missed.
//
// Proves: I16.3/core
func TestCore(t *testing.T) {
	for name, mode := range modes {
		if mode != "" && !full {
			continue
		}
		t.Run(name, func(t *testing.T) {
			coretest.Run(t, func(t *testing.T) *coretest.Place {
				p, url := between(t, migrated(t))
				return &coretest.Place{
					Way:     func(t testing.TB) core.Core { return opened(t, url+mode, postgres.Options{Connections: 2}) },
					Disturb: p.cutting.Store, Long: full,
				}
			})
		})
	}
}

func open(ctx context.Context, t *testing.T, url string) core.Core {
	t.Helper()
	c, err := postgres.Open(ctx, url, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}
