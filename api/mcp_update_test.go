package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestMCPUpdatesWaitForTheStream of a client of the old era: of everything that changed before it listens it is told, of each resource once,
// however much more others changed meanwhile.
// Proves: I4/wake
func TestMCPUpdatesWaitForTheStream(t *testing.T) {
	h := newHarness(t)
	h.tree.agents["drip"] = dripping(40, 10, 60*time.Millisecond)
	c := h.connectBy(&sdk.StreamableClientTransport{Endpoint: h.base + "/mcp", DisableStandaloneSSE: true}, testToken, oldEra)
	once := c.say("", "busy", "x")
	first := "session://" + once.SessionID + "/log"
	subscribe := func(uri string) {
		t.Helper()
		if err := c.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
	}
	subscribe(first)
	callTool[args](c, "session_interrupt", args{"session_id": once.SessionID})

	often := callTool[args](c, "session_create", args{"agent": "drip", "cwd": "/work"})["session_id"].(string)
	cancelled := fmt.Sprintf("session://%s/log?since=%d", often, 0)
	subscribe(cancelled)
	for i := range 254 {
		subscribe(fmt.Sprintf("session://%s/log?since=%d", often, i+1))
	}
	c.say(often, "", "x")
	c.settled(often, -1)
	if err := c.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: cancelled}); err != nil {
		t.Fatal(err)
	}

	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.base+"/mcp", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+testToken)
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Mcp-Session-Id", c.ID())
	req.Header.Set("Mcp-Protocol-Version", oldEra)
	resp, err := h.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	told := map[string]int{}
	for frames := protocol.NewSSEReader(resp.Body, 1<<20); len(told) < 255; {
		frame, err := frames.Next()
		if err != nil {
			t.Fatalf("%v, told of %d", err, len(told))
		}
		var m struct {
			Method string
			Params struct{ URI string }
		}
		if json.Unmarshal(frame.Data, &m) == nil && m.Method == "notifications/resources/updated" {
			told[m.Params.URI]++
		}
		if told[m.Params.URI] > 1 {
			t.Fatalf("told twice of %s", m.Params.URI)
		}
	}
	if told[first] == 0 || told[cancelled] != 0 {
		t.Errorf("told of the first %d times, of what was unsubscribed %d times", told[first], told[cancelled])
	}
}
