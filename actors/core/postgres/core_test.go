package postgres_test

import (
	"context"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/coretest"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/actors/fate/network"
	"github.com/ringmaster-agents/ringmaster/actors/store"
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
				direct := migrated(t)
				p, url := network.Before(t, direct)
				return &coretest.Place{
					Turn:    pgtest.Turning(t, direct),
					Way:     func(t testing.TB) core.Core { return opened(t, url+mode, postgres.Options{Connections: 2}) },
					Disturb: p.Disturb, Long: full,
				}
			})
		})
	}
}

// taken has the owner of a session append to it, and gives where that stands then.
func taken(ctx context.Context, t testing.TB, c core.Core, p core.Position, s store.Stretch) core.Position {
	t.Helper()
	a, err := c.Append(ctx, []core.Batch{{Session: p.Session, Lease: p.Lease, Stretch: s}})
	if err != nil || !a[0].Taken {
		t.Fatal(a, err)
	}
	return a[0].At
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
