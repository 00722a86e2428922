package document

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// saidProblem is a problem as the daemon gives it.
func saidProblem(code protocol.Code, detail, hint string) *operation.Problem {
	return operation.Complete(&protocol.Problem{Code: code, Detail: detail, Hint: hint})
}

// exampleProblems are problems as the daemon gives them, by the names that the description has for them.
var exampleProblems = map[string]*operation.Problem{
	"invalid_request": saidProblem(protocol.CodeInvalidRequest, "The body is missing or not the JSON that is wanted.",
		operation.LookUp),
	"bad_cursor": operation.Complete(asProblem(reading.BadCursor())),
	"unauthorized": saidProblem(protocol.CodeUnauthorized, "A valid bearer token is needed.",
		"Send the header Authorization: Bearer TOKEN; the token is in the file \"token\" of the daemon's data folder."),
	"forbidden": saidProblem(protocol.CodeForbidden, "This token may not do that.",
		"This token only reads: use one of the scope admin or owner."),
	"foreign_host": saidProblem(protocol.CodeForbidden, "This host name is not this daemon's.",
		"Use the address that the daemon listens on, or start it with the name as an allowed host."),
	"not_found": saidProblem(protocol.CodeNotFound, "There is no such MCP session.",
		"It was idle for too long, or the daemon was started anew: initialize again."),
	"no_token": saidProblem(protocol.CodeNotFound, "No token has this id.",
		"GET /tokens lists the tokens."),
	"session": operation.Complete(asProblem(supervisor.NotFound())),
	"agent": saidProblem(protocol.CodeAgentNotFound, "There is no agent of this name.",
		protocol.TermListAgents+" lists the agents: claude, codex, pi."),
	"method": operation.Complete(operation.WithStatus(http.StatusMethodNotAllowed, protocol.CodeInvalidRequest, "This method is not taken here.",
		"Send POST; GET and DELETE take the header Mcp-Session-Id.")),
	"not_acceptable": operation.Complete(asProblem(compress.NotAcceptable())),
	"timeout": operation.Complete(operation.WithStatus(http.StatusRequestTimeout, protocol.CodeInvalidRequest, "The body did not come in time.",
		"Send the body at once.")),
	"session_ended": saidProblem(protocol.CodeSessionEnded, "The session has ended.",
		"Create a new session with "+protocol.TermCreateSession+"."),
	"conflict": saidProblem(protocol.CodeConflict, "The entry has not ended.",
		"GET /sessions/{id}/stream tells when it has."),
	"already_resolved": operation.Complete(&protocol.Problem{
		Code: protocol.CodeRequestAlreadyResolved, By: "client:cli",
		Detail: "The request was resolved by client:cli.", Hint: "The first answer wins; the log has it as request_resolved.",
	}),
	"stream_open": saidProblem(protocol.CodeConflict, "This stream is open already.",
		"Try again in a moment."),
	"cursor_reset": operation.Complete(protocol.CursorReset(protocol.Reset{Epoch: 2, Oldest: 1, Newest: 117, Common: 97})),
	"raw_gone": saidProblem(protocol.CodeRawGone, "The native lines of the entry are not kept.",
		"The log has the beginning of the text."),
	"too_large": saidProblem(protocol.CodeTooLarge, "The body is larger than this route takes.",
		"The limit is 65536 bytes."),
	"media_type": saidProblem(protocol.CodeUnsupportedMediaType, "The body must be application/json.",
		"Send the header Content-Type: application/json."),
	"not_as_described": {
		Problem: *operation.WithStatus(http.StatusUnprocessableEntity, protocol.CodeInvalidRequest,
			"Some of the request is not as described.", operation.LookUp),
		Errors: []operation.ProblemDetail{{Location: "body.agent", Message: "expected required property agent to be present"}},
	},
	"internal": operation.Complete(operation.Internal()),
	"overloaded": saidProblem(protocol.CodeOverloaded, "Too many requests are at work.",
		"Try again in a moment."),
	"rate_limited": saidProblem(protocol.CodeRateLimited, "Too many wrong codes came within a minute.",
		"Try again in a minute."),
	"no_code": saidProblem(protocol.CodeNotFound, "No login waits with this code.",
		"A code is good once, for a minute. Another link is made with: ringmaster web"),
	"unavailable": saidProblem(protocol.CodeUnavailable, "The session did not answer in time.",
		"Try again in a moment."),
	"not_started": {
		Problem:   *protocol.NewProblem(protocol.CodeAgentUnavailable, "claude was not found", "install it with: npm install -g @anthropic-ai/claude-code"),
		SessionID: schema.ExampleSession,
	},
}

