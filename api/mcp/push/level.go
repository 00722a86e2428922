package push

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
)

// shown are the levels at which everything is pushed; at those above it only errors are.
var shown = []string{"debug", "info"}

// reaches says what becomes of pushes to this client.
func reaches(x *client.Client) string {
	level := x.Loud()
	switch {
	case level == "":
		return output.PushNoLevel
	case !slices.Contains(shown, level):
		return output.PushErrors
	case x.Stream() == nil:
		return output.PushNoStream
	}
	return output.PushActive
}
