package api

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/fate/network"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// host is a client with a user who is asked. It sets no level, as hosts do not.
type host struct {
	*mcpClient
	asked chan *form
}

// form is one that the user sees.
type form struct {
	t testing.TB
	*sdk.ElicitParams
	does chan *sdk.ElicitResult // nil: the client fails
	away context.Context        // done when it was taken away
}

func (h *harness) host(version string) *host {
	h.t.Helper()
	return h.hostBy(&sdk.StreamableClientTransport{Endpoint: h.base + "/mcp"}, version)
}

func (h *harness) hostBy(to *sdk.StreamableClientTransport, version string) *host {
	h.t.Helper()
	x := &host{asked: make(chan *form, 16)}
	x.mcpClient = h.connectBy(to, testToken, version, func(o *sdk.ClientOptions) {
		o.ElicitationHandler = func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			f := &form{h.t, r.Params, make(chan *sdk.ElicitResult), ctx}
			x.asked <- f
			select {
			case a := <-f.does:
				if a == nil {
					return nil, errors.New("no screen")
				}
				return a, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-h.t.Context().Done():
				return nil, errors.New("the test is over")
			}
		}
	})
	return x
}

func (f *form) accept(option string) {
	f.t.Helper()
	f.act(&sdk.ElicitResult{Action: "accept", Content: map[string]any{"option": option}})
}

// act is what the user does with the form; nil: the client fails. The user must still see it.
func (f *form) act(does *sdk.ElicitResult) {
	f.t.Helper()
	select {
	case f.does <- does:
	case <-f.away.Done():
		f.t.Fatalf("the form %q was taken away before", f.Message)
	}
}

// none checks that the user sees nothing: everything that could have shown it a form has been heard, for the session says so.
func (x *host) none(when string) {
	x.t.Helper()
	select {
	case f := <-x.asked:
		x.t.Errorf("%s: the user is asked %q", when, f.Message)
	default:
	}
}

func asksFor(a *fakeAgent, key adapters.RequestKey, title string) {
	a.say(adapters.RequestOpened{Key: key, Request: protocol.RequestOpened{
		Kind: protocol.RequestApproval, Title: title, Options: []protocol.Option{{ID: protocol.AllowOnce}, {ID: protocol.DenyContinue}},
	}})
}

// resolution waits for the end of a request.
func (h *harness) resolution(id, request string) *protocol.RequestResolved {
	h.t.Helper()
	var found *protocol.RequestResolved
	h.until(id, func(e *protocol.Event) bool {
		p, ok := e.Payload.(*protocol.RequestResolved)
		if ok && p.RequestID == request {
			found = p
		}
		return found != nil
	})
	return found
}

// TestHostsAreAsked without a level, on their stream of notifications: what opens, what is open already, and each once.
// Proves: I10.2/asked
func TestHostsAreAsked(t *testing.T) {
	h := newHarness(t)
	x := h.host(oldEra)
	id := x.say("", "asking", "rm -r /").SessionID
	f := received(t, x.asked)
	if f.Message != "May I?\n\n(asking, in /work)" {
		t.Errorf("%+v", f.ElicitParams)
	}
	f.accept(protocol.AllowOnce)
	if r := h.resolution(id, "r1"); r.Outcome != protocol.OutcomeAllowed || r.By != "client:mcp" {
		t.Errorf("%+v", r)
	}
	x.settled(id, -1)

	// What was asked before somebody watched; and the user denies.
	other := h.connect(oldEra)
	id = other.say("", "asking", "rm -r /").SessionID
	h.until(id, func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.RequestOpened); return ok })
	x.none("before it watches")
	callTool[args](x.mcpClient, "session_watch", args{"session_id": id})
	f = received(t, x.asked)
	f.act(&sdk.ElicitResult{Action: "decline"})
	if r := h.resolution(id, "r1"); r.Outcome != protocol.OutcomeDenied {
		t.Errorf("%+v", r)
	}

	// A form that is closed, and one that fails, answer nothing, and do not come again.
	for _, does := range []*sdk.ElicitResult{{Action: "cancel"}, nil} {
		id = x.say("", "asking", "rm -r /").SessionID
		f = received(t, x.asked)
		f.act(does)
		asksFor(h.agent(id), 2, "And this?")
		if f = received(t, x.asked); !strings.HasPrefix(f.Message, "And this?") {
			t.Errorf("the user is asked again: %q", f.Message)
		}
		callTool[args](x.mcpClient, "session_answer", args{"session_id": id, "request_id": "r1", "option": protocol.AllowOnce})
		if r := h.resolution(id, "r1"); r.Outcome != protocol.OutcomeAllowed {
			t.Errorf("%+v", r)
		}
		received(t, f.away.Done()) // the turn has ended
		x.settled(id, -1)
		x.none("afterwards")
	}
}

