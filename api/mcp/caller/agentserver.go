package caller

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// agentServer is the MCP server of one run of a session's agent: it has the tools that make sense for an agent, and those that
// callers offer to its session. It goes with the agent's token.
type agentServer struct {
	sessionID string
	server    *sdk.Server
	offered   map[string]*sdk.Tool // by the agent's name of it
}

// ServerOf finds or makes the server of an agent.
func (c *Callers) ServerOf(p *access.Principal) *sdk.Server {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.servers[p.ID]
	if a == nil {
		a = &agentServer{sessionID: p.Session, server: c.cfg.Server(), offered: map[string]*sdk.Tool{}}
		c.servers[p.ID] = a
		c.equip(a)
		context.AfterFunc(p.Revoked, func() { c.revoked(p) })
	}
	return a.server
}

// All gives the servers of all agents.
func (c *Callers) All() (list []*sdk.Server) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.servers {
		list = append(list, a.server)
	}
	return list
}

// revoked drops an agent's server, and what was offered to its session where that is over.
func (c *Callers) revoked(p *access.Principal) {
	c.mu.Lock()
	delete(c.servers, p.ID)
	c.mu.Unlock()
	c.cfg.Start(func() {
		ctx, cancel := context.WithTimeout(access.With(c.cfg.Life, access.Daemon), lookGrace)
		defer cancel()
		sum, err := c.cfg.Look(ctx, p.Session)
		if err == nil && sum.Status.State.Ended() || err != nil && problem.Of(err).Code == protocol.CodeSessionNotFound {
			c.forget(p.Session)
		}
	})
}

const lookGrace = 5 * time.Second
