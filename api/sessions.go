package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// SessionPath is the path parameter of everything about one session. It is exported because huma drops embedded structs
// that are not.
type SessionPath struct {
	ID string `path:"id" example:"0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11" doc:"The session's id"`
}

type listInput struct {
	Agent  string         `query:"agent" maxLength:"64" doc:"Only sessions of this agent"`
	Cwd    string         `query:"cwd" maxLength:"4096" doc:"Only sessions of this working directory"`
	Parent string         `query:"parent" maxLength:"36" doc:"Only sessions that work for this one: its sub-agents, and those that were created with parentSessionId"`
	Under  string         `query:"under" maxLength:"36" doc:"Only sessions that work for this one, directly or for one that does"`
	Owner  string         `query:"owner" maxLength:"128" doc:"Only sessions of this owner"`
	State  []string       `query:"state,explode" maxItems:"20" doc:"Only sessions in one of these states; may be repeated"`
	Active optional[bool] `query:"active" doc:"true: not ended; false: ended"`
	Label  []string       `query:"label,explode" maxItems:"64" example:"[\"team:core\"]" doc:"KEY:VALUE; may be repeated, all must match"`
	Q      string         `query:"q" maxLength:"200" doc:"Part of the title, the working directory or the id"`
	Limit  int            `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Sessions of one page, at most"`
	After  string         `query:"after" maxLength:"500" doc:"next of the page before"`
}

type endInput struct {
	SessionPath
	Body *endSession
}

// endSession says why a session is ended.
type endSession struct {
	Reason string `json:"reason,omitempty" maxLength:"500" doc:"For the log"`
}

type interruptInput struct {
	SessionPath
	Body *clientNote
}

// clientNote says who asks.
type clientNote struct {
	ClientID string `json:"clientId,omitempty" maxLength:"128" doc:"Who asks, for the log"`
}

func (a *API) registerSessions() {
	register(a, operation{
		id: "createSession", method: http.MethodPost, path: "/sessions", tag: "sessions", status: http.StatusCreated,
		summary: "Create a session",
		text: "Starts the agent, and waits a moment for it: an agent that cannot be started or ends at once is answered with 503 agent_unavailable. " +
			"With prompt, the first turn begins as soon as the agent is ready.",
		errors: []int{http.StatusNotFound, http.StatusConflict}, maxBody: promptBody,
	}, a.createSession)
	register(a, operation{
		id: "listSessions", method: http.MethodGet, path: "/sessions", tag: "sessions",
		summary: "List sessions", text: "Newest first, by page.",
	}, a.listSessions)
	register(a, operation{
		id: "getSession", method: http.MethodGet, path: "/sessions/{id}", tag: "sessions",
		summary: "Read one session", text: "With its queue, its open requests, its readers and what it used.", errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *SessionPath) (*struct{ Body resource.SessionDetail }, error) {
		return a.detail(ctx, in.ID)
	})
	register(a, operation{
		id: "changeSession", method: http.MethodPatch, path: "/sessions/{id}", tag: "sessions",
		summary: "Change title, labels and policy", text: "A JSON merge patch (RFC 7396). A policy counts for approvals that open from then on.", errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.changeSession)
	register(a, operation{
		id: "deleteSession", method: http.MethodDelete, path: "/sessions/{id}", tag: "sessions",
		summary: "Delete a session", text: "Ends it, where it has not ended, and removes its log; so also its sub-agents.", errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *SessionPath) (*struct{}, error) {
		if !protocol.ValidSessionID(in.ID) {
			return nil, supervisor.NotFound()
		}
		ctx, cancel := context.WithTimeout(ctx, control.Timeout)
		defer cancel()
		return nil, a.sup.Delete(ctx, in.ID)
	})
	register(a, operation{
		id: "endSession", method: http.MethodPost, path: "/sessions/{id}/end", tag: "sessions",
		summary: "End a session", text: "Answers when the agent has gone and session_end is in the log. Ending an ended session changes nothing.",
		errors: []int{http.StatusNotFound},
	}, a.endSession)
	register(a, operation{
		id: "interruptSession", method: http.MethodPost, path: "/sessions/{id}/interrupt", tag: "control", status: http.StatusAccepted,
		summary: "Interrupt the running turn", text: "Answers at once; the log tells when the turn has ended.", errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.interruptSession)
}

func (a *API) listSessions(ctx context.Context, in *listInput) (*struct{ Body resource.SessionPage }, error) {
	q := supervisor.Query{Agent: in.Agent, Cwd: in.Cwd, Parent: in.Parent, Under: in.Under, Owner: in.Owner, Text: in.Q, Limit: in.Limit, After: in.After}
	if in.Active.IsSet {
		q.Active = &in.Active.Value
	}
	for _, s := range in.State {
		if !knownState(protocol.State(s)) {
			return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "There is no such state.", "The states are: "+stateNames()+".")
		}
		q.States = append(q.States, protocol.State(s))
	}
	for _, l := range in.Label {
		k, v, ok := strings.Cut(l, ":")
		if !ok || k == "" {
			return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "A label filter has no key.", "Write it KEY:VALUE.")
		}
		if q.Labels == nil {
			q.Labels = map[string]string{}
		}
		q.Labels[k] = v
	}
	page, err := a.sup.List(ctx, q)
	if err != nil {
		return nil, err
	}
	out := &struct{ Body resource.SessionPage }{resource.SessionPage{
		Sessions: make([]resource.SessionSummary, len(page.Sessions)), Next: page.Next, Total: page.Total,
	}}
	for i := range page.Sessions {
		out.Body.Sessions[i] = summaryOf(&page.Sessions[i])
	}
	return out, nil
}

func (a *API) endSession(ctx context.Context, in *endInput) (*struct{ Body resource.SessionDetail }, error) {
	reason := ""
	if in.Body != nil {
		reason = in.Body.Reason
	}
	if err := a.door.End(ctx, in.ID, reason, ""); err != nil {
		return nil, err
	}
	return a.detail(ctx, in.ID)
}

func (a *API) interruptSession(ctx context.Context, in *interruptInput) (*struct{ Body resource.InterruptAccepted }, error) {
	client := ""
	if in.Body != nil {
		client = in.Body.ClientID
	}
	turn, err := a.door.Interrupt(ctx, in.ID, "", byClient(client))
	if err != nil {
		return nil, err
	}
	return &struct{ Body resource.InterruptAccepted }{resource.InterruptAccepted{TurnID: turn}}, nil
}

// byClient is how the log names who did something over this API.
func byClient(id string) string {
	if id == "" {
		id = "http"
	}
	return "client:" + id
}

func (a *API) detail(ctx context.Context, id string) (*struct{ Body resource.SessionDetail }, error) {
	desc, err := a.door.Describe(ctx, id)
	if err != nil {
		return nil, err
	}
	return &struct{ Body resource.SessionDetail }{detailOf(&desc)}, nil
}