// TestWhoAnswersFirst: the others' forms are taken away, over MCP and over HTTP, and one who goes takes nothing along.
// Proves: I10.2/asked
func TestWhoAnswersFirst(t *testing.T) {
	h, n, at := behind(t)
	x, y := h.host(oldEra), h.host(olderEra)
	gone := h.hostBy(&sdk.StreamableClientTransport{Endpoint: at + "/mcp"}, oldEra)
	id := x.say("", "asking", "rm -r /").SessionID
	for _, c := range []*host{y, gone} {
		callTool[args](c.mcpClient, "session_watch", args{"session_id": id})
	}
	forms := []*form{received(t, x.asked), received(t, y.asked), received(t, gone.asked)}
	n.Become(network.Void)
	close(forms[2].does)
	forms[1].accept(protocol.AllowOnce)
	received(t, forms[0].away.Done())
	if r := h.resolution(id, "r1"); r.Outcome != protocol.OutcomeAllowed {
		t.Errorf("%+v", r)
	}
	x.settled(id, -1)

	id = x.say("", "asking", "again").SessionID
	callTool[args](y.mcpClient, "session_watch", args{"session_id": id})
	forms = []*form{received(t, x.asked), received(t, y.asked)}
	h.want(200, "POST", "/sessions/"+id+"/requests/r1", `{"option":"deny"}`)
	for _, f := range forms {
		received(t, f.away.Done())
	}
}

// TestSubAgentsAskAtTheRoot: who watches the sub-agent's session as well is asked once.
// Proves: I10.2/asked
func TestSubAgentsAskAtTheRoot(t *testing.T) {
	h := newHarness(t)
	x := h.host(oldEra)
	id := x.say("", "choosy", "delegate").SessionID
	f := received(t, x.asked)
	var child string
	h.until(id, func(e *protocol.Event) bool {
		p, ok := e.Payload.(*protocol.RequestOpened)
		if ok {
			child = p.SessionID
		}
		return ok
	})
	callTool[args](x.mcpClient, "session_watch", args{"session_id": child})
	asksFor(h.agent(id), 7, "The root?")
	next := received(t, x.asked)
	if !strings.HasPrefix(f.Message, "May I?") || !strings.HasSuffix(f.Message, "(a session that works for choosy, in /work)") || !strings.HasPrefix(next.Message, "The root?") {
		t.Errorf("%q, %q", f.Message, next.Message)
	}
	f.accept(protocol.AllowOnce)
	if r := h.resolution(child, "r1"); r.Outcome != protocol.OutcomeAllowed {
		t.Errorf("%+v", r)
	}
}

// TestCallsAsk: a host that never opens its stream of notifications is asked on that of the call that waits, which waits on.
// Proves: I10.2/asked
func TestCallsAsk(t *testing.T) {
	h := newHarness(t)
	x := h.hostBy(&sdk.StreamableClientTransport{Endpoint: h.base + "/mcp", DisableStandaloneSSE: true}, oldEra)
	id := x.say("", "asking", "rm -r /").SessionID
	h.until(id, func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.RequestOpened); return ok })
	x.none("before it waits")
	done := x.joins(args{"session_ids": []string{id}})
	f := received(t, x.asked)
	f.accept(protocol.AllowOnce)
	if got := received(t, done); !got.Done || !strings.HasPrefix(got.Sessions[0].Text, "answered 0") || len(got.Sessions[0].Requests) != 0 {
		t.Errorf("%+v", got)
	}

	// Closed: the call says what waits.
	id = x.say("", "asking", "again").SessionID
	done = x.joins(args{"session_ids": []string{id}})
	f = received(t, x.asked)
	f.act(&sdk.ElicitResult{Action: "cancel"})
	if got := received(t, done); !got.Done || len(got.Sessions[0].Requests) != 1 {
		t.Errorf("%+v", got)
	}
	if got := received(t, x.joins(args{"session_ids": []string{id}})); !got.Done || len(got.Sessions[0].Requests) != 1 {
		t.Errorf("%+v", got)
	}
	x.none("once it was closed")

	// Answered elsewhere: the call goes on, and what the user says to a form whose stream has gone with the call changes nothing.
	callTool[args](x.mcpClient, "session_answer", args{"session_id": id, "option": "deny"})
	h.resolution(id, "r1")
	id = x.say("", "asking", "and again").SessionID
	done = x.joins(args{"session_ids": []string{id}})
	f = received(t, x.asked)
	callTool[args](x.mcpClient, "session_answer", args{"session_id": id, "option": "deny"})
	received(t, done)
	select {
	case f.does <- &sdk.ElicitResult{Action: "accept", Content: map[string]any{"option": protocol.AllowOnce}}:
	case <-f.away.Done():
	}
	if r := h.resolution(id, "r1"); r.Outcome != protocol.OutcomeDenied {
		t.Errorf("%+v", r)
	}
}

