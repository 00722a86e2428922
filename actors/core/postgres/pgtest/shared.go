package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Env names a server to test with in the place of a private one: the URL of a database whose user may make databases.
const Env = "RINGMASTER_TEST_POSTGRES"

// shared is the server of all tests of a process that do not kill it.
var shared struct {
	once   sync.Once
	server *Server
	url    string
	err    error
	count  atomic.Int64
}

// Tests are a package's tests, behind which the server that they share is stopped.
type Tests struct{ Tests interface{ Run() int } }

// Run runs them.
func (t Tests) Run() (code int) {
	defer func() {
		if shared.server != nil {
			shared.server.Stop()
		}
	}()
	return t.Tests.Run()
}

// Private starts a server for one test, which may kill it. The test is skipped where there are no programs for it.
func Private(t testing.TB) *Server {
	t.Helper()
	s, err := Start(t.Context())
	skip(t, err)
	t.Cleanup(s.Stop)
	return s
}

// Database makes an empty database for one test, on the server that Env names or a private one that tests share, and gives its URL. Behind the
// test it is removed, with its connections. The test is skipped where there is no server.
func Database(t testing.TB) string {
	t.Helper()
	shared.once.Do(func() {
		if shared.url = os.Getenv(Env); shared.url == "" {
			if shared.server, shared.err = Start(context.Background()); shared.err == nil {
				shared.url = shared.server.URL("postgres")
			}
		}
	})
	skip(t, shared.err)
	name := fmt.Sprintf("ringmaster_test_%d_%d", os.Getpid(), shared.count.Add(1))
	Exec(t, shared.url, "CREATE DATABASE "+name)
	t.Cleanup(func() {
		Exec(t, shared.url, "DROP DATABASE "+name+" WITH (FORCE)")
	})
	address, err := url.Parse(shared.url)
	if err != nil {
		t.Fatal("the address of the server is no URL")
	}
	address.Path = "/" + name
	return address.String()
}

// Exec runs statements on a connection of their own.
func Exec(t testing.TB, address string, statements ...string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context()) // also behind the test
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	if err := conn.Close(ctx); err != nil {
		t.Error(err)
	}
}

func skip(t testing.TB, err error) {
	t.Helper()
	if isMissing(err) {
		t.Skipf("%v; %s names a server to use", err, Env)
	}
	if err != nil {
		t.Fatal(err)
	}
}
