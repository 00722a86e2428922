package mcp

import (
	"context"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/tool"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Backend is the daemon as the service sees it. Methods block no longer than their context allows; errors that a client may see
// are *protocol.Problem.
type Backend interface {
	tool.Backend
	control.Sessions // for the door alone, as the next
	control.Pins
	// State folds a log up to an event. Of a large log's state only so much is given as most says: where that is less than there is, left is not nil, and has
	// how many elements each list has lost, by its name.
	State(ctx context.Context, r *session.Reader, at uint64, most StateBounds) (body []byte, left map[string]int, err error)
}

// StateBounds are how much of a state is wanted: of each text its first bytes, behind which CutText says how many there are, of each list its last elements.
type StateBounds struct{ Text, Items int }

// CutText is the beginning of a text that is longer, and how long it is.
func CutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", protocol.Head(text, most), len(text))
}
