package claude

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A result that comes twice is one, also behind the end of its turn; two without an id are two.
func TestResultComesTwice(t *testing.T) {
	var one turn
	var out adapters.Output
	one.begin(nil, &out)
	if one.again("u1") || one.again("") || one.again("") {
		t.Error("a result is the last one once more that is not")
	}
	one.again("u1")
	one.end()
	if !one.again("u1") {
		t.Error("the same result is another one behind the end of its turn")
	}
	one.begin(nil, &out)
	if !one.again("u1") || one.again("u2") {
		t.Error("the same result is another one in the next turn")
	}
}

// A turn leaves nothing to the next one but the id of its result.
func TestTurnLeavesNothing(t *testing.T) {
	var out adapters.Output
	one := turn{on: true, round: 3, phase: protocol.StateCompacting, problem: "x", aborted: true, last: "u1"}
	one.end()
	if one != (turn{last: "u1"}) {
		t.Errorf("%+v", one)
	}
	one.begin(nil, &out)
	one.report(protocol.StateResponding, &out)
	one.report(protocol.StateResponding, &out)
	if len(out.Drafts) != 2 {
		t.Errorf("drafts: %+v", out.Drafts)
	}
	// A retry is told each time: its wait is another one.
	one.retries([]byte(`{"attempt":1,"retry_delay_ms":-5}`), &out)
	one.retries([]byte(`{"attempt":2,"retry_delay_ms":1e300,"error":"server_error"}`), &out)
	if last := out.Drafts[4].(adapters.PhaseChanged); last.RetryAt != maxDelay {
		t.Errorf("waits for %d ms", last.RetryAt)
	}
}
