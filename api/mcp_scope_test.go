package api

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// toolArgs are arguments of every tool about a session: the matrix asks for one of each.
func toolArgs(id string) map[string]args {
	return map[string]args{
		"session":              {"action": "interrupt", "session_id": id},
		"session_message":      {"session_id": id, "message": "hi"},
		"session_events":       {"session_id": id},
		"session_text":         {"session_id": id, "entry_id": "e1"},
		"session_summary":      {"session_id": id},
		"session_watch":        {"session_id": id},
		"session_create":       {"agent": "echo", "cwd": "/work", "parent_session_id": id},
		"session_list":         {"text": id},
		"session_get":          {"session_id": id},
		"session_end":          {"session_id": id},
		"session_interrupt":    {"session_id": id},
		"session_change":       {"session_id": id, "title": "t", "labels": args{"a": "b"}},
		"session_delete":       {"session_id": id},
		"session_cleanup":      {"labels": args{"of": id}},
		"session_answer":       {"session_id": id, "request_id": "r1", "option": "deny"},
		"session_prompts":      {"session_id": id},
		"session_join":         {"session_ids": []string{id}, "wait_ms": 0},
		"caller_tool_response": {"session_id": id, "request_id": "c1", "result": "done"},
		"agent_list":           {},
	}
}

// aboutNone are the tools that need no session to be there.
var aboutNone = []string{"agent_list", "session_list", "session_cleanup"}

// aboutAny are the tools that change something and name no session.
var aboutAny = []string{"session_create", "session_cleanup"}

