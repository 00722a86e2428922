package opencode_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

var errNoProcess = errors.New("no process")

// launched keeps what it was to start.
type launched struct{ adapters.Launch }

func (l *launched) Start(_ context.Context, launch adapters.Launch) (adapters.Conn, error) {
	l.Launch = launch
	return nil, errNoProcess
}

// TestConnectStarts: the operator's variables win over the quiet defaults, and a server has a password.
func TestConnectStarts(t *testing.T) {
	var l launched
	spec := adapters.Spec{Program: "/bin/opencode", Cwd: "/w", Args: []string{"--print-logs"}, Env: []string{"A=b", "OPENCODE_DISABLE_SHARE=0"}}
	if _, err := (opencode.Agent{}).Connect(t.Context(), spec, &l); !errors.Is(err, errNoProcess) {
		t.Fatal(err)
	}
	if l.Path != "/bin/opencode" || l.Dir != "/w" || !slices.Equal(l.Args[:4], []string{"serve", "--hostname", "127.0.0.1", "--port"}) || l.Args[5] != "--print-logs" {
		t.Errorf("launched %+v", l.Launch)
	}
	for _, v := range []string{"A=b", "OPENCODE_DISABLE_SHARE=0", "OPENCODE_DISABLE_AUTOUPDATE=1"} {
		if !slices.Contains(l.Env, v) {
			t.Errorf("%s is not in %v", v, l.Env)
		}
	}
	if adapters.Variable(l.Env, "OPENCODE_SERVER_PASSWORD") == "" || slices.Contains(l.Env, "OPENCODE_DISABLE_SHARE=1") {
		t.Errorf("launched with %v", l.Env)
	}
}

// TestConnectAttaches: a server that runs already is told the folder.
func TestConnectAttaches(t *testing.T) {
	streams := make(chan string, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/event") {
			return
		}
		streams <- r.URL.RequestURI()
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer s.Close()
	spec := adapters.Spec{Cwd: "/w x", Endpoint: &adapters.Endpoint{URL: s.URL}}
	conn, err := (opencode.Agent{}).Connect(t.Context(), spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.Stop(0)
	if exit := conn.Wait(); !exit.Clean() {
		t.Errorf("ended with %+v", exit)
	}
	if path := <-streams; path != "/event?directory=%2Fw+x" {
		t.Errorf("the stream is %s", path)
	}
}
