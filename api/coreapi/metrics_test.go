package coreapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
	"github.com/ringmaster-agents/ringmaster/api/coreapi"
)

const reads = "a token that reads metrics"

// scraped is what a server tells of itself, by name and labels.
func scraped(t *testing.T, address string) map[string]float64 {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/metrics", http.NoBody)
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+reads)
	a, err := http.DefaultTransport.RoundTrip(r)
	must(t, err)
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	must(t, err)
	if a.StatusCode != http.StatusOK {
		t.Fatalf("metrics: %d %s", a.StatusCode, text)
	}
	secret, _ := token()
	if strings.Contains(string(text), secret) || strings.Contains(string(text), session(1)) || strings.Contains(string(text), reads) {
		t.Error("the metrics tell of a token or a session")
	}
	found := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimPrefix(line, "ringmaster_core_serve_"), " "); ok && strings.HasPrefix(line, "ringmaster_core_serve_") {
			n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			must(t, err)
			found[name] = n
		}
	}
	return found
}

func requests(call, outcome string) string {
	return fmt.Sprintf(`requests_total{call=%q,outcome=%q}`, call, outcome)
}

// fickle is a Core that may be away, and whose appends wait.
type fickle struct {
	stuck
	away *atomic.Bool
}

var errGone = &core.AwayError{Op: "epochs", Err: errors.New("gone")}

func (f *fickle) Positions(ctx context.Context, ids []string) ([]core.Position, error) {
	if f.away.Load() {
		return nil, errGone
	}
	return f.Core.Positions(ctx, ids)
}

// TestMetrics: what is asked of a server, what came of it, what is at work and what found no room is told to whoever has the token for it, and to nobody else.
//
// Proves: I16.3/metrics
func TestMetrics(t *testing.T) {
	place := new(memory.Place)
	one := stuck{begun: make(chan struct{}), gate: make(chan struct{})}
	var away atomic.Bool
	address := served(t, coreapi.Config{
		Connect: func(context.Context) (core.Core, error) {
			if away.Load() {
				return nil, errGone
			}
			return &fickle{stuck{place.Core(), one.begun, one.gate}, &away}, nil
		},
		Requests: 4, Wait: time.Millisecond, MetricsToken: reads,
		Database: func() coreapi.Connections { return coreapi.Connections{Busy: 3, Open: 5, Most: 7} },
	})
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	before := scraped(t, address)
	for name, want := range map[string]float64{
		"up": 1, "requests_in_flight": 0, "database_connections_busy": 3, "database_connections": 5, "database_connections_limit": 7,
		`busy_total{limit="requests"}`: 0, `busy_total{limit="bodies"}`: 0, `busy_total{limit="beats"}`: 0, `busy_total{limit="connections"}`: 0,
	} {
		if got, ok := before[name]; !ok || got != want {
			t.Errorf("%s is %v at the beginning, want %v", name, got, want)
		}
	}
	c := opened(t, address)
	defer c.Close()
	as, err := c.Join(t.Context(), "a")
	must(t, err)
	at, err := c.Take(t.Context(), as, []core.Record{{Session: session(1)}})
	must(t, err)
	batch := []core.Batch{{Session: session(1), Lease: at[0].Lease, Stretch: event(1)}}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { _, _ = c.Append(t.Context(), batch) })
		<-one.begun
	}
	if _, err := c.Append(t.Context(), batch); !errors.As(err, new(*core.AwayError)) {
		t.Errorf("one too many: %v", err)
	}
	if at := scraped(t, address); at["requests_in_flight"] != 2 || at["body_bytes"] == 0 || at[`busy_total{limit="requests"}`] != 1 || at[requests("append", "busy")] != 1 {
		t.Errorf("at work: %v", at)
	}
	close(one.gate)
	all.Wait()
	for range c.Changes(t.Context(), time.Time{}) {
	}
	away.Store(true)
	if _, err := c.Positions(t.Context(), []string{session(1)}); err == nil {
		t.Error("it is not away")
	}
	away.Store(false)
	status, _ := said(t, "POST", address+wire.Path("positions"), strings.NewReader("{"), nil)
	got := scraped(t, address)
	for name, want := range map[string]float64{
		requests("hello", "ok"): 1, requests("join", "ok"): 1, requests("take", "ok"): 1, requests("append", "ok"): 2, requests("append", "busy"): 1,
		requests("changes", "ok"): 1, requests("positions", "away"): 1, requests("positions", "refused"): 1, "requests_in_flight": 0, "body_bytes": 0,
		`request_seconds_count{call="take"}`: 1, `request_seconds_count{call="append"}`: 3, `request_seconds_count{call="changes"}`: 0,
	} {
		if got[name] != want {
			t.Errorf("%s is %v behind the calls, want %v", name, got[name], want)
		}
	}
	for _, name := range []string{`received_bytes_total{call="take"}`, `sent_bytes_total{call="take"}`, `received_bytes_total{call="append"}`, `sent_bytes_total{call="changes"}`} {
		if got[name] == 0 {
			t.Errorf("%s is 0; the refused call had status %d", name, status)
		}
	}

	bearer := func(text string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Del("Content-Type")
			r.Header.Set("Authorization", "Bearer "+text)
		}
	}
	secret, _ := token()
	if status, p := said(t, "GET", address+"/metrics", http.NoBody, bearer(secret)); status != http.StatusUnauthorized || !strings.Contains(p.Hint, "--metrics-token-file") {
		t.Errorf("a node's token: %d, %+v", status, p)
	}
	if n := scraped(t, address)[`rejections_total{reason="token"}`]; n != 1 {
		t.Errorf("%v rejections are counted", n)
	}
}

