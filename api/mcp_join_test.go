package api

import (
	"context"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type joinedSession struct {
	SessionID string           `json:"session_id"`
	Resting   bool             `json:"resting"`
	Status    string           `json:"status"`
	Outcome   string           `json:"outcome"`
	State     string           `json:"state"`
	LastIndex int              `json:"last_index"`
	Text      string           `json:"text"`
	Error     string           `json:"error"`
	Requests  []map[string]any `json:"requests"`
}

type joinedSessions struct {
	Done     bool            `json:"done"`
	Sessions []joinedSession `json:"sessions"`
}

// joins calls session_join beside the test.
func (c *mcpClient) joins(arguments args) <-chan joinedSessions {
	done := make(chan joinedSessions, 1)
	go func() { // ends with the call
		defer close(done)
		r, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: "session_join", Arguments: arguments})
		if err != nil || r.IsError {
			c.t.Errorf("session_join: %v %+v", err, r)
			return
		}
		done <- resultOf[joinedSessions](c.t, r)
	}()
	return done
}

// waited returns once somebody waits for n sessions.
func (h *harness) waited(ids ...string) {
	for _, id := range ids {
		h.awaitReaders(id, "mcp", 1)
	}
}

// until reads a log from its beginning until an event.
func (h *harness) until(id string, ok func(e *protocol.Event) bool) {
	h.t.Helper()
	st := h.stream(id, "")
	defer st.close()
	st.until(ok)
}

// TestAgentHasSessionsWorkForIt: the agent of a session starts two, sends them messages, waits for them, and reads what they did.
// Proves: D4.2.inside/tools
func TestAgentHasSessionsWorkForIt(t *testing.T) {
	for _, era := range []string{oldEra, newEra} {
		t.Run(era, func(t *testing.T) {
			h := newHarness(t)
			_, own := h.offering(newEra)
			a := h.agentOf(own, era)
			a.fails(protocol.CodeInvalidRequest, "session_join", args{}) // nobody works for it
			one := callTool[told](a.mcpClient, "session_message", args{"agent": "echo", "message": "first"})
			two := callTool[args](a.mcpClient, "session_create", args{"agent": "busy", "cwd": "/work/two", "title": "Two"})["session_id"].(string)
			callTool[told](a.mcpClient, "session_message", args{"session_id": two, "message": "second"})
			sum, err := h.tree.Look(t.Context(), one.SessionID)
			if err != nil || sum.ParentSessionID != own || sum.Cwd != "/work" || !sum.Spawned {
				t.Fatalf("%v %+v", err, sum)
			}
			done := a.joins(args{"session_ids": []string{one.SessionID, two}})
			h.waited(one.SessionID, two)
			select {
			case got := <-done:
				t.Fatalf("%+v", got)
			default:
			}
			h.agent(two).say(append(h.agent(two).message("second done", 1), adapters.TurnEnded{Status: protocol.TurnCompleted})...)
			got := <-done
			if len(got.Sessions) != 2 || !got.Done {
				t.Fatalf("%+v", got)
			}
			if x := got.Sessions[0]; x.SessionID != one.SessionID || !x.Resting || x.Status != "idle" || !strings.HasPrefix(x.Text, "first 0. ") || len(x.Requests) != 0 {
				t.Errorf("%+v", x)
			}
			if x := got.Sessions[1]; x.Text != "second done 0. " || x.Error != "" || x.LastIndex < 5 {
				t.Errorf("%+v", x)
			}
			events := callTool[toldEvents](a.mcpClient, "session_events", args{"session_id": two, "types": []string{"completion"}})
			if len(events.Events) != 1 || events.LastIndex > got.Sessions[1].LastIndex {
				t.Errorf("%+v", events)
			}
			// Without names: those that work, and where none does, all.
			if got := callTool[joinedSessions](a.mcpClient, "session_join", args{}); !got.Done || len(got.Sessions) != 2 {
				t.Errorf("%+v", got)
			}
			callTool[told](a.mcpClient, "session_message", args{"session_id": two, "message": "more"})
			if got := callTool[joinedSessions](a.mcpClient, "session_join", args{"wait_ms": 0}); got.Done || len(got.Sessions) != 1 || got.Sessions[0].SessionID != two {
				t.Errorf("%+v", got)
			}
			// Its own session, and those of others, are not within its reach.
			for _, id := range []string{own, h.create("echo")} {
				for tool, more := range map[string]args{
					"session_join": {"session_ids": []string{id}}, "session_get": {"session_id": id}, "session_events": {"session_id": id},
					"session_message": {"session_id": id, "message": "x"}, "session_end": {"session_id": id},
				} {
					a.fails(protocol.CodeSessionNotFound, tool, more)
				}
			}
			names, _ := a.tools()
			for _, n := range names {
				if n == "session" || n == "session_watch" || n == "caller_tool_response" {
					t.Errorf("an agent has no use for %s", n)
				}
			}
		})
	}
}

