package problem

import (
	"encoding/json"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Refuse answers a request that is none of MCP's affair any more, as the rest of the API does.
func Refuse(w http.ResponseWriter, p *protocol.Problem) {
	body, err := json.Marshal(p)
	if err != nil {
		body = nil // a struct of strings and numbers always encodes
	}
	h := w.Header()
	h.Set("Content-Type", protocol.ProblemType)
	h.Del("Content-Length")
	if p.Code == protocol.CodeOverloaded || p.Code == protocol.CodeUnavailable {
		h.Set("Retry-After", "1")
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(body)
}

// Refusal is the problem for a status that the SDK answered with a line of text.
func Refusal(status int) *protocol.Problem {
	p := protocol.NewProblem(protocol.CodeInvalidRequest, "This is no request of MCP's HTTP transport, or not of this revision.",
		"See modelcontextprotocol.io: Accept takes application/json and text/event-stream, Mcp-Protocol-Version is a revision that the daemon speaks.")
	switch status {
	case http.StatusForbidden:
		p = protocol.NewProblem(protocol.CodeForbidden, "This MCP session is another client's.", "Initialize a session.")
	case http.StatusNotFound:
		p = protocol.NewProblem(protocol.CodeNotFound, "There is no such MCP session.",
			"It was idle for too long, or the daemon was started anew: initialize again.")
	case http.StatusMethodNotAllowed:
		p.Detail, p.Hint = "This method is not taken here.", "Send POST; GET and DELETE take the header Mcp-Session-Id."
	case http.StatusRequestTimeout:
		p.Detail, p.Hint = "The body did not come in time.", "Send the body at once."
	case http.StatusConflict:
		p = protocol.NewProblem(protocol.CodeConflict, "This stream is open already.", "Try again in a moment.")
	case http.StatusRequestEntityTooLarge:
		p = protocol.NewProblem(protocol.CodeTooLarge, "The request is larger than what is taken.", "Send less at once.")
	case http.StatusUnsupportedMediaType:
		p = protocol.NewProblem(protocol.CodeUnsupportedMediaType, "The body must be JSON.", "Send the header Content-Type: application/json.")
	default:
		if status >= http.StatusInternalServerError {
			p = protocol.NewProblem(protocol.CodeInternal, "", "Look for the request id (header X-Request-Id) in the daemon's log.")
		}
	}
	p.Status = status
	return p
}
