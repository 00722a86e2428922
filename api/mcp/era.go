package mcp

import (
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/task"

	"github.com/ringmaster-agents/ringmaster/api/mcp/stream"
)

// MaxBody is the largest request, in bytes: eight pictures and a prompt.
const MaxBody = 48 << 20

// eras serves one URL to clients of both eras: a request of the new one names its revision and has no MCP session, everything
// else belongs to the old one. One server stands behind both, and behind both another one for each agent.
func (s *Service) eras() http.Handler {
	legacy := sdk.NewStreamableHTTPHandler(s.serverFor, &sdk.StreamableHTTPOptions{
		EventStore: stream.NewStore(), MaxRequestBodyBytes: MaxBody, // no SessionTimeout: it would end those that only listen
		DisableLocalhostProtection: true, // the guard has looked at Host and Origin
	})
	modern := sdk.NewStreamableHTTPHandler(s.serverFor, &sdk.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: MaxBody, DisableLocalhostProtection: true,
	})
	s.streams = newStreams(task.Headers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isModern(r) {
			modern.ServeHTTP(w, r)
			return
		}
		legacy.ServeHTTP(w, r)
	})), s.clients, s.cfg.Heartbeat)
	return s.streams
}

// isModern says that a request is of the new era. One that names a revision yet to come is answered there, with the list of
// those that are spoken.
func isModern(r *http.Request) bool {
	return r.Method == http.MethodPost && r.Header.Get("Mcp-Protocol-Version") >= call.ModernVersion && r.Header.Get("Mcp-Session-Id") == ""
}

// opens says that a request may open an MCP session.
func opens(r *http.Request) bool { return r.Method == http.MethodPost && !isModern(r) }

// serverFor is the MCP server of whoever asks.
func (s *Service) serverFor(r *http.Request) *sdk.Server {
	if p := access.Of(r.Context()); p.Scope == access.Agent {
		return s.callers.ServerOf(p)
	}
	return s.server
}

func (s *Service) newAgentServer() *sdk.Server {
	server := sdk.NewServer(s.implementation(), &sdk.ServerOptions{
		Instructions: agentInstructions, SetCacheable: private,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
	})
	s.tools.AddForAgents(call.Set{Catalog: s.catalog, Server: server})
	server.AddReceivingMiddleware(s.recovered, call.Encoded, identified, s.lasting, s.audited)
	return server
}
