package mcp

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
)

// sendLog pushes an item as a log notification. It blocks while the client does not read, until the write's deadline. No error
// is no delivery: without a level the notification goes nowhere, and without a stream it is kept as far as there is room.
func sendLog(ctx context.Context, ss *sdk.ServerSession, it protocol.SessionEvent) error {
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
