//go:build conformance

package conformance

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func logFixture(ctx context.Context, ss *sdk.ServerSession, text string) error {
	return ss.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Data: text}) //nolint:staticcheck // of the old era, see push.Log
}
