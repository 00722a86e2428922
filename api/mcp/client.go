package mcp

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/stream"
)

// clients are the MCP sessions of the old era. The SDK ends a session that sends no requests for a while, also one that only
// listens; and without a bound they would gather. So their number and their idleness are looked after here.
type clients struct {
	service *Service

	mu      sync.Mutex
	byID    map[string]*client
	leaving map[string]bool // those that were dropped and are not closed yet
	opening int             // requests at work that may open one
	openers map[string]int  // who does, by share
	reaping bool
}

// client is one MCP session.
type client struct {
	service *Service
	ss      *sdk.ServerSession
	who     *access.Principal
	life    context.Context // done when it ends, or shall end; its requests are the principal's
	end     context.CancelFunc
	stop    func() bool // no longer looks whether the principal's token is valid

	busy  int       // requests and streams at work
	since time.Time // when the last of them ended

	mu      sync.Mutex
	level   string
	leveled chan struct{}  // closed when a level is set for the first time
	out     *stream.Writer // the stream of notifications; nil: it is not open
	opened  chan struct{}  // closed while it is open
	pumps   map[string]context.CancelFunc
	asking  map[string]bool // sessions of which the user is asked

	outdated []string // resources of which it has to be told, by URI, each once
	telling  bool     // somebody does

	forms *form.Forms
}

func newClients(s *Service) *clients {
	return &clients{service: s, byID: map[string]*client{}, leaving: map[string]bool{}, openers: map[string]int{}}
}

// of finds what is known of an MCP session, which has an id. It belongs to who asks first, and ends with who's token: the SDK refuses
// it to others.
func (c *clients) of(ss *sdk.ServerSession, who *access.Principal) *client {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.byID[ss.ID()]
	if x != nil && x.ss == ss {
		return x
	}
	x = &client{
		service: c.service, ss: ss, who: who, since: c.service.cfg.Now(), leveled: make(chan struct{}), opened: make(chan struct{}),
		pumps: map[string]context.CancelFunc{}, asking: map[string]bool{},
	}
	x.life, x.end = context.WithCancel(access.With(c.service.life, who))
	x.forms = form.New(x.life, ss, who, c.service.requests_, c.service.start)
	x.stop = func() bool { return true }
	if who != nil && who.Revoked != nil {
		x.stop = context.AfterFunc(who.Revoked, func() { c.revoked(x) })
	}
	if !c.service.start(func() { c.forget(x) }) {
		x.stop()
		x.end()
		return x
	}
	c.byID[ss.ID()] = x
	if !c.reaping {
		c.reaping = c.service.start(c.reap)
	}
	return x
}

// forget drops an MCP session when it ends.
func (c *clients) forget(x *client) {
	_ = x.ss.Wait()
	x.stop()
	x.end()
	c.service.updates.forget(x.ss)
	c.service.callers.gone(x)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID[x.ss.ID()] == x {
		delete(c.byID, x.ss.ID())
	}
}

// revoked ends an MCP session whose principal has lost its token.
func (c *clients) revoked(x *client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(x)
}

// foreign says that an MCP session is another principal's.
func (c *clients) foreign(id string, p *access.Principal) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.byID[id]
	return x != nil && x.who != p
}

// find gives what is known of an MCP session; nil: nothing.
func (c *clients) find(id string) *client {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byID[id]
}

// enter counts a request of an MCP session in, if there is such a session; leave must follow.
func (c *clients) enter(id string) (leave func()) {
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
		x.since = c.service.cfg.Now()
	}
}

// maxOfAgent is how many MCP sessions one agent has: one that opens them without end takes its own places, and nobody else's.
const maxOfAgent = 16

// admit counts a request in that may open an MCP session; leave must follow when ok. Where a principal has all that one may have, the one
// of its own that was idle longest goes. Where all places are taken, one of whoever has most goes, and of nobody who has fewer than who asks. If
// none of these is idle there is no room.
func (c *clients) admit(who *access.Principal) (leave func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	mine, of := who.Share(), map[string]int{}
	for _, x := range c.byID {
		of[x.who.Share()]++
	}
	own := func(x *client) bool { return x.who.Share() == mine }
	if of[mine]+c.openers[mine] >= c.most(who) && !c.drops(own, nil) {
		return nil, false
	}
	has := of[mine] + c.openers[mine]
	others := func(x *client) bool { return own(x) || of[x.who.Share()] >= has }
	if len(c.byID)+c.opening >= c.service.cfg.MaxSessions && !c.drops(others, of) {
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
func (c *clients) most(who *access.Principal) int {
	all := c.service.cfg.MaxSessions
	switch {
	case who.Scope == access.Agent:
		return min(maxOfAgent, all)
	case all < maxOfAgent: // too few for parts
		return all
	}
	return all - all/4
}

// drops ends, of some sessions, the one that was idle longest, of whoever has most; false: none is idle. With mu held.
func (c *clients) drops(some func(*client) bool, of map[string]int) bool {
	var idlest *client
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
func (c *clients) drop(x *client) {
	id := x.ss.ID()
	x.end()
	if !c.service.start(func() {
		_ = x.ss.Close()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.leaving, id)
	}) {
		return // Service.Close ends those that are known
	}
	delete(c.byID, id)
	c.leaving[id] = true
}

// all gives the MCP sessions that are known.
func (c *clients) all() (list []*sdk.ServerSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.byID {
		list = append(list, x.ss)
	}
	return list
}

// left says that an MCP session was dropped, also while the SDK still closes it.
func (c *clients) left(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.leaving[id]
}

// ending ends the calls of an MCP session that its client is about to end: the SDK would wait for them.
func (c *clients) ending(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x := c.byID[id]; x != nil {
		x.end()
	}
}

// reap ends MCP sessions that were idle for too long; it ends with the service.
func (c *clients) reap() {
	limit := c.service.cfg.IdleTimeout
	tick := time.NewTicker(max(limit/8, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.dropIdle(c.service.cfg.Now().Add(-limit))
		case <-c.service.life.Done():
			return
		}
	}
}

func (c *clients) dropIdle(before time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.byID {
		if x.busy == 0 && x.since.Before(before) && x.who.Scope != access.Agent { // an agent's ends with its token
			c.drop(x)
		}
	}
}
