package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// operations says how each operation of the description is called.
var operations = map[string]func(context.Context, *client.Client, client.Session){
	"listAgents":          func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Agents(ctx) },
	"reloadConfiguration": func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Reload(ctx) },
	"getHealth":           func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Ready(ctx) },
	"getReady":            func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Ready(ctx) },
	"endMcp":              func(ctx context.Context, c *client.Client, _ client.Session) { mcp(ctx, c, http.MethodDelete) },
	"listenMcp":           func(ctx context.Context, c *client.Client, _ client.Session) { mcp(ctx, c, http.MethodGet) },
	"sendMcp":             func(ctx context.Context, c *client.Client, _ client.Session) { mcp(ctx, c, http.MethodPost) },
	"getMetrics":          func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Metrics(ctx) },
	"getProfile":          func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Profile(ctx, "heap") },
	"listNativeSessions": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.NativeSessions(ctx, "pi", "/w")
	},
	"listOpenRequests": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.Inbox(ctx, client.InboxQuery{})
	},
	"listNodes": func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = client.ListNodes(ctx, c) },
	"drainNode": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = client.DrainNode(ctx, c, "here", time.Second)
	},
	"joinNode":    func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = client.JoinNode(ctx, c, "here") },
	"forgetNode":  func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = client.ForgetNode(ctx, c, "n") },
	"takeSession": func(ctx context.Context, _ *client.Client, s client.Session) { _ = client.TakeOver(ctx, s) },
	"listLost":    func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = client.ListLost(ctx, s) },
	"getLost": func(ctx context.Context, _ *client.Client, s client.Session) {
		_, _ = client.OpenLost(ctx, s, "lost.1")
	},
	"listRoots": func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Roots(ctx) },
	"collectSessions": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.Collect(ctx, resource.NewCollection{DryRun: true})
	},
	"addRoot":       func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.AddRoot(ctx, "/w") },
	"listSessions":  func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.List(ctx, client.Query{}) },
	"createSession": func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Create(ctx, client.New{}) },
	"listTokens":    func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Tokens().List(ctx) },
	"createToken": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.Tokens().Create(ctx, resource.NewToken{})
	},
	"revokeToken": func(ctx context.Context, c *client.Client, _ client.Session) { _ = c.Tokens().Revoke(ctx, "t") },
	"createWebhook": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.Webhooks().Create(ctx, resource.NewWebhook{})
	},
	"listWebhooks": func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Webhooks().List(ctx) },
	"getWebhook":   func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Webhooks().Show(ctx, "w") },
	"changeWebhook": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.Webhooks().Change(ctx, "w", resource.WebhookChange{})
	},
	"deleteWebhook": func(ctx context.Context, c *client.Client, _ client.Session) { _ = c.Webhooks().Delete(ctx, "w") },
	"rotateWebhookSecret": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.Webhooks().Rotate(ctx, "w", resource.NewWebhookSecret{})
	},
	"testWebhook": func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Webhooks().Test(ctx, "w") },
	"listWebhookDeliveries": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.Webhooks().Deliveries(ctx, "w", "dead")
	},
	"sendWebhookDelivery": func(ctx context.Context, c *client.Client, _ client.Session) { _ = c.Webhooks().Send(ctx, "w", "d") },
	"sendDeadDeliveries":  func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Webhooks().SendDead(ctx, "w") },
	"askLogin":            func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.Logins().Ask(ctx) },
	"login": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.Logins().Trade(ctx, resource.NewLogin{})
	},
	"endLogin": func(ctx context.Context, c *client.Client, _ client.Session) { _ = c.Logins().End(ctx) },
	"wait": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.Wait(ctx, resource.WaitRequest{})
	},
	"streamSessions": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.Stream(ctx, resource.StreamRequest{})
	},
	"deleteSession": func(ctx context.Context, _ *client.Client, s client.Session) { _ = s.Remove(ctx) },
	"getSession":    func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.Show(ctx) },
	"changeSession": func(ctx context.Context, _ *client.Client, s client.Session) {
		_, _ = s.SetPolicy(ctx, &protocol.Policy{})
	},
	"getSessionBudget":  func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.Budget(ctx) },
	"listOwnerBudgets":  func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.OwnerBudgets().List(ctx) },
	"getOwnerBudget":    func(ctx context.Context, c *client.Client, _ client.Session) { _, _ = c.OwnerBudgets().Of(ctx, "ann") },
	"removeOwnerBudget": func(ctx context.Context, c *client.Client, _ client.Session) { _ = c.OwnerBudgets().Remove(ctx, "ann") },
	"setOwnerBudget": func(ctx context.Context, c *client.Client, _ client.Session) {
		_, _ = c.OwnerBudgets().Set(ctx, "ann", resource.NewOwnerBudget{})
	},
	"setSessionBudget": func(ctx context.Context, _ *client.Client, s client.Session) {
		_, _ = s.SetBudget(ctx, resource.NewBudget{})
	},
	"endSession":       func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.End(ctx, "") },
	"getEntryText":     func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.EntryText(ctx, "e1") },
	"getSessionImage":  func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.Image(ctx, "ab") },
	"interruptSession": func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.Interrupt(ctx) },
	"getSessionLog": func(ctx context.Context, _ *client.Client, s client.Session) {
		for range s.Log(ctx, protocol.Cursor{}) {
			break
		}
	},
	"streamSession": func(ctx context.Context, _ *client.Client, s client.Session) {
		for range s.Follow(ctx, protocol.Cursor{}) {
			break
		}
	},
	"chooseMode":    func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.SetMode(ctx, "m", false) },
	"chooseModel":   func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.SetModel(ctx, "m", false) },
	"listModels":    func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.Models(ctx) },
	"listModes":     func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.Modes(ctx) },
	"listPrompts":   func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.Prompts(ctx) },
	"sendPrompt":    func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.Prompt(ctx, client.Prompt{}) },
	"cancelPrompt":  func(ctx context.Context, _ *client.Client, s client.Session) { _ = s.Cancel(ctx, "p1") },
	"movePrompt":    func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.Move(ctx, "p1", client.Spot{}) },
	"getSessionRaw": func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.Raw(ctx, client.RawQuery{}) },
	"listRequests":  func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.Requests(ctx) },
	"answerRequest": func(ctx context.Context, _ *client.Client, s client.Session) {
		_, _ = s.Answer(ctx, "r1", resource.RequestAnswer{})
	},
	"getSessionState": func(ctx context.Context, _ *client.Client, s client.Session) { _, _ = s.State(ctx, protocol.Cursor{}) },
}

