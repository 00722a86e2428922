package api

import (
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What huma does not serve is described here: the metrics, and MCP, whose methods and members are its own specification's.

func (a *API) describePlain(op operation, body *huma.RequestBody, params ...*huma.Param) {
	h := &huma.Operation{
		OperationID: op.id, Method: op.method, Path: op.path, Summary: op.summary, Description: op.text,
		Tags: []string{op.tag}, Parameters: params, RequestBody: body, Responses: op.responses,
		Extensions: op.extensions(),
	}
	always := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusInternalServerError, http.StatusServiceUnavailable}
	for _, status := range append(always, op.errors...) {
		h.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status),
			Content:     map[string]*huma.MediaType{protocol.ProblemType: {Schema: &huma.Schema{Ref: schemaPrefix + "Problem"}}},
		}
	}
	a.huma.OpenAPI().AddOperation(h)
}

func (a *API) describeMetrics() {
	a.describePlain(operation{
		id: "getMetrics", method: http.MethodGet, path: "/metrics", tag: "daemon",
		summary: "Read the metrics", text: "In the text format of Prometheus. Needs a token of the scope admin or admin:ro.",
		responses: map[string]*huma.Response{"200": {
			Description: "Counters, gauges and histograms, one sample per line",
			Content:     map[string]*huma.MediaType{"text/plain": {Schema: &huma.Schema{Type: huma.TypeString}}},
		}},
	}, nil)
}

const mcpText = "The Model Context Protocol over Streamable HTTP, in the revisions up to 2025-11-25, with sessions of their own (Mcp-Session-Id), " +
	"and in that of 2026-07-28, without. " +
	"Use a client of MCP: the messages are described at modelcontextprotocol.io, the tools by tools/list. "

func (a *API) describeMCP() {
	reg := a.huma.OpenAPI().Components.Schemas
	define(reg, "McpMessage", "A message of JSON-RPC 2.0, as MCP uses it: "+
		"a request and a notification have a method, a response has a result or an error.", members{
		"jsonrpc": {Type: huma.TypeString, Enum: []any{"2.0"}, Description: "The version of JSON-RPC"},
		"id":      {Description: "A text or a number that the answer repeats; absent: a notification"},
		"method":  word("What is asked for, such as tools/call"),
		"params":  {Description: "What belongs to the method: an object"},
		"result":  {Description: "Of a response: an object"},
		"error":   {Description: "Of a response: an object of code, message and data; data is a Problem where the daemon has one"},
	}, "jsonrpc")
	message := &huma.Schema{Ref: schemaPrefix + "McpMessage"}
	header := func(name, doc string, required bool) *huma.Param {
		return &huma.Param{Name: name, In: "header", Description: doc, Required: required, Schema: &huma.Schema{Type: huma.TypeString}}
	}
	revision := header("Mcp-Protocol-Version", "The revision of MCP that the client speaks", false)
	session := header("Mcp-Session-Id", "The MCP session, as the answer to initialize named it", true)
	free := header("Mcp-Session-Id", "The MCP session, as the answer to initialize named it; "+
		"absent: initialize itself, and the revisions without sessions", false)
	frames := map[string]*huma.MediaType{eventStream: {Schema: message}}
	a.describePlain(operation{
		id: "sendMcp", method: http.MethodPost, path: "/mcp", tag: "mcp", summary: "Send an MCP message",
		text: mcpText + "Every token is taken, an agent's too: the tools ask what it may do. Send Accept: application/json, text/event-stream.",
		responses: map[string]*huma.Response{
			"200": {
				Description: "The response, or a stream that ends with it",
				Headers:     map[string]*huma.Param{"Mcp-Session-Id": {Description: "Of initialize: the new MCP session", Schema: &huma.Schema{Type: huma.TypeString}}},
				Content:     map[string]*huma.MediaType{"application/json": {Schema: message}, eventStream: {Schema: message}},
			},
			"202": {Description: "A notification or a response was taken"},
		},
		errors: []int{
			http.StatusBadRequest, http.StatusNotFound, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
		},
	}, &huma.RequestBody{Required: true, Description: "One message", Content: map[string]*huma.MediaType{"application/json": {Schema: message}}}, revision, free)
	a.describePlain(operation{
		id: "listenMcp", method: http.MethodGet, path: "/mcp", tag: "mcp", summary: "Listen to an MCP session", endless: true,
		text: mcpText + "Notifications and requests of the daemon come on this stream, which does not end by itself. " +
			"Last-Event-ID takes up one that broke.",
		responses: map[string]*huma.Response{"200": {Description: "Server-sent events whose data is an McpMessage", Content: frames}},
		errors:    []int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusConflict},
	}, nil, revision, session, header("Last-Event-ID", "The last id that was received", false))
	a.describePlain(operation{
		id: "endMcp", method: http.MethodDelete, path: "/mcp", tag: "mcp", summary: "End an MCP session",
		text:      mcpText + "Its streams end, and the tools that it offered to agents are gone.",
		responses: map[string]*huma.Response{"204": {Description: "The MCP session has ended"}},
		errors:    []int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed},
	}, nil, revision, session)
}
