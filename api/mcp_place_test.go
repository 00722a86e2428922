package api

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// TestMCPMessageLeavesLabelled: a session with labels is found by them and never without, and what of a call does not hold for the
// session that it goes to is said.
// Proves: I10.2/create
func TestMCPMessageLeavesLabelled(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		send := func(more args) told {
			in := args{"agent": "echo", "cwd": "/work/" + version, "message": "go"}
			for k, v := range more {
				in[k] = v
			}
			return callTool[told](c, "session_message", in)
		}
		plain := send(args{"model": "m1", "title": "first"})
		job := send(args{"labels": args{"job": "7", "team": "core"}})
		if !plain.Spawned || !job.Spawned || len(plain.Ignored)+len(job.Ignored) > 0 {
			t.Fatalf("%+v, %+v", plain, job)
		}
		for _, row := range []struct {
			more    args
			want    told
			ignored string
		}{
			{nil, plain, ""},
			{args{"labels": args{}}, plain, ""},
			{args{"labels": args{"job": "7"}}, job, ""},
			{args{"labels": args{"team": "core", "job": "7"}, "title": "T"}, job, "title"},
			{args{"model": "m1", "title": "first"}, plain, ""},
			{args{"model": "m2", "title": "second"}, plain, "model title"},
			{args{"session_id": plain.SessionID, "agent": "mute", "cwd": "/elsewhere", "model": "m2", "labels": args{"job": "7"}, "new_session": true, "mcp": true}, plain, "agent cwd model mcp new_session labels"},
			{args{"session_id": job.SessionID, "labels": args{"job": "7"}}, job, ""},
		} {
			if got := send(row.more); got.SessionID != row.want.SessionID || got.Spawned || strings.Join(got.Ignored, " ") != row.ignored {
				t.Errorf("%s: %v: %+v, want %s, ignored %q", version, row.more, got, row.want.SessionID, row.ignored)
			}
		}
		if got := send(args{"labels": args{"job": "8"}}); !got.Spawned {
			t.Errorf("%s: a session with other labels was found: %+v", version, got)
		}
	}
}

// TestMCPKeys: a message and a creation that are repeated with their key get the same session and the same receipt, whatever sessions
// have come since.
// Proves: I10.2/create
func TestMCPKeys(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	send := func(more args) told {
		in := args{"agent": "mute", "cwd": "/work", "message": "go"}
		for k, v := range more {
			in[k] = v
		}
		return callTool[told](c, "session_message", in)
	}
	made, forced := send(args{"idempotency_key": "made"}), send(args{"idempotency_key": "forced", "new_session": true})
	if !made.Spawned || !forced.Spawned || made.Repeated || forced.Repeated || made.SessionID == forced.SessionID {
		t.Fatalf("%+v, %+v", made, forced)
	}
	found := send(args{"idempotency_key": "found", "model": "m9"})
	if found.SessionID != forced.SessionID || found.Spawned || !slices.Equal(found.Ignored, []string{"model"}) {
		t.Fatalf("%+v", found)
	}
	send(args{"new_session": true})
	for key, first := range map[string]told{"made": made, "forced": forced, "found": found} {
		in := args{"idempotency_key": key}
		switch key {
		case "forced":
			in["new_session"] = true
		case "found":
			in["model"] = "m9"
		}
		first.Repeated = true
		got := send(in)
		if got.Push = first.Push; !same(got, first) {
			t.Errorf("%s: again %+v, first %+v", key, got, first)
		}
	}
	c.fails(protocol.CodeInvalidRequest, "session_message", args{"agent": "mute", "cwd": "/work", "message": "go", "idempotency_key": strings.Repeat("k", 129)})

	type created struct {
		SessionID string `json:"session_id"`
		Repeated  bool   `json:"repeated"`
	}
	create := args{"agent": "mute", "cwd": "/work", "idempotency_key": "created", "title": "T"}
	one, two := callTool[created](c, "session_create", create), callTool[created](c, "session_create", create)
	if one.Repeated || !two.Repeated || one.SessionID != two.SessionID {
		t.Errorf("%+v, %+v", one, two)
	}
}

func same(a, b told) bool {
	return a.SessionID == b.SessionID && a.Spawned == b.Spawned && a.LastEventIndex == b.LastEventIndex && a.PromptID == b.PromptID &&
		a.Repeated == b.Repeated && slices.Equal(a.Ignored, b.Ignored)
}

// TestCreateIsIdempotent over HTTP: also of calls at the same time, with a prompt, and of a session whose agent could not start.
//
// Proves: I10.2/keys
func TestCreateIsIdempotent(t *testing.T) {
	h := newHarness(t)
	const body = `{"agent":"echo","cwd":"/work","prompt":{"text":"hello","clientId":"one"}}`
	var first resource.CreatedSession
	h.want(http.StatusCreated, "POST", "/sessions", body, "Idempotency-Key", "k").into(t, &first)
	if first.Repeated || first.Prompt == nil || first.Prompt.Repeated {
		t.Fatalf("%+v", first)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			var again resource.CreatedSession
			r := h.want(http.StatusCreated, "POST", "/sessions", strings.Replace(body, "one", "two", 1), "Idempotency-Key", "k")
			r.into(t, &again)
			if again.ID != first.ID || !again.Repeated || !again.Prompt.Repeated || again.Prompt.PromptID != first.Prompt.PromptID || r.Header.Get("Location") != "/sessions/"+first.ID {
				t.Errorf("again %+v", again)
			}
		})
	}
	wg.Wait()
	broken := `{"agent":"broken","cwd":"/work"}`
	failed := h.refused(http.StatusServiceUnavailable, protocol.CodeAgentUnavailable, "POST", "/sessions", broken, "Idempotency-Key", "b")
	again := h.refused(http.StatusServiceUnavailable, protocol.CodeAgentUnavailable, "POST", "/sessions", broken, "Idempotency-Key", "b")
	if failed.SessionID == "" || again.SessionID != failed.SessionID {
		t.Errorf("a session that failed is %+v, and again %+v", failed, again)
	}
}
