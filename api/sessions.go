package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/queue"
	"github.com/ringmaster-agents/ringmaster/api/selection"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

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
	operation.SessionPath
	Body *endSession
}

// endSession says why a session is ended.
type endSession struct {
	Reason string `json:"reason,omitempty" maxLength:"500" doc:"For the log"`
}

type interruptInput struct {
	operation.SessionPath
	Body *clientNote
}

// clientNote says who asks, and for what.
type clientNote struct {
	ClientID string `json:"clientId,omitempty" maxLength:"128" doc:"Who asks, for the log"`
	TurnID   string `json:"turnId,omitempty" maxLength:"128" doc:"The one turn that is to stop, where it is the one that runs; absent: whichever runs"`
}

// sessions serves their life, but for their making.
type sessions struct {
	sup  *access.Gate
	door *control.Door
}

func registerSessions(t *operation.Table, sup *access.Gate, door *control.Door, c *creation) {
	s := &sessions{sup, door}
	t.Schemas().RegisterTypeAlias(reflect.TypeFor[resource.FirstPrompt](), reflect.TypeFor[firstPrompt]())
	operation.Register(t, operation.Operation{
		ID: "createSession", Method: http.MethodPost, Path: "/sessions", Tag: "sessions", Status: http.StatusCreated,
		Summary: "Create a session",
		Text: "Starts the agent, and waits a moment for it: an agent that cannot be started or ends at once is answered with 503 agent_unavailable. " +
			"With prompt, the first turn begins as soon as the agent is ready.",
		Errors: []int{http.StatusNotFound, http.StatusConflict}, MaxBody: queue.PromptBody,
	}, c.create)
	operation.Register(t, operation.Operation{
		ID: "listSessions", Method: http.MethodGet, Path: "/sessions", Tag: "sessions",
		Summary: "List sessions", Text: "Newest first, by page.",
	}, s.list)
	operation.Register(t, operation.Operation{
		ID: "getSession", Method: http.MethodGet, Path: "/sessions/{id}", Tag: "sessions",
		Summary: "Read one session", Text: "With its queue, its open requests, its readers and what it used.", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *operation.SessionPath) (*struct{ Body resource.SessionDetail }, error) {
		return s.detail(ctx, in.ID)
	})
	operation.Register(t, operation.Operation{
		ID: "changeSession", Method: http.MethodPatch, Path: "/sessions/{id}", Tag: "sessions",
		Summary: "Change title, labels and policy, or pin", Text: "A JSON merge patch (RFC 7396). A policy counts for approvals that open from then on.", Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, s.change)
	operation.Register(t, operation.Operation{
		ID: "deleteSession", Method: http.MethodDelete, Path: "/sessions/{id}", Tag: "sessions",
		Summary: "Delete a session", Text: "Ends it, where it has not ended, and removes its log; so also its sub-agents.", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *operation.SessionPath) (*struct{}, error) {
		if !protocol.ValidSessionID(in.ID) {
			return nil, supervisor.NotFound()
		}
		ctx, cancel := context.WithTimeout(ctx, control.Timeout)
		defer cancel()
		return nil, s.sup.Delete(ctx, in.ID)
	})
	operation.Register(t, operation.Operation{
		ID: "endSession", Method: http.MethodPost, Path: "/sessions/{id}/end", Tag: "sessions",
		Summary: "End a session", Text: "Answers when the agent has gone and session_end is in the log. Ending an ended session changes nothing.",
		Errors: []int{http.StatusNotFound},
	}, s.end)
	operation.Register(t, operation.Operation{
		ID: "interruptSession", Method: http.MethodPost, Path: "/sessions/{id}/interrupt", Tag: "control", Status: http.StatusAccepted,
		Summary: "Interrupt the running turn", Text: "Answers at once; the log tells when the turn has ended.", Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, s.interrupt)
}

func (s *sessions) list(ctx context.Context, in *listInput) (*struct{ Body resource.SessionPage }, error) {
	q := supervisor.Query{Agent: in.Agent, Cwd: in.Cwd, Parent: in.Parent, Under: in.Under, Owner: in.Owner, Text: in.Q, Limit: in.Limit, After: in.After}
	if in.Active.IsSet {
		q.Active = &in.Active.Value
	}
	for _, name := range in.State {
		q.States = append(q.States, protocol.State(name))
	}
	if err := selection.CheckStates(q.States); err != nil {
		return nil, err
	}
	labels, err := selection.Labels(in.Label)
	if err != nil {
		return nil, err
	}
	q.Labels = labels
	list, err := s.sup.Roster(ctx)
	if err != nil {
		return nil, err
	}
	revision := list.Now() // before the list, which may be newer
	page, err := s.sup.List(ctx, q)
	if err != nil {
		return nil, err
	}
	out := &struct{ Body resource.SessionPage }{resource.SessionPage{
		Sessions: make([]resource.SessionSummary, len(page.Sessions)), Next: page.Next, Total: page.Total, Partial: page.Partial, Revision: list.Name(revision),
	}}
	for i := range page.Sessions {
		out.Body.Sessions[i] = summaryOf(&page.Sessions[i])
	}
	return out, nil
}

func (s *sessions) change(ctx context.Context, in *changeInput) (*struct{ Body resource.SessionDetail }, error) {
	change, err := in.Body.change()
	if err != nil {
		return nil, err
	}
	if err := s.door.Change(ctx, in.ID, change); err != nil {
		return nil, err
	}
	return s.detail(ctx, in.ID)
}

func (s *sessions) end(ctx context.Context, in *endInput) (*struct{ Body resource.SessionDetail }, error) {
	reason := ""
	if in.Body != nil {
		reason = in.Body.Reason
	}
	if err := s.door.End(ctx, in.ID, reason, ""); err != nil {
		return nil, err
	}
	return s.detail(ctx, in.ID)
}

func (s *sessions) interrupt(ctx context.Context, in *interruptInput) (*struct{ Body resource.InterruptAccepted }, error) {
	var asks clientNote
	if in.Body != nil {
		asks = *in.Body
	}
	turn, err := s.door.Interrupt(ctx, in.ID, asks.TurnID, byClient(asks.ClientID))
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

func (s *sessions) detail(ctx context.Context, id string) (*struct{ Body resource.SessionDetail }, error) {
	desc, err := s.door.Describe(ctx, id)
	if err != nil {
		return nil, err
	}
	return &struct{ Body resource.SessionDetail }{detailOf(&desc)}, nil
}