// tools are the tools that a client sees, and whether each only reads.
func (c *mcpClient) tools() map[string]bool {
	c.t.Helper()
	list, err := c.ListTools(c.t.Context(), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	out := map[string]bool{}
	for _, t := range list.Tools {
		out[t.Name] = t.Annotations != nil && t.Annotations.ReadOnlyHint
	}
	return out
}

// holdersOf are clients of each scope: those of ann's, and the agent of one of her sessions.
func (h *harness) holdersOf(mine, version string) map[holder]*mcpClient {
	h.t.Helper()
	out := map[holder]*mcpClient{}
	for who, b := range holders(h.t, h.api.cfg.Tokens, mine) {
		if slices.Contains([]holder{"admin", "admin:ro", "owner", "owner:ro", "agent"}, who) {
			out[who] = h.connectAs(strings.TrimPrefix(b, "Bearer "), h.base, version)
		}
	}
	return out
}

// TestMCPOwnTools: what the adapters' policies take the daemon's own tools for is what the server says of them to the agent itself.
func TestMCPOwnTools(t *testing.T) {
	for _, version := range []string{oldEra, newEra} {
		h := newHarness(t)
		said := h.holdersOf(h.owned("ann", ""), version)["agent"].tools()
		known := adapters.OwnTools()
		for name, reads := range said {
			if kind, has := known[name]; !has {
				t.Errorf("%s: the server has %s, and adapters.OwnTools has not", version, name)
			} else if reads != (kind == protocol.ToolRead) {
				t.Errorf("%s: that %s only reads is %t for the server, and %s in adapters.OwnTools", version, name, reads, kind)
			}
		}
		for name := range known {
			if _, has := said[name]; !has {
				t.Errorf("%s: adapters.OwnTools has %s, and the server has not", version, name)
			}
		}
	}
}

// TestMCPScopeMatrix: every scope, every tool of the list, one's own session and foreign ones, in both eras.
// Proves: D1.1, D4.2.scopes, C49, T31, T36
func TestMCPScopeMatrix(t *testing.T) {
	for _, version := range []string{oldEra, newEra} {
		t.Run(version, func(t *testing.T) {
			h := newHarness(t, compatible)
			mine := h.owned("ann", "")
			every := h.connect(version).tools()
			cells := 0
			for who, c := range h.holdersOf(mine, version) {
				listed := c.tools()
				if want := maps.Clone(every); who != "agent" {
					maps.DeleteFunc(want, func(_ string, reads bool) bool { return strings.HasSuffix(string(who), ":ro") && !reads })
					if !maps.Equal(listed, want) {
						t.Errorf("%s sees %v", who, listed)
					}
				}
				for tool, reads := range every {
					own, bobs, mine := h.owned("ann", mine), h.owned("bob", ""), mine
					if tool == "session_delete" { // the holders need theirs
						mine = h.owned("ann", "")
					}
					var told []string
					for _, id := range []string{own, bobs, h.owned("", ""), mine, missingID} {
						cells++
						arguments, given := toolArgs(id)[tool]
						if !given {
							t.Fatalf("%s: give the matrix arguments for it", tool)
						}
						if tool == "session_create" && who == "agent" && id == own {
							delete(arguments, "parent_session_id")
						}
						r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
						if err != nil {
							if _, has := listed[tool]; has || who != "agent" {
								t.Errorf("%s: %s: %v", who, tool, err)
							}
							break
						}
						told = append(told, resultText(r))
						reaches := id != missingID && (id == own || strings.HasPrefix(string(who), "admin") || id == mine && who != "agent")
						want := ""
						switch {
						case strings.HasSuffix(string(who), ":ro") && !reads:
							want = "(forbidden)"
						case slices.Contains(aboutNone, tool) || reaches:
						case tool == "session_create" && who == "agent":
							if id != mine { // its own session is what a session of its may work for
								want = "(forbidden)"
							}
						case tool == "session_create" && id == missingID: // the tree of the tests takes any
							if who != "admin" {
								want = "(session_not_found)"
							}
						default:
							want = "(session_not_found)"
						}
						text := resultText(r)
						refused := strings.Contains(text, "(forbidden)") || strings.Contains(text, "(session_not_found)") || strings.Contains(text, "(internal)")
						if want == "" && refused || want != "" && (!r.IsError || !strings.Contains(text, want)) {
							t.Errorf("%s: %s of %s: %q, want %q", who, tool, id, text, want)
						}
						if tool == "session_list" && strings.Contains(text, "\n"+id+" ") != reaches {
							t.Errorf("%s: %s is listed: %s", who, id, text)
						}
					}
					if len(told) == 5 && who == "owner" && !slices.Contains(aboutNone, tool) && (told[1] != told[4] || told[2] != told[4]) {
						t.Errorf("%s: a foreign session is not as one that is missing: %q", tool, told)
					}
				}
			}
			t.Logf("%d tools, %d cells", len(every), cells)
		})
	}
}

// TestMCPScopeOfResources: what is no tool asks as well: resources, subscriptions, completion, tasks.
func TestMCPScopeOfResources(t *testing.T) {
	for _, version := range []string{oldEra, newEra} {
		t.Run(version, func(t *testing.T) {
			h := newHarness(t)
			mine, bobs := h.owned("ann", ""), h.owned("bob", "")
			for who, c := range h.holdersOf(mine, version) {
				if who == "agent" {
					continue // its server has tools only
				}
				for _, what := range []string{"log", "state"} {
					errs := map[string]error{}
					for _, id := range []string{mine, bobs, missingID} {
						_, errs[id] = c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "session://" + id + "/" + what})
					}
					admin := strings.HasPrefix(string(who), "admin")
					if errs[mine] != nil || (errs[bobs] == nil) != admin || errs[missingID] == nil ||
						!admin && strings.ReplaceAll(errs[bobs].Error(), bobs, missingID) != errs[missingID].Error() {
						t.Errorf("%s: %s: %v", who, what, errs)
					}
					if version == oldEra {
						err := c.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "session://" + bobs + "/" + what})
						if (err == nil) != admin {
							t.Errorf("%s subscribes to a foreign session: %v", who, err)
						}
					}
				}
				done, err := c.Complete(t.Context(), &sdk.CompleteParams{
					Ref: &sdk.CompleteReference{Type: "ref/resource", URI: logTemplate}, Argument: sdk.CompleteParamsArgument{Name: "id"},
				})
				if err != nil || slices.Contains(done.Completion.Values, bobs) != strings.HasPrefix(string(who), "admin") || !slices.Contains(done.Completion.Values, mine) {
					t.Errorf("%s: %v, %v", who, done, err)
				}
			}
		})
	}
}

const logTemplate = "session://{id}/log{?since}"

// TestMCPScopeOfTasks: the task of a foreign session is none, and who only reads changes none.
func TestMCPScopeOfTasks(t *testing.T) {
	h := newHarness(t)
	bearers := holders(t, h.api.cfg.Tokens, "s")
	as := func(who holder, method string, params args) rpc {
		own := *h
		own.token = strings.TrimPrefix(bearers[who], "Bearer ")
		return own.modern(method, params, true)
	}
	of := func(owner, name string) string {
		sum, err := h.tree.Create(t.Context(), supervisor.NewSession{Agent: "asking", Cwd: "/work", Owner: owner})
		if err != nil {
			t.Fatal(err)
		}
		k := h.begin(args{"session_id": sum.ID, "message": name})
		h.awaitTask(k.TaskID, "input_required")
		return k.TaskID
	}
	anns, bobs := of("ann", "a"), of("bob", "b")
	unknown := as("owner", "tasks/get", args{"taskId": missingID + ".p1"})
	for _, method := range []string{"tasks/get", "tasks/cancel", "tasks/update"} {
		if r := as("owner", method, args{"taskId": bobs}); r.Error == nil || r.Error.Message != unknown.Error.Message {
			t.Errorf("%s of a foreign task: %+v", method, r)
		}
		if r := as("owner:ro", method, args{"taskId": anns}); (r.Error == nil) != (method == "tasks/get") || r.Error != nil && !strings.Contains(string(r.Error.Data), "forbidden") {
			t.Errorf("%s by who only reads: %+v", method, r.Error)
		}
	}
	h.awaitTask(bobs, "input_required")
	h.awaitTask(anns, "input_required")
	if r := as("owner", "tasks/cancel", args{"taskId": anns}); r.Error != nil {
		t.Errorf("%+v", r.Error)
	}
}

