package document

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/schema"
)

// What huma does not serve is described here: the metrics, and MCP, whose methods and members are its own specification's.

// DescribeMetrics describes the metrics.
func DescribeMetrics(t *operation.Table) {
	t.Describe(operation.Operation{
		ID: "getMetrics", Method: http.MethodGet, Path: "/metrics", Tag: "daemon",
		Summary: "Read the metrics", Text: "In the text format of Prometheus. Needs a token of the scope admin or admin:ro.",
		Responses: map[string]*huma.Response{"200": {
			Description: "Counters, gauges and histograms, one sample per line",
			Content:     map[string]*huma.MediaType{"text/plain": {Schema: &huma.Schema{Type: huma.TypeString}}},
		}},
	}, nil)
}

const mcpText = "The Model Context Protocol over Streamable HTTP, in the revisions up to 2025-11-25, with sessions of their own (Mcp-Session-Id), " +
	"and in that of 2026-07-28, without. " +
	"Use a client of MCP: the messages are described at modelcontextprotocol.io, the tools by tools/list. "

// DescribeMCP describes the three methods of MCP's address.
func DescribeMCP(t *operation.Table) {
	reg := t.Schemas()
	schema.Define(reg, "McpMessage", "A message of JSON-RPC 2.0, as MCP uses it: "+
		"a request and a notification have a method, a response has a result or an error.", schema.Members{
		"jsonrpc": {Type: huma.TypeString, Enum: []any{"2.0"}, Description: "The version of JSON-RPC"},
		"id":      {Description: "A text or a number that the answer repeats; absent: a notification"},
		"method":  schema.Word("What is asked for, such as tools/call"),
		"params":  {Description: "What belongs to the method: an object"},
		"result":  {Description: "Of a response: an object"},
		"error":   {Description: "Of a response: an object of code, message and data; data is a Problem where the daemon has one"},
	}, "jsonrpc")
	message := &huma.Schema{Ref: schema.Prefix + "McpMessage"}
	header := func(name, doc string, required bool) *huma.Param {
		return &huma.Param{Name: name, In: "header", Description: doc, Required: required, Schema: &huma.Schema{Type: huma.TypeString}}
	}
	revision := header("Mcp-Protocol-Version", "The revision of MCP that the client speaks", false)
	session := header("Mcp-Session-Id", "The MCP session, as the answer to initialize named it", true)
	free := header("Mcp-Session-Id", "The MCP session, as the answer to initialize named it; "+
		"absent: initialize itself, and the revisions without sessions", false)
	frames := map[string]*huma.MediaType{schema.EventStream: {Schema: message}}
	t.Describe(operation.Operation{
		ID: "sendMcp", Method: http.MethodPost, Path: "/mcp", Tag: "mcp", Summary: "Send an MCP message",
		Text: mcpText + "Every token is taken, an agent's too: the tools ask what it may do. Send Accept: application/json, text/event-stream.",
		Responses: map[string]*huma.Response{
			"200": {
				Description: "The response, or a stream that ends with it",
				Headers:     map[string]*huma.Param{"Mcp-Session-Id": {Description: "Of initialize: the new MCP session", Schema: &huma.Schema{Type: huma.TypeString}}},
				Content:     map[string]*huma.MediaType{"application/json": {Schema: message}, schema.EventStream: {Schema: message}},
			},
			"202": {Description: "A notification or a response was taken"},
		},
		Errors: []int{
			http.StatusBadRequest, http.StatusNotFound, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
		},
	}, &huma.RequestBody{Required: true, Description: "One message", Content: map[string]*huma.MediaType{"application/json": {Schema: message}}}, revision, free)
	t.Describe(operation.Operation{
		ID: "listenMcp", Method: http.MethodGet, Path: "/mcp", Tag: "mcp", Summary: "Listen to an MCP session", Endless: true,
		Text: mcpText + "Notifications and requests of the daemon come on this stream, which does not end by itself. " +
			"Last-Event-ID takes up one that broke.",
		Responses: map[string]*huma.Response{"200": {Description: "Server-sent events whose data is an McpMessage", Content: frames}},
		Errors:    []int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusConflict},
	}, nil, revision, session, header("Last-Event-ID", "The last id that was received", false))
	t.Describe(operation.Operation{
		ID: "endMcp", Method: http.MethodDelete, Path: "/mcp", Tag: "mcp", Summary: "End an MCP session",
		Text:      mcpText + "Its streams end, and the tools that it offered to agents are gone.",
		Responses: map[string]*huma.Response{"204": {Description: "The MCP session has ended"}},
		Errors:    []int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed},
	}, nil, revision, session)
}
