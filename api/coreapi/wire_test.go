package coreapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/core/remote"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/coreapi"
)

// said is a request by hand, and what comes of it.
func said(t *testing.T, method, url string, body io.Reader, change func(r *http.Request)) (int, wire.Problem) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	must(t, err)
	r.Header.Set("Authorization", "Bearer x")
	r.Header.Set("Content-Type", wire.JSON)
	if change != nil {
		change(r)
	}
	a, err := http.DefaultTransport.RoundTrip(r)
	must(t, err)
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	must(t, err)
	var p wire.Problem
	must(t, json.Unmarshal(text, &p))
	return a.StatusCode, p
}

// TestWireIsGuarded: what stands before a call turns away whoever another's page, another version, or no credential sends, and what says more than it is.
func TestWireIsGuarded(t *testing.T) {
	place := new(memory.Place)
	address := served(t, coreapi.Config{Connect: func(context.Context) (core.Core, error) { return place.Core(), nil }})
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	packed := func(text string) io.Reader {
		var b bytes.Buffer
		w := wire.Compress(&b)
		_, err := io.WriteString(w, text)
		must(t, errors.Join(err, w.Close()))
		return &b
	}
	frames := func(size string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Set("Content-Type", wire.Frames)
			r.Header.Set(wire.Size, size)
		}
	}
	for what, c := range map[string]struct {
		method, path string
		body         io.Reader
		change       func(*http.Request)
		status       int
		code         wire.Code
	}{
		"a page elsewhere":       {"POST", wire.Path("hello"), strings.NewReader("{}"), func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403, "forbidden"},
		"a name that is rebound": {"POST", wire.Path("hello"), strings.NewReader("{}"), func(r *http.Request) { r.Host = "evil.example" }, 403, "forbidden"},
		"a newer client":         {"POST", "/core/v2/hello", strings.NewReader("{}"), nil, 404, wire.CodeVersion},
		"an older client":        {"POST", "/core/v0/hello", strings.NewReader("{}"), nil, 404, wire.CodeVersion},
		"a call of later":        {"POST", wire.Path("sing"), strings.NewReader("{}"), nil, 404, wire.CodeVersion},
		"no credential":          {"POST", wire.Path("hello"), strings.NewReader("{}"), func(r *http.Request) { r.Header.Del("Authorization") }, 401, wire.CodeCredential},
		"no JSON":                {"POST", wire.Path("positions"), strings.NewReader("{"), nil, 422, wire.CodeRefused},
		"another form":           {"POST", wire.Path("positions"), strings.NewReader("{}"), func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, "unsupported_media_type"},
		"no length":              {"POST", wire.Path("positions"), io.MultiReader(strings.NewReader("{}")), nil, 422, wire.CodeRefused},
		"no size":                {"POST", wire.Path("append"), packed("{\"end\":true}\n"), frames(""), 422, wire.CodeRefused},
		"a size too large":       {"POST", wire.Path("append"), packed("{\"end\":true}\n"), frames(strconv.Itoa(wire.MaxBody + 1)), 422, wire.CodeRefused},
		"more than was said":     {"POST", wire.Path("append"), packed(strings.Repeat("x", 10<<20)), frames("100"), 422, wire.CodeRefused},
		"a frame of too much":    {"POST", wire.Path("append"), packed("{\"bytes\":1000000}\n"), frames("20"), 422, wire.CodeRefused},
		"no end":                 {"POST", wire.Path("append"), packed(""), frames("0"), 422, wire.CodeRefused},
		"no stream":              {"POST", wire.Path("append"), strings.NewReader("hello"), frames("5"), 422, wire.CodeRefused},
	} {
		t.Run(strings.ReplaceAll(what, " ", "_"), func(t *testing.T) {
			status, p := said(t, c.method, address+c.path, c.body, c.change)
			if status != c.status || p.Code != c.code || p.Detail == "" {
				t.Errorf("answered with %d, %+v; want %d, %s", status, p, c.status, c.code)
			}
			if c.code == wire.CodeVersion && p.Hint == "" {
				t.Error("it does not say what to do")
			}
		})
	}
}

