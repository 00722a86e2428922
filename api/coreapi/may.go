package coreapi

import (
	"context"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// caller is who asks.
type caller struct {
	Grant
	book *book
	core core.Core // as this call reaches it
}

// speaks refuses what is asked for another node. The first node for which a credential speaks has it from then on.
func (c *caller) speaks(ctx context.Context, node string) error {
	switch {
	case c.Any || c.Node == node && node != "":
		return nil
	case c.Node != "":
		return forbidden("this token is of another node", "each node has a token of its own: `ringmaster core admit` makes one")
	}
	ok, err := c.book.bind(ctx, c.Grant, node)
	switch {
	case err != nil:
		return err
	case !ok:
		return forbidden("the node is known to Core already, and this token was not made for it",
			"where it is this node's, let who runs Core make one for it: `ringmaster core admit --node ID NAME`; `ringmaster node ls` has the ids")
	}
	c.Node = node
	return nil
}

// life is speaks for a node in one of its lives; who is none is refused by Core.
func (c *caller) life(ctx context.Context, as core.Owner) error {
	if !c.Any && as.Node == "" {
		return forbidden("no node is named", "")
	}
	return c.speaks(ctx, as.Node)
}

// cares refuses what only the server does.
func (c *caller) cares() error {
	if c.Any {
		return nil
	}
	return forbidden("the object store is in the care of `ringmaster core serve`",
		"nodes on an http address need no --objects, and no `ringmaster core compact`")
}

// hide leaves out the lease of a session that is another node's, or nobody's.
func (c *caller) hide(p core.Position) core.Position {
	if !c.Any && (c.Node == "" || p.Owner.Node != c.Node) {
		p.Lease = ""
	}
	return p
}

func (c *caller) hideAll(list []core.Position) []core.Position {
	for i := range list {
		list[i] = c.hide(list[i])
	}
	return list
}

func (c *caller) hideIn(list []core.Answer) []core.Answer {
	for i := range list {
		list[i].At = c.hide(list[i].At)
	}
	return list
}

// believes takes what a node says that Core has told it (core.Record.Claimed) back, where it would take a session from a node that is there: only Core
// itself could know, and has forgotten. What is silent, or nobody's, the node could claim all the same.
func (c *caller) believes(ctx context.Context, sessions []core.Record) error {
	var ids []string
	for i := range sessions {
		if !c.Any && sessions[i].Claimed > 0 {
			ids = append(ids, sessions[i].Session)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	at, err := c.core.Positions(ctx, ids)
	if err != nil {
		return err
	}
	nodes, err := c.core.Nodes(ctx, false)
	if err != nil {
		return err
	}
	silent := map[string]bool{"": true, c.Node: true}
	for i := range nodes {
		silent[nodes[i].Node] = silent[nodes[i].Node] || nodes[i].IsSilent()
	}
	held := map[string]bool{}
	for _, p := range at {
		held[p.Session] = !silent[p.Owner.Node]
	}
	for i := range sessions {
		if held[sessions[i].Session] {
			sessions[i].Claimed = 0
		}
	}
	return nil
}

// owns refuses what is about an object that is not the caller's. Native lines are of the node that has heard them, whoever has the session by now; a picture is
// of the node that has the session; of everything else there is nothing that a node puts.
func (c *caller) owns(ctx context.Context, keys ...string) error {
	if c.Any {
		return nil
	}
	var ids []string
	for _, key := range keys {
		parts := strings.Split(key, "/")
		if objects.CheckKey(key) != nil || parts[0]+"/" != objects.Sessions || len(parts) < 4 {
			return errNotOwn
		}
		switch {
		case parts[2] == "images":
			ids = append(ids, parts[1])
		case parts[2] != "raw", parts[3] != c.Node:
			return errNotOwn
		}
	}
	return c.has(ctx, ids...)
}

// puts refuses an object that is not the caller's, or that is not of the session of which it is said to be.
func (c *caller) puts(ctx context.Context, session, key string) error {
	if !c.Any && !strings.HasPrefix(key, objects.SessionPrefix(session)) {
		return errNotOwn
	}
	return c.owns(ctx, key)
}

// has refuses what is about a session that is not the caller's.
func (c *caller) has(ctx context.Context, ids ...string) error {
	if c.Any || len(ids) == 0 {
		return nil
	}
	at, err := c.core.Positions(ctx, ids)
	if err != nil {
		return err
	}
	for _, p := range at {
		if c.Node == "" || p.Owner.Node != c.Node {
			return errNotOwn
		}
	}
	return nil
}

var errNotOwn = forbidden("this is of a session that the node does not have, or of another node",
	"the session went to another node, or `ringmaster core admit` made this token for another one: `ringmaster ls` tells which node has it")
