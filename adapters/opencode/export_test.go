package opencode

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// ConnectOver is Connect over connections of the test's own.
func ConnectOver(ctx context.Context, spec adapters.Spec, processes adapters.Transport, dial dial) (adapters.Conn, error) {
	return Agent{}.connect(ctx, spec, processes, dial)
}
