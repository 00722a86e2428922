package adapters_test

import (
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// An environment is never changed in place: others start agents with the same one.
func TestMCPEnvironment(t *testing.T) {
	room := make([]string, 1, 4)
	room[0] = "PATH=/bin"
	one := (&adapters.MCPServer{Token: "one"}).Environment(room)
	two := (&adapters.MCPServer{Token: "two"}).Environment(room)
	if want := []string{"PATH=/bin", "RINGMASTER_MCP_TOKEN=one"}; !slices.Equal(one, want) {
		t.Errorf("%q, want %q", one, want)
	}
	if want := []string{"PATH=/bin", "RINGMASTER_MCP_TOKEN=two"}; !slices.Equal(two, want) {
		t.Errorf("%q, want %q", two, want)
	}
	if none := (*adapters.MCPServer)(nil).Environment(room); !slices.Equal(none, room) {
		t.Errorf("without a server: %q", none)
	}
}
