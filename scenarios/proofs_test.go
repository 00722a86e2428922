package scenarios

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What the proofs ask of a daemon, without a scenario around.

func post(ctx context.Context, t *testing.T, d daemon, path, key string, body any) []byte {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	if body == nil {
		b = nil
	}
	header := http.Header{}
	if key != "" {
		header.Set("Idempotency-Key", key)
	}
	a, err := ask(ctx, d, http.MethodPost, path, header, b)
	if err == nil {
		err = a.wantSuccess()
	}
	if err != nil {
		t.Fatalf("POST %s: %v", path, err)
	}
	return a.body
}

func createSession(ctx context.Context, t *testing.T, p *built) string {
	t.Helper()
	var made struct {
		ID string `json:"id"`
	}
	body := post(ctx, t, p, "/sessions", "", map[string]string{"agent": scripted.Name, "cwd": p.root})
	if err := json.Unmarshal(body, &made); err != nil {
		t.Fatal(err)
	}
	return made.ID
}

// prompt sends a prompt that carries the agent's steps.
func prompt(ctx context.Context, t *testing.T, d daemon, id, steps, key string) {
	t.Helper()
	post(ctx, t, d, "/sessions/"+id+"/prompts", key, map[string]string{"text": "play\n```script\n" + steps + "\n```"})
}

// logLines reads a session's whole log.
func logLines(ctx context.Context, t *testing.T, d daemon, id string) [][]byte {
	t.Helper()
	a, err := ask(ctx, d, http.MethodGet, "/sessions/"+id+"/log", nil, nil)
	if err == nil {
		err = a.wantSuccess()
	}
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(a.body, []byte("\n")), []byte("\n"))
}

// await follows a session until its state satisfies a condition.
func await(ctx context.Context, t *testing.T, d daemon, id string, met func(*protocol.SessionState) bool) {
	t.Helper()
	var state protocol.SessionState
	found := errors.New("found")
	r := &record{}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.on = func(uint64) {
		e, err := protocol.Decode(r.lines[len(r.lines)-1])
		if err != nil {
			cancel(err)
			return
		}
		if state.Apply(&e); met(&state) {
			cancel(found)
		}
	}
	err := r.follow(ctx, d, id, "")
	if !errors.Is(context.Cause(ctx), found) {
		t.Fatalf("session %s: the state did not come: %v, %v", id, err, context.Cause(ctx))
	}
}

// stateOf is the state that the last status event says; empty before the first.
func stateOf(s *protocol.SessionState) protocol.State {
	if s.Status == nil {
		return ""
	}
	return s.Status.State
}
