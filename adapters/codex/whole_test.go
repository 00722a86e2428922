package codex_test

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestWholeText: whoever wants a whole text gets it, also one that is longer than what goes into a log.
func TestWholeText(t *testing.T) {
	long := strings.Repeat("é", adapters.MaxText)
	tr := codex.Agent{}.Translator(adapters.Spec{NativeSessionID: "A", Child: true, MaxText: len(long)})
	var out adapters.Output
	tr.Start(&out)
	for _, l := range []string{
		started("A", "1"), item("started", "A", "1", `"type":"commandExecution","id":"x","command":"c","status":"inProgress"`),
		item("completed", "A", "1", `"type":"commandExecution","id":"x","command":"c","status":"completed","aggregatedOutput":"`+long+`"`),
	} {
		tr.Line([]byte(l), &out)
	}
	for _, d := range out.Drafts {
		if closed, ok := d.(adapters.EntryClosed); ok {
			if e, ok := closed.Data.(*protocol.ToolCallData); !ok || e.Output != long || e.Truncated {
				t.Errorf("it has %d bytes of %d, cut %v", len(e.Output), len(long), e.Truncated)
			}
			return
		}
	}
	t.Error("it is not closed")
}