// TestErrorsCross: each error of the contract is itself behind the wire, with its hint; what a database says of itself stays with the server.
//
// Proves: I16.3/http
func TestErrorsCross(t *testing.T) {
	secret := errors.New("user=secret database=secret")
	for what, c := range map[string]struct {
		err  error
		want error
	}{
		"away":    {&core.AwayError{Op: "epochs", Err: secret}, &core.AwayError{}},
		"other":   {secret, &core.AwayError{}},
		"access":  {&core.AccessError{Op: "epochs", Err: secret, Hint: "GRANT"}, &core.AccessError{}},
		"schema":  {&core.SchemaError{Have: 3, Want: 4}, &core.SchemaError{Have: 3, Want: 4}},
		"full":    {&core.FullError{Op: "epochs", Err: secret}, &core.FullError{}},
		"refused": {&core.RefusedError{Op: "epochs", Err: errors.New("too large")}, &core.RefusedError{}},
		"cold":    {&core.ColdError{Op: "epochs", First: 7}, &core.ColdError{Op: "epochs", First: 7}},
		"gone":    {&store.GoneError{Oldest: 5}, &store.GoneError{Oldest: 5}},
		"beyond":  {&store.BeyondError{Newest: 6}, &store.BeyondError{Newest: 6}},
		"damage":  {&store.DamageError{File: "f", Offset: 1, Seq: 2, Problem: "p", Hint: "h"}, &store.DamageError{File: "f", Offset: 1, Seq: 2, Problem: "p", Hint: "h"}},
	} {
		got := wire.ProblemOf(c.err).Error("epochs")
		if strings.Contains(got.Error(), "secret") {
			t.Errorf("%s tells %v", what, got)
		}
		switch want := c.want.(type) {
		case *core.AwayError:
			if e := new(core.AwayError); !errors.As(got, &e) || e.Op != "epochs" {
				t.Errorf("%s is %v", what, got)
			}
		case *core.AccessError:
			if e := new(core.AccessError); !errors.As(got, &e) || e.Hint != "GRANT" {
				t.Errorf("%s is %v", what, got)
			}
		case *core.FullError:
			if e := new(core.FullError); !errors.As(got, &e) || e.Hint() == "" {
				t.Errorf("%s is %v", what, got)
			}
		case *core.RefusedError:
			if e := new(core.RefusedError); !errors.As(got, &e) || e.Err.Error() != "too large" {
				t.Errorf("%s is %v", what, got)
			}
		default:
			if got.Error() != want.Error() {
				t.Errorf("%s is %v, want %v", what, got, want)
			}
		}
	}
}

