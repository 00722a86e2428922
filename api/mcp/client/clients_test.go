package client

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/access"
)

// TestOpenersLeave: what may have opened an MCP session is counted as long as it is at work, also where there is no room for it.
func TestOpenersLeave(t *testing.T) {
	c := New(Config{Max: 2})
	first, ok := c.Admit(access.Root)
	second, also := c.Admit(access.Root)
	if _, third := c.Admit(access.Root); !ok || !also || third || c.opening != 2 {
		t.Fatalf("%d are opening", c.opening)
	}
	first()
	second()
	if n := len(c.openers); n != 0 || c.opening != 0 {
		t.Errorf("%d openers are left", n)
	}
}