// withoutMethod are operations that are for other clients, with what this one has in their place.
var withoutMethod = map[string]string{
	"streamSessionsByAddress": "for EventSource, which cannot send a body: Stream is the same",
	"readSessionEvents":       "for generated clients, which cannot read NDJSON: Log is the same",
}

func mcp(ctx context.Context, c *client.Client, method string) {
	if resp, err := c.MCP(ctx, method, http.Header{}, nil); err == nil {
		_ = resp.Body.Close()
	}
}

// refuser answers nothing and keeps what it was asked.
type refuser struct{ asked []string }

func (r *refuser) RoundTrip(req *http.Request) (*http.Response, error) {
	r.asked = append(r.asked, req.Method+" "+req.URL.Path)
	if req.URL.Path == "/health" {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("{}"))}, nil
	}
	return nil, errors.New("refused")
}

// TestEveryOperationHasAMethod: a program can do with this package whatever the description of the API has.
//
// Proves: I13.5/everything
func TestEveryOperationHasAMethod(t *testing.T) {
	text, err := os.ReadFile("../openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &described); err != nil {
		t.Fatal(err)
	}
	parameter := regexp.MustCompile(`\{[^}]*\}`)
	seen := map[string]bool{}
	for path, methods := range described.Paths {
		for method, body := range methods {
			var o struct{ OperationID string }
			if json.Unmarshal(body, &o) != nil || o.OperationID == "" {
				continue // parameters of the whole path
			}
			seen[o.OperationID] = true
			do, has := operations[o.OperationID]
			if !has {
				if withoutMethod[o.OperationID] == "" {
					t.Errorf("%s %s: no method of this package does %s: write one, and its row here", strings.ToUpper(method), path, o.OperationID)
				}
				continue
			}
			wire := new(refuser)
			c, err := client.At("http://localhost", "", client.Through(wire), client.Patience(0))
			if err != nil {
				t.Fatal(err)
			}
			do(t.Context(), c, c.Session("s"))
			want := regexp.MustCompile("^" + strings.ToUpper(method) + " " + parameter.ReplaceAllString(path, "[^/]+") + "$")
			if len(wire.asked) == 0 || !want.MatchString(wire.asked[len(wire.asked)-1]) && !want.MatchString(wire.asked[0]) {
				t.Errorf("%s asks %q, want %s", o.OperationID, wire.asked, want)
			}
		}
	}
	for _, rows := range []map[string]bool{keys(operations), keys(withoutMethod)} {
		for id := range rows {
			if !seen[id] {
				t.Errorf("the description has no %s", id)
			}
		}
	}
}

func keys[V any](m map[string]V) map[string]bool {
	set := map[string]bool{}
	for k := range m {
		set[k] = true
	}
	return set
}
