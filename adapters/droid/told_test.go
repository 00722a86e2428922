package droid

import (
	"encoding/json"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// Where the agent goes on with another session, it says where that is from; the first one is not another.
func TestSessionIsLeft(t *testing.T) {
	const stays adapters.Destination = -1
	one := told{copies: map[string]bool{}}
	var out adapters.Output
	one.enter(native.Told{Session: "A"}, false, &out)
	one.tellReady(&out)
	one.copied(json.RawMessage(`{"newSessionId":"B"}`), false, &out)
	one.copied(json.RawMessage(`{"newSessionId":"C"}`), true, &out)
	one.copied(json.RawMessage(`{}`), true, &out)
	for _, step := range []struct {
		session           string
		loaded, compacted bool
		to                adapters.Destination
	}{
		{"A", true, false, stays},
		{"", true, false, stays},
		{"B", true, false, adapters.ToCopy},
		{"C", true, true, adapters.ToCopy},
		{"A", true, false, adapters.ToOlder},
		{"D", false, false, adapters.ToNew},
	} {
		out.Drafts = nil
		if got := one.enter(native.Told{Session: step.session}, step.loaded, &out); got != step.compacted {
			t.Errorf("%s: a compacted copy: %t", step.session, got)
		}
		to := stays
		for _, d := range out.Drafts {
			if left, ok := d.(adapters.SessionLeft); ok {
				to = left.To
			}
		}
		if to != step.to {
			t.Errorf("%s: left to %d", step.session, to)
		}
	}
}
