package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// SessionPath is the path parameter of everything about one session. It is exported because huma drops embedded structs
// that are not.
type SessionPath struct {
	ID string `path:"id" example:"0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11" doc:"The session's id"`
}

type newSession struct {
	Agent           string            `json:"agent" minLength:"1" maxLength:"64" example:"pi" doc:"Name of an agent of GET /agents"`
	Cwd             string            `json:"cwd" minLength:"1" maxLength:"4096" example:"/home/me/project" doc:"Absolute path inside one of the daemon's roots"`
	Model           string            `json:"model,omitempty" maxLength:"256" doc:"Model to start with, in the agent's own words"`
	Title           string            `json:"title,omitempty" maxLength:"500"`
	Labels          map[string]string `json:"labels,omitempty" doc:"Up to 64 labels; keys of at most 128, values of at most 1024 bytes"`
	ParentSessionID string            `json:"parentSessionId,omitempty" maxLength:"36" doc:"The session that this one works for"`
	Prompt          *firstPrompt      `json:"prompt,omitempty"`
}

type createOutput struct {
	Location string `header:"Location" doc:"The session"`
	Body     createdSession
}

type createdSession struct {
	SessionDetail
	Prompt *promptAccepted `json:"prompt,omitempty" doc:"What became of the prompt"`
}

