package call

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/submission"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const sessionID = "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"

type onceInput struct {
	SessionID string `json:"session_id"`
	Text      string `json:"text"`
	Once
}

func (in *onceInput) About() About { return About{Session: in.SessionID} }

// asker calls a tool as a model does.
type asker struct {
	t    *testing.T
	subs *Submissions
}

func newAsker(t *testing.T) asker {
	t.Helper()
	return asker{t, &Submissions{Kept: submission.New(time.Now), Life: t.Context(), Wait: time.Minute, Work: time.Minute}}
}

func (a asker) ask(ctx context.Context, arguments string, act func(context.Context, *Call) (any, error)) (any, error) {
	var in onceInput
	if err := json.Unmarshal([]byte(arguments), &in); err != nil {
		a.t.Error(err)
	}
	c := &Call{CallToolRequest: &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: "do", Arguments: json.RawMessage(arguments)}}, Who: access.Root}
	return a.subs.once(ctx, c, &in, func(ctx context.Context) (any, error) { return act(ctx, c) })
}

func withKey(key string) string {
	return `{"session_id":"` + sessionID + `","idempotency_key":"` + key + `"}`
}

// TestOnceIsUncertain: a tool that was accepted and failed in a way that says nothing, or after it had done something, is not done again: its repeats are told
// which call shows what came of it. What was refused has not used its key.
//
// Proves: I13.4/uncertain_tools
func TestOnceIsUncertain(t *testing.T) {
	a := newAsker(t)
	for key, act := range map[string]func(context.Context, *Call) (any, error){
		"panic": func(context.Context, *Call) (any, error) { panic("no") },
		"unavailable": func(context.Context, *Call) (any, error) {
			return nil, &protocol.Problem{Code: protocol.CodeUnavailable}
		},
		"given up": func(context.Context, *Call) (any, error) { return nil, context.DeadlineExceeded },
		"internal": func(context.Context, *Call) (any, error) { return nil, errors.New("no") },
		"half done": func(_ context.Context, c *Call) (any, error) {
			c.Acted()
			return nil, &protocol.Problem{Code: protocol.CodeInvalidRequest}
		},
	} {
		func() {
			defer func() { _ = recover() }()
			if _, err := a.ask(t.Context(), withKey(key), act); err == nil {
				t.Errorf("%s: no error", key)
			}
		}()
		_, err := a.ask(t.Context(), withKey(key), func(context.Context, *Call) (any, error) {
			t.Errorf("%s: done twice", key)
			return nil, nil
		})
		var p *protocol.Problem
		if !errors.As(err, &p) || p.Code != protocol.CodeUncertain || !strings.Contains(p.Hint, "session_get with session_id "+sessionID) {
			t.Errorf("%s: %+v", key, err)
		}
	}
	for _, code := range []protocol.Code{protocol.CodeOverloaded, protocol.CodeReadOnly, protocol.CodeInvalidRequest, protocol.CodeSessionNotFound} {
		n := 0
		for range 2 {
			_, err := a.ask(t.Context(), withKey(string(code)), func(context.Context, *Call) (any, error) {
				n++
				return nil, &protocol.Problem{Code: code}
			})
			var p *protocol.Problem
			if !errors.As(err, &p) || p.Code != code {
				t.Errorf("%s: %v", code, err)
			}
		}
		if n != 2 {
			t.Errorf("%s: tried %d times", code, n)
		}
	}
}

// TestOnceGoesOn: what was accepted does not end with its client; a repeat that comes meanwhile waits for its answer, also where it is written in another way.
//
// Proves: I13.4/uncertain_tools
func TestOnceGoesOn(t *testing.T) {
	a := newAsker(t)
	gone, leave := context.WithCancel(t.Context())
	begun, goOn := make(chan struct{}), make(chan struct{})
	calls := 0
	slow := func(ctx context.Context, _ *Call) (any, error) {
		calls++
		close(begun)
		<-goOn
		return map[string]any{"n": 1}, ctx.Err()
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if out, err := a.ask(gone, `{"session_id":"`+sessionID+`","text":"x","idempotency_key":"k"}`, slow); err != nil || out == nil {
			t.Errorf("it ended with its client: %v %v", out, err)
		}
	})
	<-begun
	leave()
	var again any
	var err error
	wg.Go(func() {
		again, err = a.ask(t.Context(), `{"idempotency_key":"k", "text":"\u0078","session_id":"`+sessionID+`"}`, slow)
	})
	close(goOn)
	wg.Wait()
	text, failed := json.Marshal(again)
	if err != nil || failed != nil || string(text) != `{"n":1,"replayed":true}` || calls != 1 {
		t.Errorf("the repeat got %s %v, after %d calls", text, err, calls)
	}
	if out, err := a.ask(t.Context(), `{"session_id":"nobody","idempotency_key":"`+strings.Repeat("k", 1<<20)+`"}`, func(context.Context, *Call) (any, error) { return 1, nil }); out != 1 || err != nil {
		t.Errorf("an id that is none is kept: %v %v", out, err)
	}
}

// TestOnceEndsWithTheService: what is carried out ends with the daemon, and nobody says that it was done.
func TestOnceEndsWithTheService(t *testing.T) {
	a := newAsker(t)
	life, end := context.WithCancel(t.Context())
	a.subs.Life = life
	_, err := a.ask(t.Context(), withKey("k"), func(ctx context.Context, _ *Call) (any, error) {
		end()
		<-ctx.Done()
		return nil, ctx.Err()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	var p *protocol.Problem
	if _, err := a.ask(t.Context(), withKey("k"), nil); !errors.As(err, &p) || p.Code != protocol.CodeUncertain {
		t.Errorf("%v", err)
	}
}
