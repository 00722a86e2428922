package outbox

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// Side is what is asked of a supervisor by those that stand beside it.
type Side struct {
	Name   string // of the data folder
	Store  store.Store
	List   *roster.Roster
	Outbox *Outbox // nil: there is no Core
}

// Instance is the data folder's name.
func (s *Side) Instance() string { return s.Name }

// Logs is where the sessions' logs are; nil: in a store that gives none away.
func (s *Side) Logs() store.Carrier {
	c, _ := s.Store.(store.Carrier)
	return c
}

// Roster is the list of sessions as readers follow it, read without asking the supervisor.
func (s *Side) Roster() *roster.Roster { return s.List }

// InCore says whether Core has what a session has shown by now, for which it waits a moment; nil: there is no Core.
func (s *Side) InCore(ctx context.Context, id string) *bool {
	if s.Outbox == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, receiptTime)
	defer cancel()
	found := s.List.Find(id)
	return new(found != nil && s.Outbox.Await(ctx, id, found.Summary().Seq))
}

// receiptTime is how long a receipt waits for Core, which as a rule is some milliseconds behind.
const receiptTime = 300 * time.Millisecond
