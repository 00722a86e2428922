package claude

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
)

// drafts says what was said, a line each.
func drafts(out *adapters.Output) string {
	var b strings.Builder
	for _, d := range out.Drafts {
		b.WriteString(conformance.Describe(d) + "\n")
	}
	out.Drafts = nil
	return b.String()
}

// A request belongs to the call that it names, and ends with it; about a call that has ended, or that nobody saw, it is about none.
func TestRequestsBelongToCalls(t *testing.T) {
	c := newTranslator(adapters.Spec{}).content
	var out adapters.Output
	asks := func(id, call string) {
		c.asked([]byte(`{"request_id":"`+id+`","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"`+call+`"}}`), &out)
	}
	c.finalTool(&contentWire{Type: "tool_use", ID: "t1", Name: "Bash", Input: []byte(`{}`)}, 1, &out)
	asks("r1", "t1")
	asks("r2", "t2")
	if got := drafts(&out); !strings.Contains(got, "request 1 opened: entry 1 ") || !strings.Contains(got, "request 2 opened: entry 0 ") {
		t.Error(got)
	}
	c.toolResult(&contentWire{ToolUseID: "t1"}, &userLine{}, true, &out)
	if got := drafts(&out); !strings.HasPrefix(got, "request 1 closed: cancelled") || !strings.Contains(got, "entry 1 closed") {
		t.Error(got)
	}
	asks("r3", "t1")
	if got := drafts(&out); !strings.Contains(got, "request 3 opened: entry 0 ") {
		t.Error(got)
	}
	if len(c.requests.open) != 2 {
		t.Errorf("%d requests are open", len(c.requests.open))
	}
}

// The id of a call in the same message is the same call, in another one another call.
func TestIdsOfCallsComeAgain(t *testing.T) {
	c := newTranslator(adapters.Spec{}).content
	var out adapters.Output
	call := &contentWire{Type: "tool_use", ID: "t1", Name: "Bash", Input: []byte(`{"command":"ls"}`)}
	c.next("m1", &out)
	c.startTool(0, call, 1, &out)
	first := c.tools.calls["t1"]
	c.startTool(1, call, 1, &out)
	c.finalTool(call, 1, &out)
	if c.tools.calls["t1"] != first || !first.running {
		t.Error("the same message has two calls of one id")
	}
	out = adapters.Output{}
	c.next("m1", &out)
	c.startTool(0, call, 2, &out)
	second := c.tools.calls["t1"]
	if got := drafts(&out); second == first || !first.closed || !strings.HasPrefix(got, "entry 1 left (superseded)") {
		t.Error(got)
	}
	// What the turn has left open the session closes.
	c.forget()
	c.toolResult(&contentWire{ToolUseID: "t1"}, &userLine{}, true, &out)
	c.next("m2", &out)
	if got := drafts(&out); strings.Contains(got, "closed") || strings.Contains(got, "left") {
		t.Error(got)
	}
}
