package access

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// makes says whether the principal may make a session, and fills in the new session's owner.
func (g *Gate) makes(ctx context.Context, n *supervisor.NewSession) error {
	p, err := asks(ctx)
	if err != nil {
		return err
	}
	if n.Key.Name != "" {
		n.Key.By = p.keysOf()
	}
	switch {
	case !p.Writes():
		return readsOnly(ctx)
	case p.Scope == Agent:
		return p.spawns(ctx, n)
	case p.Scope == Owner:
		n.Owner = p.Owner
		if n.ParentID != "" {
			if err := g.reach(ctx, p, n.ParentID); err != nil {
				return err
			}
		}
		if n.NativeSessionID != "" && n.Endpoint == nil {
			return g.hadBefore(ctx, n)
		}
	}
	return nil
}

// hadBefore says whether an owner may have an agent go on with one of the agent's own sessions: the earlier conversation goes into the log. Such a
// session belongs to the daemon's user, unless a session of this owner worked with it here. At an endpoint the server there decides.
func (g *Gate) hadBefore(ctx context.Context, n *supervisor.NewSession) error {
	page, err := g.inner.List(ctx, supervisor.Query{Agent: n.Agent, Owner: n.Owner, Native: n.NativeSessionID, Limit: 1})
	if err == nil && page.Total == 0 {
		err = refuse(ctx, "No session of this token's owner was this session of the agent's.",
			"Go on with "+protocol.TermNativeSessionID+" of one of your sessions, or use a token of the scope admin.")
	}
	return err
}

// spawns makes a session that an agent wants work for the agent's own session. Settings that a person decides, an agent may not choose.
func (p *Principal) spawns(ctx context.Context, n *supervisor.NewSession) error {
	switch {
	case n.ParentID != "" && n.ParentID != p.Session:
		return refuse(ctx, "A session that an agent makes works for the agent's own.", "Leave the parent out.")
	case n.Endpoint != nil || n.NativeSessionID != "" || n.Policy != nil || n.Mode != "":
		return refuse(ctx,
			"An agent may neither attach to what runs already, nor go on with foreign sessions, nor say what is approved or in which mode others work.",
			"Leave out endpoint, "+protocol.TermNativeSessionID+", policy and mode.")
	}
	n.ParentID, n.Owner, n.Spawned = p.Session, p.Owner, true
	return nil
}

func readsOnly(ctx context.Context) error {
	return refuse(ctx, "This token may only read.", "Use a token that may change sessions.")
}