// TestFateIsUnknown: whatever befalls a call but the server's own word, it is away, and never refused.
//
// Proves: I16.3/http
func TestFateIsUnknown(t *testing.T) {
	for what, answer := range map[string]http.HandlerFunc{
		"a proxy's page": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such host", http.StatusBadGateway) },
		"another's refusal": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"code":"refused"}`, http.StatusForbidden)
		},
		"a page that is well": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"an answer that is torn": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", wire.JSON)
			_, _ = io.WriteString(w, `[{"taken":tr`)
		},
		"an answer of too little": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", wire.JSON)
			_, _ = io.WriteString(w, `[]`)
		},
		"elsewhere": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusTemporaryRedirect) },
		"nothing":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(strings.ReplaceAll(what, " ", "_"), func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == wire.Path("hello") {
					w.Header().Set("Content-Type", wire.JSON)
					_, _ = io.WriteString(w, "{}")
					return
				}
				answer(w, r)
			}))
			defer s.Close()
			c, err := remote.Open(t.Context(), s.URL, remote.Options{Token: token})
			must(t, err)
			defer c.Close()
			_, err = c.Append(t.Context(), []core.Batch{{Session: session(1), Lease: core.Lease(session(2)), Stretch: event(1)}})
			if away := new(core.AwayError); !errors.As(err, &away) || away.Op != "append" {
				t.Errorf("it is %v", err)
			}
			for _, err = range c.Stretches(t.Context(), session(1), 0, 1) {
			}
			if away := new(core.AwayError); !errors.As(err, &away) {
				t.Errorf("a stream that is none ends with %v", err)
			}
		})
	}
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	_, err := remote.Open(t.Context(), s.URL, remote.Options{Token: token})
	if access := new(core.AccessError); !errors.As(err, &access) || !strings.Contains(access.Hint, "core serve") {
		t.Errorf("an address at which there is no Core: %v", err)
	}
}

// stuck is a Core in which appends wait.
type stuck struct {
	core.Core
	begun chan struct{}
	gate  chan struct{}
}

func (s *stuck) Append(ctx context.Context, b []core.Batch) ([]core.Answer, error) {
	s.begun <- struct{}{}
	select {
	case <-s.gate:
	case <-ctx.Done():
	}
	return s.Core.Append(ctx, b)
}

// TestPressure: where too much is asked at once the answer is that Core is away, a beat comes through all the same, and nothing of it is in a log.
//
// Proves: I16.3/http
func TestPressure(t *testing.T) {
	place := new(memory.Place)
	one := &stuck{begun: make(chan struct{}), gate: make(chan struct{})}
	log, told := observer.New(zap.DebugLevel)
	address := served(t, coreapi.Config{
		Connect: func(context.Context) (core.Core, error) {
			return &stuck{Core: place.Core(), begun: one.begun, gate: one.gate}, nil
		},
		Requests: 4, Wait: time.Millisecond, Log: zap.New(log),
	})
	c := opened(t, address)
	defer c.Close()
	as, err := c.Join(t.Context(), "a")
	must(t, err)
	at, err := c.Take(t.Context(), as, []core.Record{{Session: session(1)}})
	must(t, err)
	batch := []core.Batch{{Session: session(1), Lease: at[0].Lease, Stretch: event(1)}}
	var all sync.WaitGroup
	for range 2 { // half of the places: what one node has at most
		all.Go(func() { _, _ = c.Append(t.Context(), batch) })
		<-one.begun
	}
	_, err = c.Append(t.Context(), batch)
	if away := new(core.AwayError); !errors.As(err, &away) {
		t.Errorf("one too many: %v", err)
	}
	if _, err := c.Beat(t.Context(), as, core.Beat{Lease: time.Minute}); err != nil {
		t.Errorf("a beat does not come through: %v", err)
	}
	close(one.gate)
	all.Wait()
	if p, err := c.Positions(t.Context(), []string{session(1)}); err != nil || p[0].Head != 1 {
		t.Errorf("behind it: %+v, %v", p, err)
	}
	secret, _ := token()
	for _, line := range told.All() {
		text, err := json.Marshal(line.ContextMap())
		must(t, err)
		if strings.Contains(string(text)+line.Message, secret) || strings.Contains(string(text), string(at[0].Lease)) {
			t.Errorf("the log has a secret: %s %s", line.Message, text)
		}
	}
}

// TestCoreComesLater: a server that is there before its database says that Core is away, and serves when it is there.
func TestCoreComesLater(t *testing.T) {
	place := new(memory.Place)
	var mu sync.Mutex
	var isThere bool
	address := served(t, coreapi.Config{Connect: func(context.Context) (core.Core, error) {
		mu.Lock()
		defer mu.Unlock()
		if !isThere {
			return nil, &core.AwayError{Op: "open", Err: errors.New("not yet")}
		}
		return place.Core(), nil
	}})
	_, err := remote.Open(t.Context(), address, remote.Options{Token: token})
	if away := new(core.AwayError); !errors.As(err, &away) {
		t.Fatal(err)
	}
	mu.Lock()
	isThere = true
	mu.Unlock()
	opened(t, address).Close()
}
