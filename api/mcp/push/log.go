package push

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Logging is deprecated since 2026-07-28; for clients of the old era it is the only push there is. All uses are here.

// The loggers of items.
const (
	logger       = "ringmaster.session"
	callerLogger = "ringmaster.caller_tool" // of calls that a client has to answer
	resetLogger  = "ringmaster.reset"       // of what is no item: events are missing
	damageLogger = "ringmaster.damage"      // likewise: the log ends early
)

// Log pushes an item as a log notification. It blocks while the client does not read, until the write's deadline. No error
// is no delivery: without a level the notification goes nowhere, and without a stream it is kept as far as there is room.
func Log(ctx context.Context, ss *sdk.ServerSession, it protocol.SessionEvent) error {
	params := &sdk.LoggingMessageParams{Level: "info", Logger: logger, Data: it} //nolint:staticcheck // see above
	switch it.Type {
	case protocol.ItemError:
		params.Level = "error"
	case protocol.ItemCallerTool:
		params.Logger = callerLogger
	default:
	}
	return ss.Log(ctx, params) //nolint:staticcheck // see above
}

// pushedReset is what is pushed where events are missing (spec §8.4).
type pushedReset struct {
	Type      protocol.Type `json:"type"`
	SessionID string        `json:"session_id"`
	Epoch     uint64        `json:"epoch"`
	Oldest    uint64        `json:"oldest"`
	Newest    uint64        `json:"newest"`
}

// pushedDamage is what is pushed where a log ends early (spec §7.12).
type pushedDamage struct {
	Type      protocol.Type `json:"type"`
	SessionID string        `json:"session_id"`
	*protocol.Damage
}

func sendDamage(ctx context.Context, ss *sdk.ServerSession, d pushedDamage) error {
	return ss.Log(ctx, &sdk.LoggingMessageParams{Level: "error", Logger: damageLogger, Data: d}) //nolint:staticcheck // see above
}

func sendReset(ctx context.Context, ss *sdk.ServerSession, r pushedReset) error {
	return ss.Log(ctx, &sdk.LoggingMessageParams{Level: "warning", Logger: resetLogger, Data: r}) //nolint:staticcheck // see above
}
