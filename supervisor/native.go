package supervisor

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/listing"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
)

// NativeSession is a session that an agent has of its own on this machine.
type NativeSession struct {
	Agent     string
	SessionID string // of the session that works with it and has not ended; empty: none does
	adapters.NativeSession
}

// tellTime bounds how long an agent's program may take to list its sessions.
const tellTime = 45 * time.Second

// NativeSessions lists the sessions that agents have of their own in a folder, which must lie inside the roots, the newest first. agent: the sessions of
// this agent alone; empty: those of all agents whose files list them. It reads the agents' files in the caller's goroutine, or runs the program of
// the one agent.
func (s *Supervisor) NativeSessions(ctx context.Context, agent, cwd string) ([]NativeSession, error) {
	cwd, err := workdir.Resolve(s.roots.All(), cwd)
	if err != nil {
		return nil, err
	}
	names := s.AgentNames()
	if agent != "" {
		_, keeps := s.agents[agent].(adapters.Keeper)
		_, tells := s.agents[agent].(adapters.Teller)
		if is := keeps || tells; !is && slices.Contains(names, agent) {
			return nil, &protocol.Problem{
				Code: protocol.CodeNotSupported, Detail: "What sessions " + agent + " has of its own is not known here.",
				Hint: "Give " + protocol.TermNativeSessionID + " as the agent itself calls the session.",
			}
		} else if !is {
			return nil, &protocol.Problem{
				Code: protocol.CodeAgentNotFound, Detail: "There is no agent of this name.",
				Hint: protocol.TermListAgents + " lists the agents: " + strings.Join(names, ", ") + ".",
			}
		}
		names = []string{agent}
	}
	taken, err := s.taken(ctx)
	if err != nil {
		return nil, err
	}
	out := []NativeSession{}
	for _, name := range names {
		var list []adapters.NativeSession
		switch a := s.agents[name].(type) {
		case adapters.Keeper:
			list, err = a.NativeSessions(ctx, s.env, cwd)
		case adapters.Teller:
			if agent == "" {
				continue
			}
			list, err = s.told(ctx, a, cwd)
		}
		if err != nil {
			return nil, err
		}
		for _, n := range list {
			n.Title = shortTitle(s.tokens.Text(n.Title)) // which may be a first prompt; a token that is cut is not seen
			out = append(out, NativeSession{name, taken[[2]string{name, n.ID}], n})
		}
	}
	slices.SortStableFunc(out, func(a, b NativeSession) int { return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID)) })
	return out[:min(len(out), adapters.MaxNative)], nil
}

// maxNativeTitle bounds the title of an agent's own session, in bytes.
const maxNativeTitle = 120

func shortTitle(title string) string {
	if len(title) > maxNativeTitle {
		title = protocol.Head(title, maxNativeTitle-len("…")) + "…"
	}
	return title
}

// told runs an agent's program for its sessions.
func (s *Supervisor) told(ctx context.Context, a adapters.Teller, cwd string) ([]adapters.NativeSession, error) {
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	i := a.Find(ctx)
	if i.Program == "" {
		return nil, &protocol.Problem{Code: protocol.CodeAgentUnavailable, Detail: i.Problem, Hint: i.Hint}
	}
	list, err := a.TellSessions(ctx, adapters.Spec{Program: i.Program, Version: i.Version, Cwd: cwd, Env: s.env})
	if err != nil {
		return nil, &protocol.Problem{
			Code: protocol.CodeAgentUnavailable, Detail: "The agent does not list its sessions: " + err.Error() + ".",
			Hint: "Try again; the agent itself may say why.",
		}
	}
	return list, nil
}

// taken says which sessions work with agents' own, by agent and the agent's id.
func (s *Supervisor) taken(ctx context.Context) (map[[2]string]string, error) {
	active := true
	found := map[[2]string]string{}
	for q := (Query{Active: &active, Limit: listing.MaxPage}); ; {
		page, err := s.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for i := range page.Sessions {
			if x := &page.Sessions[i]; x.NativeSessionID != "" {
				found[[2]string{x.Agent, x.NativeSessionID}] = x.ID
			}
		}
		if q.After = page.Next; q.After == "" {
			return found, nil
		}
	}
}
