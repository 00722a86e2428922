package mcp

import (
	"context"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// watch begins to push what comes after the event with seq since to the client of a call, if that is not done already, and
// says whether it will arrive. Agents are pushed nothing: models read with tools.
func (s *Service) watch(c *call, id string, since uint64) string {
	if c.modern() || c.Session.ID() == "" || c.who.Scope == access.Agent {
		return output.PushUnavailable
	}
	x := s.clients.of(c.Session, c.who)
	s.asks(x, id)
	if !s.pumping(x, id, since) {
		return output.PushUnavailable
	}
	return s.reaches(x)
}

// pumping starts the pump of one client and one session: a goroutine that reads the log as any reader does. A client that does
// not read delays its own pumps alone, and each write has a deadline.
func (s *Service) pumping(x *client, id string, since uint64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.pumps[id] != nil:
		return true
	case len(x.pumps) >= form.MaxWatched:
		return false
	}
	ctx, cancel := context.WithCancel(x.life)
	if !s.start(func() {
		s.pump(ctx, x, id, since)
		cancel()
		x.mu.Lock()
		delete(x.pumps, id)
		x.mu.Unlock()
	}) {
		cancel()
		return false
	}
	x.pumps[id] = cancel
	return true
}

// pump pushes one log to one client until the session has ended, or the client is gone. Before a level is set the SDK would drop what
// is pushed, and while the client does not listen it would keep it in memory, as far as there is room: the pump waits for both, so that
// nothing is missed.
func (s *Service) pump(ctx context.Context, x *client, id string, since uint64) {
	select {
	case <-x.leveled:
	case <-ctx.Done():
		return
	}
	p := &pusher{service: s, client: x, id: id, since: since}
	if err := p.run(ctx); err != nil && ctx.Err() == nil && problem.Of(err).Code == protocol.CodeInternal {
		s.log.Warn("pushes ended early", zap.String("session", id), zap.Error(err))
	}
}
