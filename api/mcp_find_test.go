package api

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestMCPMessageFinds: a message without an id goes to no session that works for an agent's, and that of an agent to one that works for
// its own.
// Proves: C45
func TestMCPMessageFinds(t *testing.T) {
	h := newHarness(t)
	_, own := h.offering(newEra)
	a, c := h.agentOf(own, oldEra), h.connect(newEra)
	find := func(c *mcpClient, more args) told {
		in := args{"agent": "mute", "message": "go"}
		for k, v := range more {
			in[k] = v
		}
		return callTool[told](c, "session_message", in)
	}
	clients := find(c, args{"cwd": "/work"})
	if !clients.Spawned {
		t.Fatalf("%+v", clients)
	}
	kid := find(a.mcpClient, nil)
	elsewhere := find(a.mcpClient, args{"cwd": "/work/two"})
	if !kid.Spawned || !elsewhere.Spawned || kid.Push != "unavailable" {
		t.Errorf("an agent's own: %+v, %+v", kid, elsewhere)
	}
	sub := h.tree.spawn(uuid.NewString(), session.Begin{Agent: "mute", Start: true, Metadata: protocol.Metadata{
		Cwd: "/work", ParentSessionID: own, SubAgent: true,
	}}).id
	h.until(sub, func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.SessionStart); return ok })
	for who, x := range map[string]struct{ got, want told }{
		"the client":                {find(c, args{"cwd": "/work"}), clients},
		"the agent":                 {find(a.mcpClient, nil), kid},
		"the agent, in that folder": {find(a.mcpClient, args{"cwd": "/work/two"}), elsewhere},
	} {
		if x.got.Spawned || x.got.SessionID != x.want.SessionID {
			t.Errorf("%s: %+v, want %s", who, x.got, x.want.SessionID)
		}
	}
	if m := find(c, args{"cwd": "/work/two"}); !m.Spawned {
		t.Errorf("a client finds an agent's: %+v", m)
	}
}

// TestMCPAgentsAnswerWhatIsOpen: an agent's answer does not wait at the session for what may be asked next.
func TestMCPAgentsAnswerWhatIsOpen(t *testing.T) {
	h := newHarness(t)
	_, own := h.offering(newEra)
	a := h.agentOf(own, newEra)
	id := callTool[told](a.mcpClient, "session_message", args{"agent": "busy", "message": "go"}).SessionID
	r := a.call("session_answer", args{"session_id": id, "request_id": "r1", "option": protocol.AllowOnce})
	if text := resultText(r); !r.IsError || !strings.Contains(text, "No such request is open. session_get") || !strings.Contains(text, "(request_not_found)") {
		t.Error(text)
	}
}

// TestMCPMessageSaysWhatItMade: a session that was created for a message that is then refused can be found.
func TestMCPMessageSaysWhatItMade(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	r := c.call("session_message", args{
		"agent": "mute", "cwd": "/work", "new_session": true, "message": "look",
		"images": []args{{"media_type": "image/png", "data": "bm8="}},
	})
	_, id, said := strings.Cut(resultText(r), "go on with session_id ")
	id, _, _ = strings.Cut(id, ".")
	if !r.IsError || !said || !protocol.ValidSessionID(id) {
		t.Fatal(resultText(r))
	}
	if got := callTool[told](c, "session_message", args{"session_id": id, "message": "go"}); got.SessionID != id || got.Spawned {
		t.Errorf("got %+v", got)
	}
}
