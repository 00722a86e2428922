package access

import (
	"context"
)

// Scope is what a token may do.
type Scope string

// The scopes.
const (
	Admin     Scope = "admin"    // everything, the tokens included
	AdminRead Scope = "admin:ro" // reads everything but the tokens
	Owner     Scope = "owner"    // makes sessions; reads and changes those of its owner
	OwnerRead Scope = "owner:ro" // reads the sessions of its owner
	// Agent is the scope of a session's own agent, over the MCP server that it was given: it makes sessions that work for its own, and
	// reads and changes those. No token file has it: a token of it is granted at the agent's start and void at its end.
	Agent Scope = "agent"
)

// Principal is the identity that a request is made with. It is immutable.
type Principal struct {
	ID      string // of the token, for audit lines: "admin" for that of the data folder, "socket" for a peer on the unix socket
	Name    string // that its maker gave it
	Scope   Scope
	Owner   string // with Owner and OwnerRead: the owner whose sessions it reaches; with Agent: the owner of its session
	Session string // with Agent: the session whose agent it is
	AskedBy string // of a login: the token that asked for it; empty: it is none
	Via     string // the node that has let it in and passes on its request; empty: this one has
	// Revoked is done when the token is no longer valid; nil: it never is. Streams and MCP sessions end with it.
	Revoked context.Context
}

// The principals that have no token of their own.
var (
	// Root has the token in the file "token" of the data folder.
	Root = &Principal{ID: "admin", Scope: Admin}
	// Peer runs as the daemon's own user and came over the unix socket.
	Peer = &Principal{ID: "socket", Scope: Admin}
	// Daemon is the daemon itself, for goroutines of its own that go on reading after a principal's request was checked.
	Daemon = &Principal{ID: "daemon", Scope: AdminRead}
)

// Writes says that the principal may change something.
func (p *Principal) Writes() bool {
	return p != nil && (p.Scope == Admin || p.Scope == Owner || p.Scope == Agent)
}

// IsNode says that another node asks for itself, and not for somebody whom it has let in.
func (p *Principal) IsNode() bool { return p != nil && p.Via != "" && p.ID == Daemon.ID }

// Everything says that the principal may read all sessions, and what belongs to no session, such as the metrics.
func (p *Principal) Everything() bool { return p != nil && (p.Scope == Admin || p.Scope == AdminRead) }

// keysOf names the holder of the principal's idempotency keys: its token. The admin token and the unix socket count as one holder, since both need
// access to the data folder; so do all agents that a session has had, each of which had a token of its own.
func (p *Principal) keysOf() string {
	switch {
	case p.Scope == Agent:
		return "agent:" + p.Session
	case p.ID == Peer.ID:
		return Root.ID
	}
	return p.ID
}

// Share names the holder whose part of the shared limits the principal uses. Requests without a principal have one part together.
func (p *Principal) Share() string {
	if p == nil {
		return ""
	}
	return p.keysOf()
}

// Holder names the token to which belongs what the principal makes: a login acts for the token that asked for it.
func (p *Principal) Holder() string {
	if p.AskedBy != "" {
		return p.AskedBy
	}
	return p.keysOf()
}

// owns says that a session of an owner is within the principal's reach, but for Agent, whose reach is a matter of ancestors.
func (p *Principal) owns(owner string) bool {
	switch p.Scope {
	case Admin, AdminRead:
		return true
	case Owner, OwnerRead:
		return p.Owner != "" && owner == p.Owner
	case Agent:
	}
	return false
}

type contextKey struct{}

// With gives a context whose requests are the principal's.
func With(ctx context.Context, p *Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// Of gives the principal of a context; nil: there is none, and nothing is allowed.
func Of(ctx context.Context) *Principal {
	p, _ := ctx.Value(contextKey{}).(*Principal)
	return p
}
