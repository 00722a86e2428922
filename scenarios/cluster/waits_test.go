package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// TestWaitsGoAlong: a session is given away in the middle of a turn, with a prompt that waits. It goes on at the other node, where nobody has asked for it, and
// everybody who waits for it is told so: of the prompt or of the session's rest, at either node, over HTTP and MCP. Then the first node takes sessions again, and has this one.
//
// Proves: I16.7/waits-move, I16.6/drain-queue, I16.6/join
func TestWaitsGoAlong(t *testing.T) {
	c := begin(t, 2, 15*time.Second) // nobody is to be lost
	from, to := c.nodes[0], c.nodes[1]
	c.until("both are up", patience, func() bool { return len(from.states(t.Context())) == 2 && len(to.states(t.Context())) == 2 })
	made, err := from.client.Create(t.Context(), client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: c.root}})
	if err != nil {
		t.Fatal(err)
	}
	c.ids = []string{made.ID}
	say := func(text string) string {
		t.Helper()
		r, err := from.client.Session(made.ID).Prompt(t.Context(), client.Prompt{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return r.PromptID
	}
	say("begin\n```script\n" + `[{"say":{"text":"I am at work until I am interrupted.","over":"10m"}}]` + "\n```")
	later := say("later")
	c.until("the other node lists it", patience, func() bool {
		_, err := to.client.Session(made.ID).Show(t.Context())
		return err == nil
	})

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var waits sync.WaitGroup
	for _, n := range c.nodes {
		for what, until := range map[string]resource.WaitUntil{"its prompt": {Prompt: later}, "its rest": {Rest: true}} {
			waits.Go(func() {
				if a, err := n.client.Await(ctx, resource.WaitRequest{Sessions: c.ids, Until: until}); err != nil || !a.Held || a.Sessions[0].Deleted {
					t.Errorf("%s: %+v, %v", what, a, err)
				}
			})
		}
		waits.Go(func() {
			if text, err := n.joins(ctx, made.ID); err != nil || !strings.Contains(text, `"done":true`) {
				t.Errorf("session_join: %s, %v", text, err)
			}
		})
	}
	c.until("it is at work", patience, func() bool { return len(from.atWork(ctx)) == 1 })
	if err := from.drains(ctx); err != nil {
		t.Fatal(err)
	}
	waits.Wait()
	log, err := from.log(ctx, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(log); strings.Contains(text, `"type":"epoch"`) || !strings.Contains(text, `"turnId":"t2","status":"completed"`) || !to.has(ctx, made.ID) {
		t.Errorf("the log is\n%s", text)
	}
	// The node has ended nothing, and takes sessions again when it is told to.
	if n, err := client.JoinNode(ctx, from.client, "here"); err != nil || n.State != resource.NodeUp {
		t.Errorf("%+v, %v", n, err)
	}
	if err := to.drains(ctx); err != nil {
		t.Fatal(err)
	}
	c.until("it takes the session again", patience, func() bool {
		return client.TakeOver(ctx, from.client.Session(made.ID)) == nil && from.has(ctx, made.ID)
	})
}

// drains has the node give its sessions away, and does not wait for it.
func (n *node) drains(ctx context.Context) error {
	_, err := client.DrainNode(ctx, n.client, "here", time.Second)
	return err
}

// joins waits for a session's rest by MCP, without a session of MCP.
func (n *node) joins(ctx context.Context, id string) (text string, err error) {
	const version = "2026-07-28"
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": "session_join", "arguments": map[string]any{"session_ids": []string{id}, "wait_ms": 60_000},
		"_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": map[string]any{},
			"io.modelcontextprotocol/clientInfo": map[string]any{"name": "test", "version": "1"},
		},
	}})
	if err != nil {
		return "", err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+n.address+"/mcp", strings.NewReader(string(body)))
	if err != nil {
		return "", err
	}
	r.Header = http.Header{
		"Authorization": {"Bearer " + n.token}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {version}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"session_join"},
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	all, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s", answer.Status)
	}
	return string(all), err
}
