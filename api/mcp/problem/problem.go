// Package problem words errors for clients of MCP: for the models that call tools, for methods, and for requests that are
// none of MCP's affair.
package problem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Teller words errors for clients, and logs those that are the daemon's own fault.
type Teller struct{ log *zap.Logger }

// NewTeller makes a teller that logs there.
func NewTeller(log *zap.Logger) *Teller { return &Teller{log} }

// Tool is what a model is told of a tool that failed.
func (t *Teller) Tool(tool string, err error) error {
	p := Of(err)
	if p.Code == protocol.CodeInternal {
		t.log.Error("tool failed", zap.String("tool", tool), zap.Error(err))
	}
	return &modelError{p}
}

// Method is what a method that is no tool answers: the problem stands in the error's data.
func (t *Teller) Method(method string, err error) error {
	told := t.Tool(method, err)
	p := Of(err)
	full := protocol.NewProblem(p.Code, Words.Say(p.Detail), Words.Say(p.Hint))
	data, err := json.Marshal(full)
	if err != nil {
		data = nil
	}
	code := int64(jsonrpc.CodeInternalError)
	if full.Status < http.StatusInternalServerError {
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: told.Error(), Data: data}
}

// Resource is what is told of a resource that could not be read or watched.
func (t *Teller) Resource(uri string, err error) error {
	if p := Of(err); p.Code == protocol.CodeSessionNotFound {
		return sdk.ResourceNotFoundError(uri)
	}
	return t.Method("resource", err)
}

// MadeBefore is an error after a session was created: the client must be able to find it.
func (t *Teller) MadeBefore(err error, id string) error {
	p := *Of(err)
	if p.Code == protocol.CodeInternal {
		t.log.Error("tool failed", zap.String("tool", "session_message"), zap.Error(err))
	}
	p.Hint = strings.TrimSpace(p.Hint + " The session was created: go on with session_id " + id + ".")
	return &p
}

// Of is what a client may see of an error.
func Of(err error) *protocol.Problem {
	var p *protocol.Problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, control.ErrGone):
		return &protocol.Problem{Code: protocol.CodeUnavailable, Detail: "The call was given up before it was done.", Hint: "Try again."}
	}
	return &protocol.Problem{Code: protocol.CodeInternal, Detail: "The daemon failed on this call.", Hint: "See the daemon's log."}
}

// modelError words a problem for a model: what was wrong, what to do, and the stable code.
type modelError struct{ p *protocol.Problem }

func (e *modelError) Error() string {
	return strings.TrimSpace(Words.Say(fmt.Sprintf("%s %s (%s)", e.p.Detail, e.p.Hint, e.p.Code)))
}

// Invalid is the problem of a request that is not right.
func Invalid(detail, hint string) error {
	return &protocol.Problem{Code: protocol.CodeInvalidRequest, Detail: detail, Hint: hint}
}

// TooLarge is the problem of something that has more bytes than limit.
func TooLarge(what string, limit int) error {
	return &protocol.Problem{
		Code: protocol.CodeTooLarge, Detail: fmt.Sprintf("%s is larger than %d bytes.", what, limit), Hint: "Send less.",
	}
}

// Overloaded is the problem of something of which there is too much at the moment.
func Overloaded(detail, hint string) *protocol.Problem {
	return protocol.NewProblem(protocol.CodeOverloaded, detail, hint)
}

// CheckID refuses what is no session id before it comes near a file name.
func CheckID(id string) error {
	if protocol.ValidSessionID(id) {
		return nil
	}
	return &protocol.Problem{
		Code: protocol.CodeSessionNotFound, Detail: "No session has this id.", Hint: "session_list lists the sessions.",
	}
}
