package tool

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// place is the session that a message goes to.
type place struct {
	session.Summary      // where it was there before
	spawned         bool // the message made it, now or when it was sent for the first time
}

const maxKey = 128 // bytes of an idempotency key

// placeOf finds the session of a message: the one that it names, the one that its key stands for, the newest that fits, or a new one.
func (s *messages) placeOf(ctx context.Context, c *call.Call, in *messageInput) (place, error) {
	if in.SessionID != "" {
		if err := problem.CheckID(in.SessionID); err != nil {
			return place{}, err
		}
		x, err := s.backend.Look(ctx, in.SessionID)
		return place{Summary: x}, err
	}
	if in.Agent == "" || in.Cwd == "" && c.Who.Scope != access.Agent {
		return place{}, problem.Invalid("Neither session_id nor agent and cwd were given.",
			"Give session_id (see session_list), or agent (see agent_list) and cwd, the folder to work in.")
	}
	want := supervisor.NewSession{
		Agent: in.Agent, Cwd: in.Cwd, Model: in.Model, Title: in.Title, Labels: in.Labels, MCP: in.MCP || len(in.CallerTools) > 0,
	}
	if err := in.newMore.into(&want); err != nil {
		return place{}, err
	}
	if in.IdempotencyKey != "" {
		want.Key = supervisor.Key{Name: in.IdempotencyKey, Body: supervisor.BodyOf([]any{in.Message, in.Images, in.Behavior})}
	}
	if !in.NewSession && want.Endpoint == nil && want.NativeSessionID == "" { // those name an agent's session: no other one will do
		x, err := s.find(ctx, c.Who, &want)
		switch {
		case err != nil:
			return place{}, err
		case x != nil && in.IdempotencyKey == "":
			return place{Summary: *x}, nil
		case x != nil: // the key may stand for another one
			made, err := s.backend.Claim(ctx, want, x.ID)
			return placeAt(&made), err
		}
	}
	made, err := s.backend.Create(ctx, want)
	return placeAt(&made), err
}

func placeAt(c *supervisor.Created) place { return place{c.Summary, c.ID != "" && !c.Found} }

// find gives the newest session that fits and has not ended; nil: none does. A session with labels is somebody's who knows them: it is
// found by them alone. A client finds none that works for an agent's, and an agent those alone that work for its own.
func (s *messages) find(ctx context.Context, who *access.Principal, want *supervisor.NewSession) (*session.Summary, error) {
	q := supervisor.Query{Agent: want.Agent, Cwd: want.Cwd, Parent: want.ParentID, Labels: want.Labels, Active: new(true), Limit: maxFound}
	agent := who.Scope == access.Agent
	if agent {
		q.Parent = who.Session
		if q.Cwd == "" { // its own, as for a new session; an agent does not reach its own session
			own, err := s.backend.Look(access.With(ctx, access.Daemon), who.Session)
			if err != nil {
				return nil, err
			}
			q.Cwd = own.Cwd
		}
	}
	page, err := s.backend.List(ctx, q)
	for i := range page.Sessions {
		x := &page.Sessions[i]
		labelled := len(x.Labels) > 0 && len(want.Labels) == 0
		if !x.SubAgent && !x.ReadOnly && !labelled && x.Spawned == agent && (x.MCP || !want.MCP) {
			return x, nil
		}
	}
	return nil, err
}

// maxFound is how many of the newest sessions are looked through.
const maxFound = 1000

// ignored names the arguments that do not hold for the session, which the message has not made.
func (p *place) ignored(in *messageInput) (names []string) {
	if p.spawned {
		return nil
	}
	other := func(name string, is bool) {
		if is {
			names = append(names, name)
		}
	}
	other("agent", in.Agent != "" && in.Agent != p.Agent)
	other("cwd", in.SessionID != "" && in.Cwd != "" && in.Cwd != p.Cwd)
	other("model", in.Model != "" && in.Model != p.Model && in.Model != p.AskedModel)
	other("title", in.Title != "" && in.Title != p.Title)
	other("mode", in.Mode != "" && in.Mode != p.Mode && in.Mode != p.PendingMode)
	other("policy", in.Policy != nil)
	other("budget", in.Budget != nil)
	other("parent_session_id", in.Parent != "" && in.Parent != p.ParentSessionID)
	other("native_session_id", in.NativeSessionID != "" && in.NativeSessionID != p.NativeSessionID)
	other("endpoint", in.Endpoint != nil && in.SessionID != "")
	other("mcp", in.MCP && !p.MCP)
	other("new_session", in.NewSession && in.SessionID != "")
	for k, v := range in.Labels {
		if p.Labels[k] != v {
			return append(names, "labels")
		}
	}
	return names
}
