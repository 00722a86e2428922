// Package push tells clients what happens in sessions: events as log notifications, forms for what agents ask, updates of resources.
package push

import (
	"context"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Pushes are the events that clients of the old era are pushed, and what their users are asked.
type Pushes struct {
	door    *control.Door
	clients *client.Clients
	recents *feed.Recents
	log     *zap.Logger
}

// New pushes to nobody yet.
func New(d *control.Door, c *client.Clients, log *zap.Logger) *Pushes {
	return &Pushes{d, c, feed.NewRecents(), log}
}

// Watch begins to push what comes after the event with seq since to the client of a call, if that is not done already, and
// says whether it will arrive. Agents are pushed nothing: models read with tools.
func (s *Pushes) Watch(c *call.Call, id string, since uint64) string {
	if c.Modern() || c.Session.ID() == "" || c.Who.Scope == access.Agent {
		return output.PushUnavailable
	}
	x := s.clients.Of(c.Session, c.Who)
	s.Asks(x, id)
	if !x.Pumps.Begin(id, func() { s.pump(x.Life, x, id, since) }) {
		return output.PushUnavailable
	}
	return reaches(x)
}

// pump pushes one log to one client, in a goroutine that reads it as any reader does, until the session has ended, or the client is gone.
// Before a level is set the SDK would drop what is pushed, and while the client does not listen it would keep it in memory, as far as there
// is room: the pump waits for both, so that nothing is missed. A client that does not read delays its own pumps alone, and each write has a
// deadline.
func (s *Pushes) pump(ctx context.Context, x *client.Client, id string, since uint64) {
	select {
	case <-x.Leveled:
	case <-ctx.Done():
		return
	}
	p := &pusher{door: s.door, recents: s.recents, client: x, id: id, since: since}
	if err := p.run(ctx); err != nil && ctx.Err() == nil && problem.Of(err).Code == protocol.CodeInternal {
		s.log.Warn("pushes ended early", zap.String("session", id), zap.Error(err))
	}
}
