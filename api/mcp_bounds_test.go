package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// sizeOfResult is what a result takes on the wire.
func sizeOfResult(t *testing.T, r *sdk.CallToolResult) int {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return len(b)
}

// TestMCPListsByPage: each session is on one page, however long what is known of it.
// Proves: I10.2/bounded
func TestMCPListsByPage(t *testing.T) {
	h := newHarness(t)
	labels := map[string]string{}
	for i := range 60 {
		labels[fmt.Sprint("label", i)] = strings.Repeat("<value>", 140)
	}
	all := map[string]int{}
	for range 60 {
		made, err := h.tree.Create(t.Context(), supervisor.NewSession{Agent: "mute", Cwd: "/work", Title: strings.Repeat("title ", 80), Labels: labels})
		if err != nil {
			t.Fatal(err)
		}
		all[made.ID] = 0
	}
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		pages := 0
		for cursor := ""; ; pages++ {
			r := c.call("session_list", args{"cursor": cursor, "status": "active"})
			if n := sizeOfResult(t, r); n > 32<<10 {
				t.Fatalf("a page of %d bytes", n)
			}
			got := resultOf[struct {
				NextCursor string `json:"next_cursor"`
				HasMore    bool   `json:"has_more"`
				Total      int
				Sessions   []struct {
					ID string `json:"session_id"`
				}
			}](t, r)
			for _, s := range got.Sessions {
				all[s.ID]++
				if text := resultText(r); !strings.Contains(text, s.ID) {
					t.Errorf("the text lacks %s: %s", s.ID, text)
				}
			}
			if got.Total != len(all) || got.HasMore && !strings.Contains(resultText(r), got.NextCursor) {
				t.Errorf("%d in all; the text is %s", got.Total, resultText(r))
			}
			if cursor = got.NextCursor; !got.HasMore {
				break
			}
		}
		if pages < 2 {
			t.Errorf("%d pages", pages)
		}
	}
	for id, n := range all {
		if n != 2 {
			t.Errorf("%s is on %d pages of two lists", id, n)
		}
	}
}

// TestMCPAgentList: what is needed to make a session right at once. What an agent lets one choose is known once a session of it has told, and
// the same over HTTP.
// Proves: I10.2/agents
func TestMCPAgentList(t *testing.T) {
	h := newHarness(t)
	h.tree.agents["echo"] = choosy
	c := h.connect(newEra)
	type listed struct {
		Roots  []string
		Agents []struct {
			Name        string
			ModelsKnown bool `json:"models_known"`
			Models      []resource.OfferedChoice
			AllModels   bool `json:"all_models"`
			ModesKnown  bool `json:"modes_known"`
			Modes       []resource.OfferedChoice
		}
	}
	overHTTP := func(told listed) {
		t.Helper()
		var list resource.AgentList
		h.want(http.StatusOK, "GET", "/agents", "").into(t, &list)
		a, m := list.Agents[0], told.Agents[0]
		if a.Name != m.Name || a.ModelsKnown != m.ModelsKnown || a.AllModels != m.AllModels || a.ModesKnown != m.ModesKnown ||
			a.Models == nil || !slices.Equal(a.Models, m.Models) || a.Modes == nil || !slices.Equal(a.Modes, m.Modes) {
			t.Errorf("over HTTP %+v, over MCP %+v", a, m)
		}
	}
	before := callTool[listed](c, "agent_list", args{"agent": "echo"})
	if len(before.Roots) != 1 || before.Roots[0] != "/work" || len(before.Agents) != 1 || before.Agents[0].ModelsKnown {
		t.Errorf("%+v", before)
	}
	overHTTP(before)
	h.create("echo")
	after := callTool[listed](c, "agent_list", args{"agent": "echo"})
	if len(after.Agents) != 1 || !after.Agents[0].ModelsKnown || len(after.Agents[0].Models) == 0 || len(after.Agents[0].Modes) == 0 {
		t.Errorf("%+v", after)
	}
	overHTTP(after)
	c.fails(protocol.CodeAgentNotFound, "agent_list", args{"agent": "nobody"})
}

// TestMCPState: the state of a session, also as it was.
// Proves: I10.2/bounded
func TestMCPState(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	m := c.say("", "echo", strings.Repeat("long ", 20_000))
	c.settled(m.SessionID, -1)
	for query, whole := range map[string]bool{"": false, "?at=1": true} {
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "session://" + m.SessionID + "/state" + query})
		if err != nil {
			t.Fatal(err)
		}
		var got protocol.SessionState
		if x := r.Contents[0]; len(x.Text) > 24<<10 || json.Unmarshal([]byte(x.Text), &got) != nil && whole || (x.Meta["cut"] == nil) != whole || !strings.Contains(x.Text, m.SessionID) {
			t.Errorf("%q: %d bytes, %v", query, len(x.Text), x.Meta)
		}
	}
	if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "session://" + m.SessionID + "/state?at=99999"}); err == nil {
		t.Error("a state of times to come")
	}
}

// TestMCPLogPages: hosts show resources to their models, so a page of a log is short, but for one long event; the pages are the log.
// Proves: I10.2/bounded
func TestMCPLogPages(t *testing.T) {
	h := newHarness(t)
	h.tree.agents["drip"] = dripping(60, 1000, time.Millisecond)
	c := h.connect(newEra)
	m := c.say("", "drip", strings.Repeat("long ", 10_000))
	c.settled(m.SessionID, -1)
	var got strings.Builder
	pages := 0
	for since, more := "", true; more; pages++ {
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "session://" + m.SessionID + "/log" + since})
		if err != nil {
			t.Fatal(err)
		}
		x := r.Contents[0]
		if len(x.Text) > 24<<10 && strings.Count(x.Text, "\n") > 1 {
			t.Errorf("page %d has %d bytes", pages, len(x.Text))
		}
		got.WriteString(x.Text)
		since = "?since=" + x.Meta["cursor"].(string)
		if more = x.Meta["has_more"].(bool); more == (x.Meta["cursor"] == x.Meta["newest"]) {
			t.Errorf("page %d: %v", pages, x.Meta)
		}
	}
	if want := string(h.log(m.SessionID, "")); got.String() != want || pages < 3 {
		t.Errorf("%d pages, %d bytes, want %d", pages, got.Len(), len(want))
	}
}
