package pi

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A dialog belongs to the call that it names, or to the one that runs, if only one does; and ends with it.
func TestDialogsBelongToCalls(t *testing.T) {
	w := newTranslator(adapters.Spec{}).content
	var out adapters.Output
	first := w.tools.open(w.entries.keys.Next(), "c1", "bash", protocol.ToolRunning, "{}", 1, &out)
	second := w.tools.open(w.entries.keys.Next(), "c2", "read", protocol.ToolPending, "{}", 1, &out)
	asks := func(r *uiRequest) adapters.EntryKey {
		t.Helper()
		out = adapters.Output{}
		w.ask(r, &out)
		return out.Drafts[0].(adapters.RequestOpened).Entry
	}
	if got := asks(&uiRequest{ID: "u1", Method: "confirm", Title: "approve:c2"}); got != second.key {
		t.Errorf("an approval is about %d", got)
	}
	if got := asks(&uiRequest{ID: "u2", Method: "confirm", Title: "Sure?"}); got != 0 {
		t.Errorf("a confirm of an extension's own is about %d", got)
	}
	if got := asks(&uiRequest{ID: "u3", Method: "input", Title: "approve:c2", Timeout: 5}); got != first.key {
		t.Errorf("a question is about %d", got)
	}
	second.running = true
	if got := asks(&uiRequest{ID: "u4", Method: "select"}); got != 0 {
		t.Errorf("a question of two calls that run is about %d", got)
	}
	out = adapters.Output{}
	w.endTool(first, &result{}, false, nil, &out)
	if closed, ok := out.Drafts[0].(adapters.RequestClosed); !ok || closed.Key != 3 || closed.Outcome != protocol.OutcomeExpired {
		t.Errorf("the end of a call closes %+v", out.Drafts)
	}
	if got := asks(&uiRequest{ID: "u5", Method: "confirm", Title: "approve:c1"}); got != 0 {
		t.Errorf("an approval is about %d, which has ended", got)
	}
	if len(w.requests.open) != 4 {
		t.Errorf("%d requests are open", len(w.requests.open))
	}
}

// The texts and calls of a failed message wait for the news whether the agent tries again, and end together.
func TestFailedMessageEndsAsOne(t *testing.T) {
	w := newTranslator(adapters.Spec{}).content
	var out adapters.Output
	w.tools.open(w.entries.keys.Next(), "c1", "bash", protocol.ToolPending, "", 1, &out)
	w.entries.end(0, protocol.EntryAssistantMessage, "Half", "error", 1, &out)
	w.failTools()
	out = adapters.Output{}
	w.entries.closeFailed("retry", &out)
	w.entries.closeFailed("error", &out)
	var keys []adapters.EntryKey
	for _, d := range out.Drafts {
		c, ok := d.(adapters.EntryClosed)
		if !ok || !c.Incomplete || c.Reason != "retry" {
			t.Fatalf("%+v", d)
		}
		keys = append(keys, c.Key)
	}
	if len(keys) != 2 || keys[0] != 2 || keys[1] != 1 || len(w.tools.calls) != 0 {
		t.Errorf("closed %v", keys)
	}
}
