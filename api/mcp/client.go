package mcp

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// clients are the MCP sessions of the old era. The SDK ends a session that sends no requests for a while, also one that only
// listens; and without a bound they would gather. So their number and their idleness are looked after here.
type clients struct {
	service *Service

	mu      sync.Mutex
	byID    map[string]*client
	opening int // requests at work that may open one
	reaping bool
}

// client is one MCP session.
type client struct {
	ss   *sdk.ServerSession
	life context.Context // done when it ends, or shall end
	end  context.CancelFunc

	busy  int       // requests and streams at work
	since time.Time // when the last of them ended

	mu      sync.Mutex
	level   string
	leveled chan struct{} // closed when a level is set for the first time
	pumps   map[string]context.CancelFunc
}

func newClients(s *Service) *clients {
	return &clients{service: s, byID: map[string]*client{}}
}

// of finds what is known of an MCP session, which has an id.
func (c *clients) of(ss *sdk.ServerSession) *client {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.byID[ss.ID()]
	if x != nil && x.ss == ss {
		return x
	}
	x = &client{ss: ss, since: c.service.cfg.Now(), leveled: make(chan struct{}), pumps: map[string]context.CancelFunc{}}
	x.life, x.end = context.WithCancel(c.service.life)
	if !c.service.start(func() { c.forget(x) }) {
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
	x.end()
	c.service.updates.forget(x.ss)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID[x.ss.ID()] == x {
		delete(c.byID, x.ss.ID())
	}
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

// admit counts a request in that may open an MCP session; leave must follow when ok. Where all places are taken, the session
// that was idle longest goes; if none is idle there is no room.
func (c *clients) admit() (leave func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.byID)+c.opening >= c.service.cfg.MaxSessions {
		idle := c.idlest()
		if idle == nil {
			return nil, false
		}
		c.drop(idle)
	}
	c.opening++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.opening--
	}, true
}

func (c *clients) idlest() (found *client) {
	for _, x := range c.byID {
		if x.busy == 0 && (found == nil || x.since.Before(found.since)) {
			found = x
		}
	}
	return found
}

// drop ends an MCP session. With mu held.
func (c *clients) drop(x *client) {
	delete(c.byID, x.ss.ID())
	x.end()
	c.service.start(func() { _ = x.ss.Close() })
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
		if x.busy == 0 && x.since.Before(before) {
			c.drop(x)
		}
	}
}