type listInput struct {
	Agent  string         `query:"agent" maxLength:"64" doc:"Only sessions of this agent"`
	Cwd    string         `query:"cwd" maxLength:"4096" doc:"Only sessions of this working directory"`
	State  []string       `query:"state,explode" maxItems:"20" doc:"Only sessions in one of these states; may be repeated"`
	Active optional[bool] `query:"active" doc:"true: not ended; false: ended"`
	Label  []string       `query:"label,explode" maxItems:"64" example:"[\"team:core\"]" doc:"KEY:VALUE; may be repeated, all must match"`
	Q      string         `query:"q" maxLength:"200" doc:"Part of the title, the working directory or the id"`
	Limit  int            `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	After  string         `query:"after" maxLength:"500" doc:"next of the page before"`
}

type changeInput struct {
	SessionPath
	Body sessionChange `contentType:"application/merge-patch+json"`
}

type sessionChange struct {
	Title  *string            `json:"title,omitempty" nullable:"true" maxLength:"500" doc:"null takes it away"`
	Labels map[string]*string `json:"labels,omitempty" doc:"Merged into the labels; a null takes one away"`

	titleIsNull bool
}

type endInput struct {
	SessionPath
	Body *endSession
}

type endSession struct {
	Reason string `json:"reason,omitempty" maxLength:"500" doc:"For the log"`
}

type interruptInput struct {
	SessionPath
	Body *clientNote
}

type clientNote struct {
	ClientID string `json:"clientId,omitempty" maxLength:"128" doc:"Who asks, for the log"`
}

type interruptAccepted struct {
	TurnID string `json:"turnId,omitempty" doc:"The turn that was told to stop; absent: nothing was running"`
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
	}, func(ctx context.Context, in *SessionPath) (*struct{ Body SessionDetail }, error) {
		return a.detail(ctx, in.ID)
	})
	register(a, operation{
		id: "changeSession", method: http.MethodPatch, path: "/sessions/{id}", tag: "sessions",
		summary: "Change title and labels", text: "A JSON merge patch (RFC 7396).", errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.changeSession)
	register(a, operation{
		id: "deleteSession", method: http.MethodDelete, path: "/sessions/{id}", tag: "sessions",
		summary: "Delete a session", text: "Ends it, where it has not ended, and removes its log.", errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *SessionPath) (*struct{}, error) {
		if !protocol.ValidSessionID(in.ID) {
			return nil, sessionNotFound()
		}
		ctx, cancel := context.WithTimeout(ctx, questionTimeout)
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

func (a *API) createSession(ctx context.Context, in *struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"128" doc:"Of prompt: the same key never makes a second turn in the session"`
	Body           newSession
}) (*createOutput, error) {
	b := &in.Body
	if err := checkLabels(b.Labels); err != nil {
		return nil, err
	}
	n := supervisor.NewSession{
		Agent: b.Agent, Cwd: b.Cwd, Model: b.Model, Title: b.Title, Labels: b.Labels, ParentID: b.ParentSessionID,
	}
	if b.Prompt != nil {
		if err := b.Prompt.check(); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	sum, err := a.sup.Create(ctx, n)
	if err != nil {
		return nil, err
	}
	out := &createOutput{Location: "/sessions/" + sum.ID}
	var refused error
	if b.Prompt != nil {
		var r session.Receipt
		if r, refused = a.sendPrompt(ctx, sum.ID, &b.Prompt.newPrompt, in.IdempotencyKey); refused == nil {
			out.Body.Prompt = new(acceptedOf(sum.ID, r))
		}
	}
	desc, err := a.awaitStart(ctx, sum.ID)
	if err != nil {
		return nil, err
	}
	if desc.Status.State == protocol.StateFailed {
		p := complete(protocol.NewProblem(protocol.CodeAgentUnavailable, desc.EndError, desc.EndHint))
		p.SessionID = sum.ID
		return nil, p
	}
	out.Body.SessionDetail = detailOf(&desc)
	return out, refused
}

// awaitStart waits until a new session has left StateStarting, or StartTimeout: what it then is, is no error.
func (a *API) awaitStart(ctx context.Context, id string) (session.Description, error) {
	reader, err := a.join(ctx, id, "create")
	if err != nil {
		return session.Description{}, err
	}
	defer reader.Leave()
	wait, cancel := context.WithTimeout(ctx, a.cfg.StartTimeout)
	defer cancel()
	for {
		head := reader.Ring.Head() // before the description: what comes after it wakes the wait
		desc, err := a.describe(ctx, id)
		if err != nil || desc.Status.State != protocol.StateStarting && desc.Status.State != "" {
			return desc, err
		}
		if reader.Ring.Wait(wait, head) != nil {
			return desc, ctx.Err()
		}
	}
}

func (a *API) listSessions(ctx context.Context, in *listInput) (*struct{ Body sessionPage }, error) {
	q := supervisor.Query{Agent: in.Agent, Cwd: in.Cwd, Text: in.Q, Limit: in.Limit, After: in.After}
	if in.Active.IsSet {
		q.Active = &in.Active.Value
	}
	for _, s := range in.State {
		if !knownState(protocol.State(s)) {
			return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "There is no such state.", "The states are in protocol/spec.md §6.")
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
	out := &struct{ Body sessionPage }{sessionPage{Sessions: make([]SessionSummary, len(page.Sessions)), Next: page.Next, Total: page.Total}}
	for i := range page.Sessions {
		out.Body.Sessions[i] = summaryOf(&page.Sessions[i])
	}
	return out, nil
}

func (a *API) changeSession(ctx context.Context, in *changeInput) (*struct{ Body SessionDetail }, error) {
	change := session.Change{Title: in.Body.Title}
	if in.Body.Title == nil && in.Body.titleIsNull {
		change.Title = new(string)
	}
	if in.Body.Labels != nil {
		desc, err := a.describe(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		change.Labels = mergeLabels(desc.Labels, in.Body.Labels)
		if err := checkLabels(change.Labels); err != nil {
			return nil, err
		}
	}
	if _, err := question(ctx, a, in.ID, func(r ask.Reply[session.Done]) session.Message {
		c := change
		c.Reply = r
		return &c
	}); err != nil {
		return nil, err
	}
	return a.detail(ctx, in.ID)
}

func mergeLabels(have map[string]string, patch map[string]*string) map[string]string {
	merged := make(map[string]string, len(have)+len(patch))
	for k, v := range have {
		merged[k] = v
	}
	for k, v := range patch {
		if v == nil {
			delete(merged, k)
		} else {
			merged[k] = *v
		}
	}
	return merged
}

func checkLabels(labels map[string]string) error {
	if len(labels) > 64 {
		return protocol.NewProblem(protocol.CodeInvalidRequest, "There are too many labels.", "At most 64.")
	}
	for k, v := range labels {
		if k == "" || len(k) > 128 || len(v) > 1024 || strings.Contains(k, ":") {
			return protocol.NewProblem(protocol.CodeInvalidRequest, "A label does not fit.",
				"Keys have 1 to 128 bytes and no colon, values at most 1024 bytes.")
		}
	}
	return nil
}

func (a *API) endSession(ctx context.Context, in *endInput) (*struct{ Body SessionDetail }, error) {
	reason := ""
	if in.Body != nil {
		reason = in.Body.Reason
	}
	if _, err := question(ctx, a, in.ID, func(r ask.Reply[session.Done]) session.Message {
		return &session.End{Reply: r, Reason: reason}
	}); err != nil {
		return nil, err
	}
	return a.detail(ctx, in.ID)
}

func (a *API) interruptSession(ctx context.Context, in *interruptInput) (*struct{ Body interruptAccepted }, error) {
	client := ""
	if in.Body != nil {
		client = in.Body.ClientID
	}
	done, err := question(ctx, a, in.ID, func(r ask.Reply[session.Interrupted]) session.Message {
		return &session.Interrupt{Reply: r, By: byClient(client)}
	})
	if err != nil {
		return nil, err
	}
	return &struct{ Body interruptAccepted }{interruptAccepted{TurnID: done.TurnID}}, nil
}

// byClient is how the log names who did something over this API.
func byClient(id string) string {
	if id == "" {
		id = "http"
	}
	return "client:" + id
}

func (a *API) detail(ctx context.Context, id string) (*struct{ Body SessionDetail }, error) {
	desc, err := a.describe(ctx, id)
	if err != nil {
		return nil, err
	}
	return &struct{ Body SessionDetail }{detailOf(&desc)}, nil
}