// TestMCPSessionsAreTheirPrincipals: another's MCP session can be neither used, nor listened to, nor ended, and feels nothing of it.
func TestMCPSessionsAreTheirPrincipals(t *testing.T) {
	h := newHarness(t)
	bearers := holders(t, h.api.cfg.Tokens, "s")
	c := h.connectAs(strings.TrimPrefix(bearers["owner"], "Bearer "), h.base, oldEra).listening()
	id := h.owned("ann", "")
	callTool[args](c, "session_watch", args{"session_id": id})
	header := []string{"Mcp-Session-Id", c.ID(), "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", oldEra}
	for who, bearer := range bearers {
		if who == "owner" {
			continue
		}
		for _, method := range []string{"POST", "GET", "DELETE"} {
			body, want := "", http.StatusForbidden
			if method == "POST" {
				body = `{"jsonrpc":"2.0","id":7,"method":"ping"}`
			}
			if who.expected(method+" /mcp") == http.StatusUnauthorized {
				want = http.StatusUnauthorized
			}
			h.want(want, method, "/mcp", body, append(header, "Authorization", bearer)...)
		}
	}
	h.turn(id, "hi")
	c.until(idleAgain(1))
	if err := c.Ping(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestMCPRevoked: calls and MCP sessions end with the token that they were begun with.
func TestMCPRevoked(t *testing.T) {
	for _, version := range []string{oldEra, newEra} {
		t.Run(version, func(t *testing.T) { revokedMCP(t, version) })
	}
}

func revokedMCP(t *testing.T, version string) {
	h := newHarness(t)
	made, secret, err := h.api.cfg.Tokens.Create(access.Token{Name: "n", Scope: access.Admin})
	if err != nil {
		t.Fatal(err)
	}
	c := h.connectAs(secret, h.base, version)
	if version == oldEra {
		c.listening()
	}
	other := h.connect(oldEra).listening()
	id := h.owned("", "")
	callTool[args](c, "session_watch", args{"session_id": id})
	callTool[args](other, "session_watch", args{"session_id": id})
	waits := make(chan error, 1)
	go func() { // ends with the call, which ends with the token
		_, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "session_events", Arguments: args{"session_id": id, "follow": true, "wait_ms": 55000, "since_index": 1000}})
		waits <- err
	}()
	if err := h.api.cfg.Tokens.Revoke(made.ID); err != nil {
		t.Fatal(err)
	}
	_ = received(t, waits)
	if err := c.Ping(t.Context(), nil); err == nil {
		t.Error("a client whose token is void is answered")
	}
	for begun := time.Now(); version == oldEra; { // until it has ended: before that it is another's
		r := h.do("POST", "/mcp", `{"jsonrpc":"2.0","id":7,"method":"ping"}`,
			"Mcp-Session-Id", c.ID(), "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", oldEra)
		if r.StatusCode == http.StatusNotFound {
			break
		}
		if r.StatusCode != http.StatusForbidden || time.Since(begun) > patience {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
	}
	h.turn(id, "hi")
	other.until(idleAgain(1))
}

// inquiring asks a question in every turn.
func inquiring(a *fakeAgent, m session.AdapterMessage) {
	if t, ok := m.(*session.Tell); ok {
		if c, ok := t.Command.(adapters.Prompt); ok {
			a.say(adapters.PromptAnswered{ID: c.ID}, adapters.TurnBegan{}, adapters.RequestOpened{Key: 1, Request: protocol.RequestOpened{
				Kind: protocol.RequestQuestion, Title: "Which?", Questions: []protocol.Question{{Text: "Which?", FreeText: true}},
			}})
			return
		}
	}
	asking(a, m)
}

// TestMCPAgentsAnswer questions of their sessions and never what has to be approved, by whatever way.
// Proves: D4.2.inside/token
func TestMCPAgentsAnswer(t *testing.T) {
	h := newHarness(t)
	h.tree.agents["inquiring"] = inquiring
	mine := h.owned("ann", "")
	secret, revoke := h.api.cfg.Tokens.Grant(mine, "ann")
	defer revoke()
	var shown atomic.Int64
	c := h.connectAs(secret, h.base, oldEra, func(o *sdk.ClientOptions) {
		o.ElicitationHandler = func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			shown.Add(1)
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"option": protocol.AllowOnce}}, nil
		}
	})
	for agent, want := range map[string]protocol.Code{"asking": protocol.CodeForbidden, "inquiring": ""} {
		m := callTool[told](c, "session_message", args{"agent": agent, "cwd": "/work", "message": "go", "new_session": true})
		e := callTool[toldEvents](c, "session_events", args{"session_id": m.SessionID, "types": []string{"request"}, "wait_ms": 55000})
		if len(e.Events) != 1 {
			t.Fatalf("%+v", e)
		}
		if want == "" {
			callTool[args](c, "session_answer", args{"session_id": m.SessionID, "answers": [][]string{{"this"}}})
		} else {
			c.fails(want, "session_answer", args{"session_id": m.SessionID, "option": protocol.AllowOnce})
			c.fails(want, "session_answer", args{"session_id": m.SessionID, "cancel": true})
			h.want(http.StatusOK, "POST", "/sessions/"+m.SessionID+"/requests/r1", `{"outcome":"allowed"}`)
		}
		c.settled(m.SessionID, m.LastEventIndex)
	}
	if n := shown.Load(); n > 1 {
		t.Errorf("an agent was shown %d forms, one of them an approval", n)
	}
}

