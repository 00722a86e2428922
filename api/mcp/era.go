package mcp

import (
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/stream"
	"github.com/ringmaster-agents/ringmaster/api/mcp/task"
)

// eras serves one URL to clients of both eras: a request of the new one names its revision and has no MCP session, everything
// else belongs to the old one. One server stands behind both, and behind both another one for each agent.
func eras(serverFor func(r *http.Request) *sdk.Server, c *client.Clients, heartbeat time.Duration) http.Handler {
	legacy := sdk.NewStreamableHTTPHandler(serverFor, &sdk.StreamableHTTPOptions{
		EventStore: stream.NewStore(), MaxRequestBodyBytes: MaxBody, // none of its SessionTimeout: it would end those that only listen
		DisableLocalhostProtection: true, // the guard has looked at Host and Origin
	})
	modern := sdk.NewStreamableHTTPHandler(serverFor, &sdk.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: MaxBody, DisableLocalhostProtection: true,
	})
	return newStreams(task.Headers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isModern(r) {
			modern.ServeHTTP(w, r)
			return
		}
		legacy.ServeHTTP(w, r)
	})), c, heartbeat)
}
