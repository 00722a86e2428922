// Package form asks users of MCP clients what agents ask: approvals and questions as elicitations, and what users did with them as answers.
package form

import (
	"context"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Requests are shown as forms, and users' answers are passed on to their sessions.
type Requests struct {
	door  *control.Door
	look  func(ctx context.Context, id string) (session.Summary, error)
	audit *access.Audit
	tell  *problem.Teller
}

// NewRequests shows requests of the sessions behind a door.
func NewRequests(d *control.Door, look func(ctx context.Context, id string) (session.Summary, error), audit *access.Audit, tell *problem.Teller) *Requests {
	return &Requests{d, look, audit, tell}
}

// Form is the elicitation of a request of a session. It says whose it is, by what does not change: clients of tasks take a form that was another
// one a moment ago for a mistake.
func (q *Requests) Form(ctx context.Context, id string, r *protocol.RequestOpened) (*sdk.ElicitParams, error) {
	sum, err := q.look(ctx, id)
	if err != nil {
		return nil, err
	}
	p := Elicitation(r)
	by := sum.Agent
	if r.SessionID != "" {
		by = "a session that works for " + by
	}
	p.Message += fmt.Sprintf("\n\n(%s, in %s)", by, sum.Cwd)
	return p, nil
}

const answerGrace = 5 * time.Second // for a session to take an answer

// Answer passes on what a client's user did with a form; false: nothing that is an answer.
func (q *Requests) Answer(ctx context.Context, id string, r *protocol.RequestOpened, res *sdk.ElicitResult) bool {
	m := Elicited(r, res, "client:mcp")
	if m == nil {
		return false
	}
	// The answer's own event takes the form away, and must not take away the word that it was heard.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerGrace)
	defer cancel()
	ctx, verb := q.audit.Begin(ctx, "elicitation", true)
	outcome := protocol.Code("")
	err := q.Resolve(ctx, id, m)
	if err != nil {
		_ = q.tell.Tool("elicitation", err) // logs what is the daemon's own fault
		outcome = problem.Of(err).Code
	}
	verb.End(outcome)
	return err == nil
}

// Resolve passes an answer on. That somebody else was first is no error here.
func (q *Requests) Resolve(ctx context.Context, id string, m *control.Answer) error {
	if err := MayAnswer(ctx, q.door, id, m.RequestID); err != nil {
		return err
	}
	_, err := q.door.Resolve(ctx, id, *m)
	if err != nil && problem.Of(err).Code == protocol.CodeRequestAlreadyResolved {
		return nil
	}
	return err
}