func TestJoin(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	busy, other := c.say("", "busy", "go").SessionID, c.say("", "busy", "go").SessionID
	echo := c.say("", "echo", "hello").SessionID
	ends := func(id string, status protocol.TurnStatus) {
		h.agent(id).say(adapters.TurnEnded{Status: status, Error: "no more credit", Hint: "Pay."})
	}

	if got := <-c.joins(args{"session_ids": []string{busy, echo}, "wait": "any"}); !got.Done || got.Sessions[0].Resting || !got.Sessions[1].Resting {
		t.Errorf("any: %+v", got)
	}
	if got := <-c.joins(args{"session_ids": []string{busy, echo}, "wait_ms": 20}); got.Done || got.Sessions[0].Resting || got.Sessions[0].Status != "running" {
		t.Errorf("in time: %+v", got)
	}
	done := c.joins(args{"session_ids": []string{busy, other}, "wait": "any"})
	h.waited(busy, other)
	ends(other, protocol.TurnError)
	if got := <-done; !got.Done || got.Sessions[0].Resting || got.Sessions[1].Error != "no more credit\nPay." || got.Sessions[1].Status != "idle" {
		t.Errorf("the first of two: %+v", got)
	}

	// A prompt in the queue is work to come.
	c.say(busy, "", "and then this")
	done = c.joins(args{"session_ids": []string{busy}})
	h.waited(busy)
	ends(busy, protocol.TurnCompleted)
	h.until(busy, func(e *protocol.Event) bool { p, ok := e.Payload.(*protocol.TurnStart); return ok && p.TurnID == "t2" })
	callTool[args](c, "session_interrupt", args{"session_id": busy}) // the agent hears it behind its prompt
	if got := <-done; !got.Done || got.Sessions[0].Outcome != "interrupted" || got.Sessions[0].Error != "The turn was interrupted (user)." {
		t.Errorf("%+v", got)
	}

	// Whoever can answer is not kept waiting.
	asks := c.say("", "asking", "rm -r build").SessionID
	got := <-c.joins(args{"session_ids": []string{asks}})
	if !got.Done || got.Sessions[0].State != "awaiting_approval" || len(got.Sessions[0].Requests) != 1 || got.Sessions[0].Requests[0]["request_id"] != "r1" {
		t.Errorf("%+v", got)
	}
	callTool[args](c, "session_answer", args{"session_id": asks, "option": "deny"})
	if got := <-c.joins(args{"session_ids": []string{asks}}); !got.Done || got.Sessions[0].Text != "answered 0. " {
		t.Errorf("%+v", got)
	}

	// Ended, and deleted meanwhile.
	callTool[args](c, "session_end", args{"session_id": echo})
	if got := <-c.joins(args{"session_ids": []string{echo}}); !got.Done || got.Sessions[0].Status != "completed" || !strings.HasPrefix(got.Sessions[0].Text, "hello") {
		t.Errorf("%+v", got)
	}
	c.say(other, "", "again")
	done = c.joins(args{"session_ids": []string{other, echo}})
	h.waited(other)
	if err := h.tree.Delete(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if got := <-done; !got.Done || got.Sessions[0].Error != "The session was deleted." {
		t.Errorf("%+v", got)
	}
}

// TestJoinEndsAtWhatNeedsTheCaller: who waits for all is not kept waiting for the others where one of them needs him, nor is who waits for a
// prompt that stands behind a turn which does.
// Proves: I10.2/waits
func TestJoinEndsAtWhatNeedsTheCaller(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		busy, asks := c.say("", "busy", "go").SessionID, c.say("", "asking", "rm -r build").SessionID
		got := <-c.joins(args{"session_ids": []string{busy, asks}, "wait_ms": 110000})
		if got.Done || got.Sessions[0].Resting || !got.Sessions[1].Resting || len(got.Sessions[1].Requests) != 1 {
			t.Errorf("%s: an approval: %+v", version, got)
		}
		queued := callTool[answered](c, "session_message", args{"session_id": asks, "message": "then this", "wait_ms": 110000})
		if queued.Outcome != "waiting" || len(queued.Requests) != 1 {
			t.Errorf("%s: behind an approval: %+v", version, queued)
		}
		if got := <-c.joins(args{"session_ids": []string{asks}, "prompt_id": queued.PromptID}); len(got.Sessions[0].Requests) != 1 || got.Sessions[0].Outcome != "waiting" {
			t.Errorf("%s: behind an approval: %+v", version, got)
		}

		c, id := h.offering(version)
		a := h.agentOf(id, version)
		done := c.joins(args{"session_ids": []string{busy, id}, "wait_ms": 110000})
		h.waited(busy, id)
		called := a.calls(t.Context(), "editor_beep", args{})
		if got := <-done; got.Done || len(got.Sessions[1].Requests) != 1 || got.Sessions[1].Requests[0]["kind"] != "caller_tool" {
			t.Errorf("%s: a tool of the client's own: %+v", version, got)
		}
		callTool[args](c, "caller_tool_response", args{"session_id": id, "request_id": "c1", "result": "beeped"})
		received(t, called)
	}
}