// TestMCPAudit: each tool that changes something makes one line, each that reads none, and so what is no tool.
func TestMCPAudit(t *testing.T) {
	logs, keep := audited()
	h := newHarness(t, keep, compatible)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		for tool, reads := range c.tools() {
			id := h.owned("", "")
			const marker = "MARKER4711"
			arguments := toolArgs(id)[tool]
			if tool == "session_message" {
				arguments["message"] = marker
			}
			logs.take()
			r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
			if err != nil {
				t.Fatalf("%s: %v", tool, err)
			}
			got := logs.take()
			if reads {
				if len(got) != 0 {
					t.Errorf("%s: %v", tool, got)
				}
				continue
			}
			want := strings.Replace(tool+"$", "session$", "session_interrupt$", 1)
			if len(got) != 1 || got[0]["operation"] != strings.TrimSuffix(want, "$") || got[0]["principal"] != "admin" || got[0]["request"] == "" ||
				!slices.Contains(aboutAny, tool) && got[0]["session"] != id || (got[0]["outcome"] == "ok") == r.IsError || strings.Contains(fmt.Sprint(got), marker) {
				t.Errorf("%s: %v of %s", tool, got, resultText(r))
			}
		}
		if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "session_end", Arguments: args{"session_id": 5}}); err != nil {
			t.Error(err)
		}
		if got := logs.take(); len(got) != 1 || got[0]["outcome"] != "invalid_request" {
			t.Errorf("wrong arguments: %v", got)
		}
	}
	ro := h.holdersOf("s", oldEra)["admin:ro"]
	logs.take()
	ro.fails(protocol.CodeForbidden, "session_end", args{"session_id": missingID})
	if got := logs.take(); len(got) != 1 || got[0]["outcome"] != "forbidden" || got[0]["operation"] != "session_end" || got[0]["scope"] != "admin:ro" {
		t.Errorf("%v", got)
	}
	k := h.begin(args{"agent": "asking", "cwd": "/work", "message": "go"})
	for id := range h.awaitTask(k.TaskID, "input_required").InputRequests {
		logs.take()
		h.modern("tasks/update", args{"taskId": k.TaskID, "inputResponses": args{id: args{"action": "accept", "content": json.RawMessage(`{"option":"allow_once"}`)}}}, true)
		if got := logs.take(); len(got) != 1 || got[0]["operation"] != "tasks/update" || got[0]["outcome"] != "ok" || got[0]["session"] == nil {
			t.Errorf("%v", got)
		}
	}
	h.modern("tasks/get", args{"taskId": k.TaskID}, true)
	if got := logs.take(); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// TestMCPAuditOfForms: an answer that a client's user gives in a form is one as well.
func TestMCPAuditOfForms(t *testing.T) {
	logs, keep := audited()
	h := newHarness(t, keep)
	c := h.connect(oldEra, func(o *sdk.ClientOptions) {
		o.ElicitationHandler = func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"option": protocol.AllowOnce}}, nil
		}
	}).listening()
	m := callTool[told](c, "session_message", args{"agent": "asking", "cwd": "/work", "message": "go", "new_session": true})
	c.until(idleAgain(1))
	_ = c.Close()
	h.api.mcp.Close() // waits for the goroutine of the form
	got := logs.take()
	n := 0
	for _, line := range got {
		if line["operation"] == "elicitation" && line["outcome"] == "ok" && line["session"] == m.SessionID && line["principal"] == "admin" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%v", got)
	}
}
