package api

import (
	"encoding/json"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/document"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// The examples are of the session of schema.ExampleEvents. They are values of the very types, so that they
// cannot say what the API does not; a test validates them all the same, and sends those of requests.
const (
	exampleCwd   = "/home/me/project"
	exampleKnown = 16 // schema.ExampleEvents up to the end of the turn: what follows is of other sessions' lives
)

// exampleTime is Unix milliseconds as bodies of the API have times.
func exampleTime(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func exampleSummary() resource.SessionSummary {
	return resource.SessionSummary{
		ID: schema.ExampleSession, Agent: "pi", Cwd: exampleCwd, Title: "Fix the build", Model: "m-1", Labels: map[string]string{"team": "core"},
		NativeSessionID: "a1b2c3", AgentVersion: "1.5.0", CreatedAt: exampleTime(1770000000000), UpdatedAt: exampleTime(1770000001800),
		Epoch: 1, Seq: 12, Cursor: "12", Turns: 1, Policy: examplePolicy(),
		Status: protocol.Status{State: protocol.StateAwaitingApproval, AgentStatus: protocol.AgentRunningTool, ToolName: "bash", QueuedPrompts: 1},
	}
}

func examplePolicy() *protocol.Policy {
	return &protocol.Policy{
		Mode: protocol.PolicyAllowReads, Deadline: 600_000, Default: protocol.PolicyDeny,
		Rules: []protocol.PolicyRule{{Tool: "execute", Pattern: "go test *", Action: protocol.PolicyAllow}},
	}
}

func exampleRequests() []protocol.RequestOpened {
	for i := range schema.ExampleEvents {
		if r, ok := schema.ExampleEvents[i].Payload.(*protocol.RequestOpened); ok {
			return []protocol.RequestOpened{*r}
		}
	}
	return nil
}

func exampleQueue() []resource.WaitingPrompt {
	return []resource.WaitingPrompt{{
		PromptID: "p2", Text: "Then commit", StreamingBehavior: protocol.FollowUp, ClientID: "cli", QueuedAt: exampleTime(1770000001700),
	}}
}

func exampleDetail() resource.SessionDetail {
	return resource.SessionDetail{
		SessionSummary: exampleSummary(), Queue: exampleQueue(), Requests: exampleRequests(),
		Readers: []resource.SessionReader{{Name: "stream", Seq: 12, Since: exampleTime(1770000000500)}},
		Usage:   protocol.Usage{InputTokens: 1200, CachedInputTokens: 1000, OutputTokens: 80, TotalTokens: 1280}, Cost: 0.0044,
	}
}

func exampleEnded() resource.SessionDetail {
	d := exampleDetail()
	d.Queue, d.Requests, d.Readers = []resource.WaitingPrompt{}, []protocol.RequestOpened{}, []resource.SessionReader{}
	d.Status = protocol.Status{State: protocol.StateTerminated, AgentStatus: protocol.AgentIdle}
	return d
}

// exampleMerged is what a merged stream gives.
func exampleMerged() document.ByMedia {
	over := resource.SessionOver{Type: protocol.TypeOver, SessionID: schema.ExampleSession, Cursor: "42"}
	line, err := json.Marshal(over)
	if err != nil {
		panic(err) // texts
	}
	return document.ByMedia{schema.EventStream: over, schema.NDJSONType: string(line) + "\n"}
}

func exampleAccepted() *resource.PromptAccepted {
	return &resource.PromptAccepted{PromptID: "p1", Cursor: "3", Stream: "/sessions/" + schema.ExampleSession + "/stream?since=3"}
}

func exampleToken() resource.TokenInfo {
	expires := exampleTime(1801536000000)
	return resource.TokenInfo{
		ID: "k3vq7xwz2m4n", Name: "dashboard", Scope: string(access.OwnerRead), Owner: "ann", CreatedAt: exampleTime(1770000000000), ExpiresAt: &expires,
	}
}

const exampleCode = "7KQ2M4X6ZAB3C5D7E2F4G6H3JA"

func exampleLogin() resource.TokenInfo {
	expires := exampleTime(1772592000000)
	return resource.TokenInfo{
		ID: "m5q2z7aw4x3k", Name: "Firefox on Linux", Scope: string(access.OwnerRead), Owner: "ann", CreatedAt: exampleTime(1770000000000), ExpiresAt: &expires,
		AskedBy: exampleToken().ID,
	}
}

func exampleBudget() resource.SessionBudget {
	return resource.SessionBudget{
		Budget: &protocol.Budget{Tree: &protocol.Limits{CostMicros: 5_000_000}, Action: protocol.BudgetInterrupt},
		Spent: protocol.Spent{
			TotalTokens: 1280, InputTokens: 1200, CachedInputTokens: 1000, OutputTokens: 80, CostMicros: 1_520_000,
			Turns: 1, ToolCalls: 2, Children: 1, WorkMs: 7000,
		},
		Tree: resource.Use{Tokens: 4280, CostMicros: 4_120_000, WorkMs: 21_000, Turns: 3, ToolCalls: 5, Children: 1},
		Marks: []protocol.BudgetMark{{
			Scope: protocol.ScopeTree, Of: schema.ExampleSession, Limit: protocol.LimitCost, State: protocol.BudgetWarned, Spent: 4_050_000, Max: 5_000_000,
			Action: protocol.BudgetInterrupt,
		}},
	}
}

func exampleOwnerBudget() resource.OwnerBudget {
	since := exampleTime(1770000000000)
	return resource.OwnerBudget{
		Owner: "ann", Limits: &protocol.Limits{Tokens: 10_000_000}, Since: &since,
		Spent: resource.Use{Tokens: 24_280, CostMicros: 9_120_000, WorkMs: 121_000, Turns: 13, ToolCalls: 25, Children: 3}, Marks: []protocol.BudgetMark{},
	}
}

// exampleState is the fold of the example's log.
func exampleState() *protocol.SessionState {
	var s protocol.SessionState
	for i := range schema.ExampleEvents[:exampleKnown] {
		s.Apply(&schema.ExampleEvents[i])
	}
	return &s
}

func exampleLines() string {
	var b []byte
	for i := range schema.ExampleEvents[:3] {
		b = append(protocol.Append(b, &schema.ExampleEvents[i]), '\n')
	}
	return string(b)
}

func examplesOfBodies() document.Examples {
	return document.Examples{Requests: requestExamples, Responses: responseExamples}
}

// requestExamples are the bodies that clients send, by operation.
var requestExamples = withWebhooks(map[string][]document.Example{
	"createSession": {
		{Name: "prompt", Summary: "A session with its first prompt", Value: resource.NewSession{
			Agent: "pi", Cwd: exampleCwd, Title: "Fix the build", Prompt: &resource.FirstPrompt{NewPrompt: resource.NewPrompt{Text: "Run the tests"}},
		}},
		{Name: "with policy", Summary: "A session whose approvals a policy answers", Value: resource.NewSession{
			Agent: "claude", Cwd: exampleCwd, Labels: map[string]string{"team": "core"},
			Policy: &resource.NewPolicy{
				Mode: protocol.PolicyAllowReads, Deadline: 600_000, Default: protocol.PolicyDeny,
				Rules: []resource.NewPolicyRule{{Tool: "execute", Pattern: "go test *", Action: protocol.PolicyAllow}},
			},
		}},
		{Name: "with endpoint", Summary: "A session of an agent that runs already", Value: resource.NewSession{
			Agent: "opencode", Cwd: exampleCwd, Endpoint: &resource.NewEndpoint{URL: "http://127.0.0.1:4096"}, NativeSessionID: "ses_1",
		}},
	},
	"changeSession": {
		{Name: "title", Summary: "Another title, and one label less", Value: json.RawMessage(`{"title":"Fix the build on macOS","labels":{"team":null}}`)},
		{Name: "policy", Summary: "A policy that allows what only reads", Value: json.RawMessage(`{"policy":{"mode":"allow_reads"}}`)},
	},
	"setSessionBudget": {
		{Name: "cost", Summary: "Five dollars for the session and all below it: then the running turn is interrupted", Value: resource.NewBudget{
			Tree: &resource.NewLimits{CostMicros: 5_000_000}, Action: protocol.BudgetInterrupt,
		}},
		{Name: "none", Summary: "No budget any more", Value: resource.NewBudget{}},
	},
	"setOwnerBudget": {
		{Name: "tokens", Summary: "Ten million tokens for all sessions of the owner, counted from now on", Value: resource.NewOwnerBudget{
			Limits: resource.NewLimits{Tokens: 10_000_000}, Anew: true,
		}},
	},
	"endSession":       {{Name: "reason", Summary: "With a reason for the log", Value: endSession{Reason: "It is done"}}},
	"interruptSession": {{Name: "client", Summary: "With who asks, for the log", Value: clientNote{ClientID: "cli"}}, {Name: "turn", Summary: "One turn, and none that comes after it", Value: clientNote{TurnID: "t1"}}},
	"sendPrompt": {
		{Name: "text", Summary: "A prompt that waits for the running turn", Value: resource.NewPrompt{Text: "Then commit", ClientID: "cli"}},
		{Name: "text to steer", Summary: "A prompt that goes into the running turn", Value: resource.NewPrompt{Text: "Only the unit tests", StreamingBehavior: protocol.Steer}},
		{Name: "with image", Summary: "A prompt with an image", Value: resource.NewPrompt{
			Text: "What is wrong here?", Images: []resource.PromptImage{{MediaType: "image/gif", Data: []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;")}},
		}},
	},
	"movePrompt": {
		{Name: "before", Summary: "Before another one", Value: json.RawMessage(`{"before":"p1"}`)},
		{Name: "last", Summary: "To the end", Value: json.RawMessage(`{"before":null}`)},
		{Name: "position", Summary: "To a place", Value: json.RawMessage(`{"position":1}`)},
	},
	"answerRequest": {
		{Name: "allow", Summary: "An approval: allowed, this once", Value: resource.RequestAnswer{Outcome: protocol.OutcomeAllowed, ClientID: "cli"}},
		{Name: "option", Summary: "An approval: one of its options", Value: resource.RequestAnswer{Option: protocol.DenyContinue, Message: "Not in this folder"}},
		{Name: "answers", Summary: "Questions: one list each", Value: resource.RequestAnswer{Answers: [][]string{{"postgres"}, {"users", "orders"}}}},
		{Name: "result", Summary: "The call of a caller tool: what it has given", Value: resource.RequestAnswer{
			Result: json.RawMessage(`{"selection":"func main() {}"}`), ClientID: "editor",
		}},
		{Name: "failed", Summary: "The call of a caller tool: it has failed", Value: resource.RequestAnswer{
			Outcome: protocol.OutcomeFailed, Message: "The file is not open.", ClientID: "editor",
		}},
	},
	"chooseModel": {{Name: "idle", Summary: "When no turn runs", Value: modelChoice{Model: "m-2", When: "idle"}}},
	"chooseMode":  {{Name: "now", Summary: "As soon as the agent can", Value: modeChoice{Mode: "plan"}}},
	"streamSessions": {
		{Name: "all", Summary: "Every session, with the list of them", Value: resource.StreamRequest{Select: &resource.Selector{}, Roster: true}},
		{Name: "label", Summary: "What the sessions of a team do, from now on", Value: resource.StreamRequest{
			Select: &resource.Selector{Labels: map[string]string{"team": "core"}}, View: resource.ViewStatus, Begin: resource.BeginNewest,
		}},
		{Name: "cursors", Summary: "Go on with two sessions", Value: resource.StreamRequest{Sessions: map[string]string{
			schema.ExampleSession: "42", "7d4c9b0e-1f2a-4c3b-8d5e-6f708192a3b4": "2.17",
		}}},
	},
	"wait": {
		{Name: "any", Summary: "Until any session needs somebody", Value: resource.WaitRequest{
			Select: &resource.Selector{}, Of: resource.WaitAny, Until: resource.WaitUntil{Rest: true}, TimeoutMs: new(int64(30_000)),
		}},
		{Name: "team", Summary: "Until all sessions of a team have ended", Value: resource.WaitRequest{
			Select: &resource.Selector{Labels: map[string]string{"team": "core"}}, Until: resource.WaitUntil{Ended: true}, TimeoutMs: new(int64(1000)),
		}},
		{Name: "prompt", Summary: "Until a prompt is settled", Value: resource.WaitRequest{
			Sessions: []string{schema.ExampleSession}, Until: resource.WaitUntil{Prompt: "p1"},
		}},
	},
	"login": {{Name: "browser", Summary: "A page that was opened by a link", Value: resource.NewLogin{Code: exampleCode, Name: "Firefox on Linux"}}},
	"createToken": {
		{Name: "owner", Summary: "A token that reads the sessions of one owner", Value: resource.NewToken{Name: "dashboard", Scope: string(access.OwnerRead), Owner: "ann"}},
		{Name: "admin", Summary: "A token that may do everything", Value: resource.NewToken{Name: "backup", Scope: string(access.Admin)}},
	},
	"drainNode":       {{Name: "patient", Summary: "Turns have ten minutes to come to their end", Value: resource.NewDrain{WaitMs: 600_000}}},
	"collectSessions": {{Name: "dry", Summary: "What a rule would remove", Value: resource.NewCollection{DryRun: true, KeepFor: "720h"}}},
	"addRoot":         {{Name: "folder", Summary: "A folder beside the others", Value: resource.NewRoot{Path: "/home/me/src"}}},
	"sendMcp": {
		{Name: "initialize", Summary: "Open an MCP session", Value: json.RawMessage(
			`{"jsonrpc":"2.0","id":1,"method":"initialize",` +
				`"params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"docs","version":"1.0.0"}}}`)},
		{Name: "tool", Summary: "Call a tool in it", Value: json.RawMessage(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"session_list","arguments":{}}}`)},
	},
}, webhookRequests())

// responseExamples are the bodies of success, by operation.
var responseExamples = withWebhooks(map[string]any{
	"createSession": resource.CreatedSession{SessionDetail: exampleDetail(), Prompt: exampleAccepted()},
	"listSessions": resource.SessionPage{
		Sessions: []resource.SessionSummary{exampleSummary()}, Total: 2, Next: "MTc3MDAwMDAwMDAwMC4wYjZjM2EzZS01YTBmLTRmNTctOWE1My02YTBmMmQwYzdmMTE",
	},
	"getSession":       exampleDetail(),
	"changeSession":    exampleDetail(),
	"getSessionBudget": exampleBudget(),
	"setSessionBudget": exampleBudget(),
	"listOwnerBudgets": resource.OwnerBudgetList{Budgets: []resource.OwnerBudget{exampleOwnerBudget()}},
	"getOwnerBudget":   exampleOwnerBudget(),
	"setOwnerBudget":   exampleOwnerBudget(),
	"endSession":       exampleEnded(),
	"interruptSession": resource.InterruptAccepted{TurnID: "t1"},
	"sendPrompt":       exampleAccepted(),
	"listPrompts":      resource.PromptList{Prompts: exampleQueue()},
	"movePrompt":       resource.PromptMoved{PromptID: "p2", Position: 1},
	"listRequests":     resource.RequestList{Requests: exampleRequests()},
	"answerRequest":    resource.RequestResolution{RequestID: "r1", Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce, By: "client:cli"},
	"listModels": resource.OfferedModels{
		Known: true, Models: []resource.OfferedChoice{{ID: "m-1", Label: "Model 1"}, {ID: "m-2"}}, All: true, Model: "m-1", Pending: "m-2",
	},
	"listModes":         resource.OfferedModes{Known: true, Modes: []resource.OfferedChoice{{ID: "build"}, {ID: "plan", Label: "Plan first"}}, Mode: "build"},
	"chooseModel":       choiceTaken{Applied: "when_idle"},
	"chooseMode":        choiceTaken{Applied: "now"},
	"getSessionLog":     exampleLines(),
	"readSessionEvents": schema.ExampleOf(protocol.TypeEntryDelta),
	"streamSession":     schema.ExampleOf(protocol.TypeEntryDelta),
	"streamSessions":    exampleMerged(), "streamSessionsByAddress": exampleMerged(),
	"wait": resource.WaitAnswer{Held: true, Sessions: []resource.WaitedSession{{
		SessionID: schema.ExampleSession, Cursor: "42", State: protocol.StateIdle, Because: resource.BecausePrompt,
		Outcome: &resource.WaitOutcome{Outcome: "completed", Text: "The build passes again."},
	}}},
	"listOpenRequests": resource.Inbox{Requests: []resource.InboxRequest{{
		SessionID: schema.ExampleSession, Agent: "pi", Cwd: exampleCwd, Title: "Fix the build", Labels: map[string]string{"team": "core"},
		OpenedAt: exampleTime(1770000001700), Cursor: "12", Request: exampleRequests()[0],
	}}, Total: 1, Revision: "K7QJ2M4NXA.118"},
	"getSessionState": exampleState(),
	"getSessionRaw": `{"line":12,"from":40,"to":44,"t_ms":1770000001520,"dir":"out","incarnation":1,"batch":7,"data":{"type":"message_start"}}` + "\n" +
		`{"line":13,"t_ms":1770000001530,"dir":"err","incarnation":1,"data":"warning: no cache"}` + "\n",
	"getEntryText":    "ok\n",
	"getSessionImage": "the bytes of the file",
	"listAgents": resource.AgentList{Agents: []resource.Agent{
		{
			Name: "pi", Available: true, Program: "/usr/local/bin/pi", Version: "1.5.0", Tested: true, CheckedAt: exampleTime(1770000000000),
			Capabilities: resource.AgentCapabilities{
				Steer: true, Queue: true, Resume: true, Approvals: []string{protocol.AllowOnce, protocol.DenyContinue}, Questions: true,
				Images: true, Models: true, Usage: true, Cost: true, MCP: true,
			},
			ModelsKnown: true, Models: []resource.OfferedChoice{{ID: "m-1", Label: "Model 1"}, {ID: "m-2"}}, AllModels: true, Modes: []resource.OfferedChoice{},
		},
		{
			Name: "droid", Problem: "droid was not found", Hint: "install it with: npm install -g droid", CheckedAt: exampleTime(1770000000000),
			Capabilities: resource.AgentCapabilities{
				Steer: true, Queue: true, Resume: true, Approvals: []string{protocol.AllowOnce, protocol.AllowAlways, protocol.DenyStop}, Questions: true,
				Images: true, Models: true, Modes: true, Usage: true, MCP: true,
			},
			Models: []resource.OfferedChoice{}, Modes: []resource.OfferedChoice{},
		},
	}, Processes: resource.Processes{Adopted: true, Marked: true}},
	"listNativeSessions": resource.NativeList{Sessions: []resource.NativeSession{{
		Agent: "claude", ID: "3ca2d9c7-fe8c-42ac-86bc-3adcd9de131c", Cwd: "/home/me/project", Title: "The parser's test fails.",
		Updated: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), SessionID: "7d4c9b0e-1f2a-4c3b-8d5e-6f708192a3b4",
	}}},
	"listNodes": resource.NodeList{Nodes: []resource.NodeInfo{
		{ID: "64d7f03884adbb31ec3a968add57e63a", Here: true, State: resource.NodeUp, Sessions: 12, Build: "1.0.0", LeaseMs: 27_500},
		{ID: "b1f6a0c2935d4e1f8a7c6b5d4e3f2a10", State: resource.NodeSilent, Sessions: 3, Build: "1.0.0", SilentMs: 42_000},
	}},
	"drainNode": resource.NodeInfo{
		ID: "64d7f03884adbb31ec3a968add57e63a", Here: true, State: resource.NodeDraining, Sessions: 12, Workspaces: []string{"shop=/srv/shop"},
		Build: "1.0.0", Leaving: 12,
	},
	"joinNode":   resource.NodeInfo{ID: "64d7f03884adbb31ec3a968add57e63a", Here: true, State: resource.NodeUp, Sessions: 3, Build: "1.0.0", LeaseMs: 27_500},
	"forgetNode": resource.NodeInfo{ID: "b1f6a0c2935d4e1f8a7c6b5d4e3f2a10", State: resource.NodeLeft, Sessions: 3, Build: "1.0.0"},
	"listLost": resource.LostList{Lost: []resource.LostEnd{
		{Name: "lost.1770000000000", At: time.Date(2026, 2, 2, 2, 40, 0, 0, time.UTC), Epoch: 1, First: 118, Last: 121, Events: 4},
	}},
	"getLost":             exampleLines(),
	"listRoots":           resource.RootList{Roots: []string{"/home/me/project"}},
	"reloadConfiguration": resource.Reloaded{File: "/home/me/.config/ringmaster/config.toml", Applied: []string{"log-level"}, Restart: []string{"listen"}},
	"collectSessions": resource.Collection{
		Going:    []resource.Going{{SessionID: schema.ExampleSession, What: "session", Reason: "age", Bytes: 48_213, Since: exampleTime(1770000001800)}},
		Sessions: 1, Freed: 48_213, Total: 1_048_576, Stays: map[string]int{"pinned": 1}, KeepFor: "720h0m0s",
	},
	"addRoot":     resource.RootList{Roots: []string{"/home/me/project", "/home/me/src"}},
	"getHealth":   health{"ok", "1.0.0"},
	"getReady":    resource.Readiness{Ready: true, Sessions: 12, Live: 3, Agents: 2},
	"createToken": resource.CreatedToken{TokenInfo: exampleToken(), Token: access.Prefix + "k3vq7xwz2m4n_7Qm2cV1uVnF0p9hJm3kC0w6xk1sJ0YbYc2tq8w5zE0o"},
	"askLogin":    resource.LoginCode{Code: exampleCode, Path: "/#login=" + exampleCode, ExpiresAt: exampleTime(1770000060000)},
	"login": resource.CreatedToken{
		TokenInfo: exampleLogin(), Token: access.Prefix + "m5q2z7aw4x3k_0o8b1Zs2tqcYbJYs1kx6w0Ck3Jmh9p0FnVu1cV2mQ7E5w",
	},
	"listTokens": resource.TokenList{Tokens: []resource.TokenInfo{exampleToken(), exampleLogin()}},
	"getProfile": "the bytes of the profile",
	"getMetrics": "# HELP ringmaster_sessions Sessions that are known.\n# TYPE ringmaster_sessions gauge\nringmaster_sessions 12\n",
	"sendMcp": json.RawMessage(`{"jsonrpc":"2.0","id":1,"result":` +
		`{"protocolVersion":"2025-06-18","capabilities":{"logging":{},"tools":{}},"serverInfo":{"name":"ringmaster","version":"1.0.0"}}}`),
	"listenMcp": json.RawMessage(`{"jsonrpc":"2.0","method":"notifications/message",` +
		`"params":{"level":"info","logger":"ringmaster.session","data":{"type":"status","text":"idle"}}}`),
}, webhookAnswers())
