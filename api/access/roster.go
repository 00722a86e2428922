package access

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// Roster is the list of sessions, with what a principal may see of it.
type Roster struct {
	*roster.Roster
	who *Principal
}

// refresher is a Supervisor whose list has sessions of other nodes, which may be a moment behind.
type refresher interface {
	Refresh(ctx context.Context, named []string)
}

// Roster gives the list for the principal of a context, in which the named sessions are to be found, where they are anywhere. It is read without a question to
// anybody; where there are other nodes, it waits a moment for what is new of them.
func (g *Gate) Roster(ctx context.Context, named ...string) (*Roster, error) {
	p, err := asks(ctx)
	if err != nil {
		return nil, err
	}
	if r, ok := g.inner.(refresher); ok {
		r.Refresh(ctx, named)
	}
	return &Roster{g.inner.Roster(), p}, nil
}

// RosterOf gives the list for a principal that does not ask now: what belongs to it goes on.
func RosterOf(g *Gate, p *Principal) *Roster { return &Roster{g.inner.Roster(), p} }

// Within says that a session is within reach.
func (r *Roster) Within(s *roster.Session) bool {
	about := s.About()
	return r.who.owns(about.Owner) || r.who.Scope == Agent && r.Under(s, r.who.Session)
}

// Under says that a session works for another one, directly or for one that does.
func (r *Roster) Under(s *roster.Session, id string) bool {
	for range maxAncestors {
		parent := s.About().ParentSessionID
		switch parent {
		case id:
			return id != ""
		case "":
			return false
		}
		if s = r.Find(parent); s == nil {
			return false
		}
	}
	return false
}
