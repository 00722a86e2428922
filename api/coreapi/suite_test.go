package coreapi_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold/coldtest"
	"github.com/ringmaster-agents/ringmaster/actors/core/coretest"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/actors/core/remote"
	"github.com/ringmaster-agents/ringmaster/actors/fate/network"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	objectsmemory "github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/objects/objectstest"
	"github.com/ringmaster-agents/ringmaster/api/coreapi"
)

// full is the core lane's.
var full = os.Getenv("RINGMASTER_CORE") == "full"

// open lets everybody in as if he were the server itself: the suites speak for many nodes at once.
type open struct{}

func (open) Find(context.Context, [sha256.Size]byte) (coreapi.Grant, bool, error) {
	return coreapi.Grant{Any: true}, true, nil
}

func (open) Bind(context.Context, string, string) (bool, error) { return false, nil }

// served starts a server, and gives its address.
func served(t testing.TB, cfg coreapi.Config) string {
	t.Helper()
	l := listen(t)
	serve(t, l, cfg)
	return "http://" + l.Addr().String()
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func serve(t testing.TB, l net.Listener, cfg coreapi.Config) {
	t.Helper()
	if cfg.Doors == nil {
		cfg.Doors = open{}
	}
	s := coreapi.New(cfg)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := errors.Join(s.Close(ctx), <-ended); err != nil {
			t.Error(err)
		}
	})
}

// through has a server's connections be cut.
func through(t testing.TB, cfg coreapi.Config) (*network.Network, string) {
	t.Helper()
	l := listen(t)
	proxy, address := network.Before(t, "http://"+l.Addr().String())
	cfg.Hosts = []string{strings.TrimPrefix(address, "http://")}
	serve(t, l, cfg)
	return proxy, address
}

func token() (string, error) { return "a token", nil }

// opened tries until the server answers: connections may be cut while they are made.
func opened(t testing.TB, address string) core.Core {
	t.Helper()
	for {
		c, err := remote.Open(t.Context(), address, remote.Options{Token: token})
		if err == nil {
			return c
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

// TestCore holds Core over HTTP against the contract, in front of a Core in memory.
//
// Proves: I16.3/http
func TestCore(t *testing.T) {
	coretest.Run(t, func(t *testing.T) *coretest.Place {
		p := new(memory.Place)
		proxy, address := through(t, coreapi.Config{Connect: func(context.Context) (core.Core, error) { return p.Core(), nil }})
		return &coretest.Place{
			Way:  func(t testing.TB) core.Core { return opened(t, address) },
			Turn: p.Turn, Disturb: proxy.Disturb,
		}
	})
}

// TestCoreOnDatabase holds Core over HTTP against the contract, in front of PostgreSQL, of which connections are cut as well.
//
// Proves: I16.3/http
func TestCoreOnDatabase(t *testing.T) {
	if !full {
		t.Skip("it takes a minute: task core does it, and go test ./actors/core/postgres holds the database alone against the contract")
	}
	coretest.Run(t, func(t *testing.T) *coretest.Place {
		direct := migrated(t)
		behind, url := network.Before(t, direct)
		before, address := through(t, coreapi.Config{
			Connect: func(ctx context.Context) (core.Core, error) {
				return postgres.Open(ctx, url, postgres.Options{Connections: 4})
			},
		})
		return &coretest.Place{
			Way:  func(t testing.TB) core.Core { return opened(t, address) },
			Turn: pgtest.Turning(t, direct), Long: full,
			Disturb: func(on bool) {
				behind.Disturb(on)
				before.Disturb(on)
			},
		}
	})
}

// TestCold holds the cold side of Core over HTTP, and an object store over HTTP, against their contract.
func TestCold(t *testing.T) {
	coldtest.Run(t, func(t *testing.T) *coldtest.Place {
		p, o := new(memory.Place), new(objectsmemory.Place)
		proxy, address := through(t, coreapi.Config{
			Connect: func(context.Context) (core.Core, error) { return p.Core(), nil },
			Objects: func() (objects.Store, error) { return o.Store(), nil },
		})
		return &coldtest.Place{
			Way:   func(t testing.TB) core.Core { return opened(t, address) },
			Store: func() objects.Store { return remote.Objects(address, remote.Options{Token: token}) },
			Turn:  p.Turn, Disturb: proxy.Disturb,
		}
	})
}

// TestObjects holds the object store that nodes reach through Core against the contract of object stores.
//
// Proves: I16.5/through-core
func TestObjects(t *testing.T) {
	objectstest.Run(t, func(t testing.TB) *objectstest.Place {
		o := new(objectsmemory.Place)
		address := served(t, coreapi.Config{
			Connect: func(context.Context) (core.Core, error) { return new(memory.Place).Core(), nil },
			Objects: func() (objects.Store, error) { return o.Store(), nil },
		})
		return &objectstest.Place{Way: func(testing.TB) objects.Store { return remote.Objects(address, remote.Options{Token: token}) }}
	})
}

// migrated is a database with the tables.
func migrated(t testing.TB) string {
	t.Helper()
	url := pgtest.Database(t)
	if _, _, err := postgres.Migrate(t.Context(), url, postgres.Options{}); err != nil {
		t.Fatal(err)
	}
	return url
}
