package scripted

import (
	"context"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// mcpServer is the MCP server that the agent was given.
type mcpServer struct {
	url, token string
	timeout    time.Duration // of a call
}

func newMCPServer(url string, timeout time.Duration, env []string) *mcpServer {
	if url == "" {
		return nil
	}
	s := &mcpServer{url: url, timeout: timeout}
	for _, v := range env {
		if token, ok := strings.CutPrefix(v, adapters.MCPTokenEnv+"="); ok {
			s.token = token
		}
	}
	return s
}

// callMCP calls a tool. Commands are taken while it runs, and an abort ends the call.
func (a *agent) callMCP(m MCP) error {
	call := toolCallBlock{Type: "toolCall", Name: m.Tool, Arguments: a.fillJSON(m.Args)}
	return a.call(call, func(call toolCallBlock) (outcome, error) {
		if a.mcp == nil {
			return outcome{text: "This session was given no MCP server.", failed: true}, nil
		}
		ctx, cancel := context.WithTimeout(context.Background(), a.mcp.timeout)
		var result *mcpResult
		over := make(chan time.Time)
		go func() { // ends with the call, which ends with ctx
			defer close(over)
			result = a.mcp.call(ctx, call.Name, call.Arguments)
		}()
		err := a.until(over)
		cancel()
		<-over
		if err != nil {
			return outcome{text: "Operation aborted", failed: true, ran: true}, err
		}
		a.keep(m.As, result.value())
		return outcome{text: result.text(), failed: result.IsError, ran: true}, nil
	}, func() error { return nil })
}