// TestInputIsRequired: the new era is asked by the answer of the call, which is called again.
// Proves: I10.2/asked
func TestInputIsRequired(t *testing.T) {
	h := newHarness(t)
	x := h.host(newEra)
	busy := x.say("", "busy", "go").SessionID
	id := x.say("", "asking", "rm -r /").SessionID
	done := x.joins(args{"session_ids": []string{busy, id}}) // the one that asks does not wait for the other
	f := received(t, x.asked)
	f.accept(protocol.AllowOnce)
	if r := h.resolution(id, "r1"); r.Outcome != protocol.OutcomeAllowed || r.By != "client:mcp" {
		t.Errorf("%+v", r)
	}
	h.agent(busy).say(adapters.TurnEnded{Status: protocol.TurnCompleted})
	if got := received(t, done); !got.Done || !strings.HasPrefix(got.Sessions[1].Text, "answered 0") {
		t.Errorf("%+v", got)
	}

	// Closed: it is not asked again, and the call says what waits.
	id = x.say("", "asking", "again").SessionID
	done = x.joins(args{"session_ids": []string{id}})
	f = received(t, x.asked)
	f.act(&sdk.ElicitResult{Action: "cancel"})
	if got := received(t, done); !got.Done || len(got.Sessions[0].Requests) != 1 {
		t.Errorf("%+v", got)
	}
	x.none("once it was closed")

	// Who waits for any is told of the one that is done, and asked nothing.
	if got := received(t, x.joins(args{"session_ids": []string{busy, id}, "wait": "any"})); !got.Done || !got.Sessions[0].Resting {
		t.Errorf("%+v", got)
	}
	x.none("as another was done")
}

// TestMessagesRequireInput: a message whose turn asks is sent once, and in the end answered as one that was not asked anything.
// Proves: I10.2/asked
func TestMessagesRequireInput(t *testing.T) {
	h := newHarness(t)
	x := h.host(newEra)
	for _, arguments := range []args{
		{"session_id": h.create("asking"), "message": "rm -r /", "wait_ms": 110000},
		{"agent": "asking", "cwd": "/work", "message": "rm -r /", "wait_ms": 110000, "new_session": true},
	} {
		got := make(chan answered, 1)
		go func() { // ends with the call
			got <- callTool[answered](x.mcpClient, "session_message", arguments)
		}()
		received(t, x.asked).accept(protocol.AllowOnce)
		a := received(t, got)
		spawned := arguments["session_id"] == nil
		if a.Outcome != "completed" || !strings.HasPrefix(a.Text, "answered 0") || a.Repeated || a.Spawned != spawned || (a.LastEventIndex == -1) != spawned || a.LastEventIndex == 0 || a.PromptID != "p1" {
			t.Errorf("%+v", a)
		}
	}
}

// TestInputOnTheWire: what a client of the new era sees, and what it may send back.
func TestInputOnTheWire(t *testing.T) {
	h := newHarness(t)
	id := h.begin(args{"agent": "asking", "cwd": "/work", "message": "rm -r /"}).Meta.Session.SessionID
	h.until(id, func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.RequestOpened); return ok })
	join := func(more args) (out struct {
		ResultType    string `json:"resultType"`
		IsError       bool   `json:"isError"`
		RequestState  string `json:"requestState"`
		InputRequests map[string]struct {
			Method string `json:"method"`
		} `json:"inputRequests"`
	},
	) {
		t.Helper()
		params := args{"name": "session_join", "arguments": args{"session_ids": []string{id}}}
		for k, v := range more {
			params[k] = v
		}
		r := h.modern("tools/call", params, false)
		if r.Error != nil {
			t.Fatalf("%+v", *r.Error)
		}
		if err := json.Unmarshal(r.Result, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := join(nil)
	key := id + "/r1"
	if first.ResultType != "input_required" || len(first.InputRequests) != 1 || first.InputRequests[key].Method != "elicitation/create" || first.RequestState == "" {
		t.Fatalf("%+v", first)
	}
	if again := join(args{"requestState": first.RequestState}); again.ResultType != "input_required" || again.RequestState != first.RequestState {
		t.Errorf("without the response: %+v", again)
	}
	yes := args{"action": "accept", "content": args{"option": "allow_once"}}
	for what, bad := range map[string]args{
		"another state":             {"requestState": "e30"},
		"no state at all":           {"requestState": "?"},
		"the state of another call": {"requestState": first.RequestState, "arguments": args{"session_ids": []string{id}, "wait_ms": 7}},
		"no session":                {"inputResponses": args{"r1": yes}},
		"a session not there":       {"inputResponses": args{missingID + "/r1": yes}},
		"a root":                    {"inputResponses": args{key: args{"roots": []any{}}}},
	} {
		if got := join(bad); !got.IsError {
			t.Errorf("%s was taken: %+v", what, got)
		}
	}
	if got := join(args{"requestState": first.RequestState, "inputResponses": args{id + "/r9": yes, key: args{"action": "accept", "content": args{"option": "perhaps"}}}}); got.ResultType != "complete" {
		t.Errorf("an answer that does not fit: %+v", got)
	}
	if got := join(args{"requestState": first.RequestState, "inputResponses": args{key: yes}}); got.ResultType != "complete" || got.IsError {
		t.Errorf("%+v", got)
	}
	if r := h.resolution(id, "r1"); r.Outcome != protocol.OutcomeAllowed {
		t.Errorf("%+v", r)
	}
	if got := join(args{"requestState": first.RequestState, "inputResponses": args{key: yes}}); got.ResultType != "complete" || got.IsError {
		t.Errorf("answered twice: %+v", got)
	}
}
