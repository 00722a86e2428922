// Package client has the MCP sessions of clients up to 2025-11-25: how many there are, whether they listen, and what they have to be told.
package client

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
)

// Clients are the MCP sessions of the old era. The SDK ends a session that sends no requests for a while, also one that only
// listens; and without a bound they would gather. So their number and their idleness are looked after here.
type Clients struct {
	cfg Config

	mu      sync.Mutex
	byID    map[string]*Client
	leaving map[string]bool // those that were dropped and are not closed yet
	opening int             // requests at work that may open one
	openers map[string]int  // who does, by share
	reaping bool
}

// Config is what MCP sessions need of the service that they belong to.
type Config struct {
	Max      int                   // MCP sessions at once
	Idle     time.Duration         // after which one ends
	Life     context.Context       // done when all shall end
	Start    func(run func()) bool // runs a goroutine that ends with Life, unless that is over
	Ended    func(x *Client)       // is told of the end of each
	Now      func() time.Time
	Requests *form.Requests
}

// New has no MCP session yet.
func New(cfg Config) *Clients {
	return &Clients{cfg: cfg, byID: map[string]*Client{}, leaving: map[string]bool{}, openers: map[string]int{}}
}

// Of finds what is known of an MCP session, which has an id. It belongs to who asks first, and ends with who's token: the SDK refuses
// it to others.
func (c *Clients) Of(ss *sdk.ServerSession, who *access.Principal) *Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.byID[ss.ID()]
	if x != nil && x.Session == ss {
		return x
	}
	x = &Client{
		start: c.cfg.Start, Session: ss, who: who, since: c.cfg.Now(), Leveled: make(chan struct{}), opened: make(chan struct{}),
		Pumps: newWatches(c.cfg.Start), Asking: newWatches(c.cfg.Start),
	}
	x.Life, x.end = context.WithCancel(access.With(c.cfg.Life, who))
	x.Forms = form.New(x.Life, ss, who, c.cfg.Requests, c.cfg.Start)
	x.stop = func() bool { return true }
	if who != nil && who.Revoked != nil {
		x.stop = context.AfterFunc(who.Revoked, func() { c.revoked(x) })
	}
	if !c.cfg.Start(func() { c.forget(x) }) {
		x.stop()
		x.end()
		return x
	}
	c.byID[ss.ID()] = x
	if !c.reaping {
		c.reaping = c.cfg.Start(c.reap)
	}
	return x
}

// forget drops an MCP session when it ends.
func (c *Clients) forget(x *Client) {
	_ = x.Session.Wait()
	x.stop()
	x.end()
	c.cfg.Ended(x)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID[x.Session.ID()] == x {
		delete(c.byID, x.Session.ID())
	}
}

// revoked ends an MCP session whose principal has lost its token.
func (c *Clients) revoked(x *Client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(x)
}

// Foreign says that an MCP session is another principal's.
func (c *Clients) Foreign(id string, p *access.Principal) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.byID[id]
	return x != nil && x.who != p
}

// Find gives what is known of an MCP session; nil: nothing.
func (c *Clients) Find(id string) *Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byID[id]
}

// Enter counts a request of an MCP session in, if there is such a session; leave must follow.
func (c *Clients) Enter(id string) (leave func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.byID[id]
	if x == nil {
		return func() {}
	}
	x.busy++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		x.busy--
		x.since = c.cfg.Now()
	}
}

// MaxOfAgent is how many MCP sessions one agent has: one that opens them without end takes its own places, and nobody else's.
const MaxOfAgent = 16

// Admit counts a request in that may open an MCP session; leave must follow when ok. Where a principal has all that one may have, the one
// of its own that was idle longest goes. Where all places are taken, one of whoever has most goes, and of nobody who has fewer than who asks. If
// none of these is idle there is no room.
func (c *Clients) Admit(who *access.Principal) (leave func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	mine, of := who.Share(), map[string]int{}
	for _, x := range c.byID {
		of[x.who.Share()]++
	}
	own := func(x *Client) bool { return x.who.Share() == mine }
	if of[mine]+c.openers[mine] >= c.most(who) && !c.drops(own, nil) {
		return nil, false
	}
	has := of[mine] + c.openers[mine]
	others := func(x *Client) bool { return own(x) || of[x.who.Share()] >= has }
	if len(c.byID)+c.opening >= c.cfg.Max && !c.drops(others, of) {
		return nil, false
	}
	c.opening++
	c.openers[mine]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.opening--
		if c.openers[mine]--; c.openers[mine] == 0 {
			delete(c.openers, mine)
		}
	}, true
}

// most is how many MCP sessions a principal may have.
func (c *Clients) most(who *access.Principal) int {
	all := c.cfg.Max
	switch {
	case who.Scope == access.Agent:
		return min(MaxOfAgent, all)
	case all < MaxOfAgent: // too few for parts
		return all
	}
	return all - all/4
}

// drops ends, of some sessions, the one that was idle longest, of whoever has most; false: none is idle. With mu held.
func (c *Clients) drops(some func(*Client) bool, of map[string]int) bool {
	var idlest *Client
	for _, x := range c.byID {
		if x.busy > 0 || !some(x) {
			continue
		}
		if idlest == nil || of[x.who.Share()] > of[idlest.who.Share()] ||
			of[x.who.Share()] == of[idlest.who.Share()] && x.since.Before(idlest.since) {
			idlest = x
		}
	}
	if idlest != nil {
		c.drop(idlest)
	}
	return idlest != nil
}

// drop ends an MCP session. With mu held.
func (c *Clients) drop(x *Client) {
	id := x.Session.ID()
	x.end()
	if !c.cfg.Start(func() {
		_ = x.Session.Close()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.leaving, id)
	}) {
		return // Service.Close ends those that are known
	}
	delete(c.byID, id)
	c.leaving[id] = true
}

// All gives the MCP sessions that are known.
func (c *Clients) All() (list []*sdk.ServerSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.byID {
		list = append(list, x.Session)
	}
	return list
}

// Left says that an MCP session was dropped, also while the SDK still closes it.
func (c *Clients) Left(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.leaving[id]
}

// Ending ends the calls of an MCP session that its client is about to end: the SDK would wait for them.
func (c *Clients) Ending(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x := c.byID[id]; x != nil {
		x.end()
	}
}

// reap ends MCP sessions that were idle for too long; it ends with the service.
func (c *Clients) reap() {
	limit := c.cfg.Idle
	tick := time.NewTicker(max(limit/8, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.dropIdle(c.cfg.Now().Add(-limit))
		case <-c.cfg.Life.Done():
			return
		}
	}
}

func (c *Clients) dropIdle(before time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.byID {
		if x.busy == 0 && x.since.Before(before) && x.who.Scope != access.Agent { // an agent's ends with its token
			c.drop(x)
		}
	}
}