// TestJoinOfAnAgent: what only people answer does not wake it, what it can answer does.
func TestJoinOfAnAgent(t *testing.T) {
	h := newHarness(t)
	_, own := h.offering(newEra)
	a := h.agentOf(own, newEra)
	id := callTool[told](a.mcpClient, "session_message", args{"agent": "asking", "message": "rm -r build"}).SessionID
	done := a.joins(args{"session_ids": []string{id}})
	h.until(id, func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.RequestOpened); return ok })
	h.waited(id)
	a.fails(protocol.CodeForbidden, "session_answer", args{"session_id": id, "option": "allow_once"})
	select {
	case got := <-done:
		t.Fatalf("%+v", got)
	default:
	}
	h.agent(id).say(adapters.RequestOpened{Key: 2, Request: protocol.RequestOpened{
		Kind: protocol.RequestQuestion, Title: "Which?", Questions: []protocol.Question{{Text: "Which?", FreeText: true}},
	}})
	got := received(t, done)
	if !got.Done || len(got.Sessions[0].Requests) != 2 {
		t.Fatalf("%+v", got)
	}
	callTool[args](a.mcpClient, "session_answer", args{"session_id": id, "request_id": "r2", "answers": [][]string{{"this"}}})
}

func TestBadJoins(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	id := h.create("echo")
	many := make([]string, 65)
	for i := range many {
		many[i] = missingID
	}
	for _, in := range []args{
		{},
		{"session_ids": []string{}},
		{"session_ids": []string{id, id}},
		{"session_ids": []string{id}, "wait": "some"},
		{"session_ids": []string{id}, "wait_ms": -1},
		{"session_ids": many},
	} {
		c.fails(protocol.CodeInvalidRequest, "session_join", in)
	}
	for _, bad := range []string{missingID, "nobody", ""} {
		c.fails(protocol.CodeSessionNotFound, "session_join", args{"session_ids": []string{id, bad}})
	}
	// The client goes: nobody reads on.
	busy := c.say("", "busy", "go").SessionID
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() { // ends with the call
		defer close(over)
		_, _ = c.CallTool(ctx, &sdk.CallToolParams{Name: "session_join", Arguments: args{"session_ids": []string{busy}}})
	}()
	h.waited(busy)
	cancel()
	received(t, over)
	h.awaitReaders(busy, "mcp", 0)
}
