package supervisor

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// NativeSession is a session that an agent has of its own on this machine.
type NativeSession struct {
	Agent string
	adapters.NativeSession
}

// NativeSessions gives what agents have of their own in a folder, which must lie inside the roots, the newest first. agent: of this one
// alone, which must be one that can be asked; empty: of all that can. It reads the agents' files in the caller's goroutine.
func (s *Supervisor) NativeSessions(ctx context.Context, agent, cwd string) ([]NativeSession, error) {
	cwd, err := resolveCwd(s.roots.all(), cwd)
	if err != nil {
		return nil, err
	}
	names := s.AgentNames()
	if agent != "" {
		if _, is := s.agents[agent].(adapters.Keeper); !is && slices.Contains(names, agent) {
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
	out := []NativeSession{}
	for _, name := range names {
		keeper, is := s.agents[name].(adapters.Keeper)
		if !is {
			continue
		}
		list, err := keeper.NativeSessions(ctx, s.env, cwd)
		if err != nil {
			return nil, err
		}
		for _, n := range list {
			n.Title = s.tokens.Text(n.Title) // which may be a first prompt
			out = append(out, NativeSession{name, n})
		}
	}
	slices.SortStableFunc(out, func(a, b NativeSession) int { return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID)) })
	return out[:min(len(out), adapters.MaxNative)], nil
}