func asProblem(err error) *protocol.Problem {
	p, _ := err.(*protocol.Problem) //nolint:errorlint // it was made as one
	return p
}

// usualProblems are the examples of a status. unusualProblems are those of an operation and a status.
var (
	usualProblems = map[string]string{
		"400": "invalid_request", "401": "unauthorized", "403": "forbidden", "404": "session", "405": "method", "406": "not_acceptable", "408": "timeout",
		"409": "session_ended", "410": "cursor_reset", "413": "too_large", "415": "media_type", "422": "not_as_described", "429": "rate_limited",
		"500": "internal", "503": "overloaded",
	}
	unusualProblems = map[string]string{
		"getSessionLog 400": "bad_cursor", "readSessionEvents 400": "bad_cursor", "streamSession 400": "bad_cursor", "getSessionState 400": "bad_cursor",
		"getHealth 403": "foreign_host", "getReady 403": "foreign_host", "login 403": "foreign_host",
		"createSession 404": "agent", "revokeToken 404": "no_token", "login 404": "no_code",
		"sendMcp 404": "not_found", "listenMcp 404": "not_found", "endMcp 404": "not_found",
		"getEntryText 409": "conflict", "listenMcp 409": "stream_open", "answerRequest 409": "already_resolved", "getEntryText 410": "raw_gone",
		"createSession 503": "not_started", "getReady 503": "unavailable",
	}
)

// exampleProblemsOf gives the problems of an operation their examples, which stand once among the components.
func exampleProblemsOf(doc *huma.OpenAPI, op *huma.Operation) {
	for status, r := range op.Responses {
		media := r.Content[protocol.ProblemType]
		if media == nil {
			continue
		}
		name, ok := unusualProblems[op.OperationID+" "+status]
		if !ok {
			name = usualProblems[status]
		}
		p := exampleProblems[name]
		if p == nil || strconv.Itoa(p.Status) != status {
			panic("no example of " + op.OperationID + " " + status) // at the first start, which tests do
		}
		if doc.Components.Examples == nil {
			doc.Components.Examples = map[string]*huma.Example{}
		}
		doc.Components.Examples[name] = &huma.Example{Summary: p.Title, Value: plainJSON(p)}
		media.Examples = map[string]*huma.Example{name: {Ref: "#/components/examples/" + name}}
	}
}

// Examples are of the bodies that operations take and give, by the operations' ids. The same answer is shown for every media type. The docs page begins
// with the request whose name comes first.
type Examples struct {
	Requests  map[string][]Example
	Responses map[string]any
}

// Example is one of several of a body.
type Example struct {
	Name, Summary string
	Value         any
}

// addTo gives the bodies of an operation their examples.
func (e Examples) addTo(op *huma.Operation) {
	if op.RequestBody != nil {
		for _, media := range op.RequestBody.Content {
			media.Examples = map[string]*huma.Example{}
			for _, x := range e.Requests[op.OperationID] {
				media.Examples[x.Name] = &huma.Example{Summary: x.Summary, Value: plainJSON(x.Value)}
			}
		}
	}
	for status, r := range op.Responses {
		for name, media := range r.Content {
			if status[0] == '2' {
				media.Example = plainJSON(e.response(op.OperationID, name))
			}
		}
	}
}

// ByMedia is an example that is another one for each media type.
type ByMedia map[string]any

func (e Examples) response(id, media string) any {
	v := e.Responses[id]
	if each, ok := v.(ByMedia); ok {
		return each[media]
	}
	return v
}

// plainJSON is a value as its JSON says it, with the members in the order of their names as everywhere in the description.
func plainJSON(v any) (plain any) {
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &plain)
	}
	if err != nil {
		panic(err) // examples are values of the program
	}
	return plain
}
