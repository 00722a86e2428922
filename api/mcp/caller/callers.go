// Package caller has the tools that clients offer to the agents of sessions: what is offered, the servers of agents, and the calls.
package caller

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Callers know what clients offer to sessions' agents, and keep the tools of the agents' servers in step. An offer stays until
// its client replaces or withdraws it, until the client's MCP session ends, or until there are too many; it is not kept over a
// restart of the daemon, which ends the agents as well.
type Callers struct {
	cfg Config

	mu      sync.Mutex
	offers  map[offerKey]*list.Element // of *offer
	order   *list.List                 // the offer that was made longest ago in front
	bytes   int
	servers map[string]*agentServer // by the id of the agent's token
	calls   uint64
}

// Bounds of all offers. The total gives way by dropping what was offered longest ago.
const (
	maxCallers     = 8 // of one session
	maxOffersBytes = 64 << 20
	maxOffers      = 4096
)

// Why a call fails that its caller will not answer.
const (
	callerGone     = "The caller is not connected."
	callerWithdrew = "The caller does not offer its tools any more."
)

// Config is what callers need of the service that they belong to.
type Config struct {
	Door   *control.Door
	Look   func(ctx context.Context, id string) (session.Summary, error)
	Tell   *problem.Teller
	Server func() *sdk.Server                // makes the server of an agent
	Own    func(tool string) (own bool)      // says that the daemon has a tool of this name
	Client func(c *call.Call) *client.Client // of the old era; nil: a call of the new one
	Within time.Duration                     // for a client to carry out a tool
	Life   context.Context                   // done when everything shall end
	Start  func(run func()) bool             // runs a goroutine that ends with Life, unless that is over
}

// New knows of no offer yet.
func New(cfg Config) *Callers {
	return &Callers{cfg: cfg, offers: map[offerKey]*list.Element{}, order: list.New(), servers: map[string]*agentServer{}}
}

// offer takes an offer, in the place of the caller's earlier one; one without tools withdraws that.
func (c *Callers) offer(o *Offer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var old *Offer
	if e := c.offers[o.key]; e != nil {
		old = e.Value.(*Offer)
	}
	switch {
	case len(o.tools) == 0:
		if old != nil {
			c.remove(old, callerWithdrew)
		}
		return nil
	case old != nil && old.same(o): // as a client says with every message
		old.by, old.who = o.by, o.who
		c.order.MoveToBack(c.offers[o.key])
		c.disconnected(old)
		return nil
	}
	if err := c.fits(o, old); err != nil {
		return err
	}
	if old != nil { // its open calls are answered as ever
		o.life, o.end = old.life, old.end
		c.order.Remove(c.offers[o.key])
		c.bytes -= old.bytes
	}
	c.offers[o.key] = c.order.PushBack(o)
	c.bytes += o.bytes
	for c.bytes > maxOffersBytes || c.order.Len() > maxOffers {
		c.remove(c.order.Front().Value.(*Offer), callerWithdrew)
	}
	c.sync(o.key.sessionID)
	c.disconnected(o)
	return nil
}

// disconnected removes an offer whose client went while it was made. With mu held.
func (c *Callers) disconnected(o *Offer) {
	if o.by != nil && o.by.Life.Err() != nil {
		c.remove(o, callerGone)
	}
}

// OfferedBy says that a client offers tools to a session's agent under a name: it carries out what is called there. A client of the new era
// is known by its principal alone.
func (c *Callers) OfferedBy(sessionID, callerID string, call *call.Call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.offers[offerKey{sessionID, callerID}]
	if e == nil {
		return false
	}
	o := e.Value.(*Offer)
	if o.by != nil && !call.Modern() && call.Session.ID() != "" {
		return o.by.Session == call.Session
	}
	return o.who == call.Who.ID
}

// fits refuses an offer beside those of other callers. With mu held.
func (c *Callers) fits(o, old *Offer) error {
	others := map[string]bool{}
	n := 0
	for e := c.order.Front(); e != nil; e = e.Next() {
		x := e.Value.(*Offer)
		if x.key.sessionID != o.key.sessionID || x == old {
			continue
		}
		n++
		for _, t := range x.tools {
			others[t.Name] = true
		}
	}
	if n >= maxCallers {
		return problem.Overloaded(fmt.Sprintf("%d callers offer tools to this session.", n), "One of them has to withdraw its tools, or go.")
	}
	for _, t := range o.tools {
		if others[t.Name] {
			return &protocol.Problem{
				Code: protocol.CodeConflict, Detail: fmt.Sprintf("Another caller's tool is called %s.", t.Name), Hint: "Choose another caller_id.",
			}
		}
	}
	return nil
}

// remove takes an offer away; who waits for an answer of the caller is told why. With mu held.
func (c *Callers) remove(o *Offer, why string) {
	c.order.Remove(c.offers[o.key])
	delete(c.offers, o.key)
	c.bytes -= o.bytes
	o.end(errors.New(why))
	c.sync(o.key.sessionID)
}

// Gone removes what a client has offered whose MCP session has ended.
func (c *Callers) Gone(x *client.Client) {
	c.removeAll(callerGone, func(o *Offer) bool { return o.by == x })
}

// forget removes what was offered to a session that is over.
func (c *Callers) forget(sessionID string) {
	c.removeAll(callerWithdrew, func(o *Offer) bool { return o.key.sessionID == sessionID })
}

func (c *Callers) removeAll(why string, which func(*Offer) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.order.Front(); e != nil; {
		o := e.Value.(*Offer)
		if e = e.Next(); which(o) {
			c.remove(o, why)
		}
	}
}

// sync gives the servers of a session's agent the tools that are offered to it. With mu held.
func (c *Callers) sync(sessionID string) {
	for _, a := range c.servers {
		if a.sessionID == sessionID {
			c.equip(a)
		}
	}
}

// equip changes what has changed: the SDK tells the agent that its list of tools did. With mu held.
func (c *Callers) equip(a *agentServer) {
	want := map[string]*sdk.Tool{}
	for e := c.order.Front(); e != nil; e = e.Next() {
		o := e.Value.(*Offer)
		if o.key.sessionID != a.sessionID {
			continue
		}
		for i, t := range o.tools {
			want[t.Name] = t
			if a.offered[t.Name] != t {
				a.offered[t.Name] = t
				a.server.AddTool(t, c.callerTool(o.key, o.given[i].Name))
			}
		}
	}
	var over []string
	for name := range a.offered {
		if want[name] == nil {
			delete(a.offered, name)
			over = append(over, name)
		}
	}
	if len(over) > 0 {
		a.server.RemoveTools(over...)
	}
}

// calling gives a number to a call of a caller's tool, and a context that is done when the caller is gone.
func (c *Callers) calling(key offerKey) (number uint64, life context.Context, there bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.offers[key]
	if e == nil {
		return 0, nil, false
	}
	c.calls++
	return c.calls, e.Value.(*Offer).life, true
}
