package protocol_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestSaid: what stands before a diff in a request's text is said beside it, and no text is lost that is not the diff.
func TestSaid(t *testing.T) {
	raw, err := os.ReadFile("testdata/said.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, Said string
		Request    json.RawMessage
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		var r protocol.RequestOpened
		if err := json.Unmarshal(c.Request, &r); err != nil {
			t.Fatal(err)
		}
		if got := r.Said(); got != c.Said {
			t.Errorf("%s: %q, want %q", c.Name, got, c.Said)
		}
	}
	if len(cases) < 8 {
		t.Errorf("only %d cases", len(cases))
	}
}
