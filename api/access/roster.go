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

// Roster gives the list for the principal of a context. It is read without a question to anybody.
func (g *Gate) Roster(ctx context.Context) (*Roster, error) {
	p, err := asks(ctx)
	if err != nil {
		return nil, err
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