// TestStrangersAskForHealth: however many ask whether the server is well, the database is asked once a second.
//
// Proves: I16.3/metrics
func TestStrangersAskForHealth(t *testing.T) {
	place, asked, begun := new(memory.Place), new(atomic.Int64), time.Now()
	place.Disturb(func(op string) error {
		if op == "epochs" {
			asked.Add(1)
		}
		return nil
	}, nil)
	address := served(t, coreapi.Config{Connect: func(context.Context) (core.Core, error) { return place.Core(), nil }})
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 5 {
				r, err := http.Get(address + "/healthz")
				if err != nil {
					t.Error(err)
					return
				}
				if r.Body.Close(); r.StatusCode != http.StatusOK {
					t.Errorf("status %d", r.StatusCode)
				}
			}
		})
	}
	all.Wait()
	if n, most := asked.Load(), int64(time.Since(begun)/time.Second)+1; n < 1 || n > most {
		t.Errorf("of 100 requests the database was asked for %d, want 1 to %d", n, most)
	}
}

// TestMetricsAreAsked: without a token of their own there are no metrics, and their token is no node's.
//
// Proves: I16.3/metrics
func TestMetricsAreAsked(t *testing.T) {
	e := newEstate(t)
	if status, _ := said(t, "GET", e.address+"/metrics", http.NoBody, func(r *http.Request) { r.Header.Del("Content-Type") }); status != http.StatusNotFound {
		t.Errorf("without a token of their own: %d", status)
	}
	d, shut := coreapi.Through(func(context.Context) (core.Doors, error) { return e.place.Doors(), nil })
	t.Cleanup(shut)
	var away atomic.Bool
	away.Store(true)
	address := served(t, coreapi.Config{Connect: func(context.Context) (core.Core, error) {
		if away.Load() {
			return nil, errGone
		}
		return e.place.Core(), nil
	}, Doors: d, MetricsToken: reads})
	if up, ok := scraped(t, address)["up"]; !ok || up != 0 {
		t.Errorf("up is %v, %v, and the database is away", up, ok)
	}
	status, p := said(t, "POST", address+wire.Path("hello"), strings.NewReader("{}"), func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+reads) })
	if status != http.StatusUnauthorized || p.Code != wire.CodeCredential {
		t.Errorf("as a node: %d, %+v", status, p)
	}
	if n := scraped(t, address)[requests("hello", "credential")]; n != 1 {
		t.Errorf("%v such calls are counted", n)
	}
}
