package placement

import (
	"context"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

const (
	familiesOnce = 8
	grace        = 20 * time.Millisecond // behind the end of another node's lease
)

// atWork are the states of sessions that are claimed unasked.
var atWork = func() (list []string) {
	for _, s := range protocol.States {
		if session.AtWork(s) {
			list = append(list, string(s))
		}
	}
	return list
}()

// claimer has the sessions come here of nodes that are gone.
type claimer struct {
	*taker
	beat chan<- struct{} // one slot: has the node beat now
}

// claim has nodes be dead that are silent, and has the sessions come here that were at work there.
func (c *claimer) claim(life core.Owner) error {
	workspaces := c.Workspaces()
	if len(workspaces) == 0 {
		return nil
	}
	agents := c.Agents()
	if len(agents) == 0 {
		return nil
	}
	if err := c.declare(life); err != nil || c.wasFull() {
		return err
	}
	want := core.Want{Families: familiesOnce, Workspaces: workspaces, Agents: agents, States: atWork}
	for c.ctx.Err() == nil {
		if len(c.coming) >= mostComing {
			c.more = true
			return nil
		}
		ctx, cancel := c.call()
		got, err := c.core.Claim(ctx, life, want)
		cancel()
		if err != nil || len(got.Taken) == 0 {
			return err
		}
		c.takeIn(arrivals(got.Taken)...)
		if _, alive, _ := c.gate.is(time.Now()); !alive || c.wasFull() {
			return nil
		}
	}
	return nil
}

// declare has nodes be dead whose lease is over, and notes when the next one may be.
func (c *claimer) declare(life core.Owner) error {
	ctx, cancel := c.call()
	defer cancel()
	dead, err := c.core.Declare(ctx, life)
	if err != nil {
		return err
	}
	for _, o := range dead {
		c.cfg.Log.Warn("a node is silent and counts as dead", zap.String("node", o.Node))
	}
	nodes, err := c.core.Nodes(ctx, false)
	if err != nil {
		return err
	}
	soon := c.cfg.Lease / beats
	for i := range nodes {
		n := &nodes[i]
		if n.Node != life.Node && n.State == core.StateDraining { // what it gives away may have work that waits
			soon = min(soon, drainSoon)
		}
		switch {
		case n.Node == life.Node || !n.Beats || n.State != core.StateUp && n.State != core.StateDraining:
		case n.Ends > -grace/2:
			soon = min(soon, max(n.Ends, 0))
		case -n.Ends <= c.gate.last(time.Now()): // since this node has beaten: only one that has beaten since may say that the other is dead
			select {
			case c.beat <- struct{}{}:
			default:
			}
		}
	}
	c.by(time.Now().Add(soon + grace))
	return nil
}

// take has a session come here that somebody asks for, and answers once it is here, or has failed to come.
func (c *claimer) take(a *asking) {
	err := c.bring(a)
	if x := c.coming[a.id]; err == nil && x != nil {
		x.asks = append(slices.DeleteFunc(x.asks, func(one *asking) bool { return one.ctx.Err() != nil }), a)
		return
	}
	if err == nil {
		err = c.found(a.id)
	}
	a.done <- err
}

// bring takes a session in that somebody asks for, or begins to, where Core gives it.
func (c *claimer) bring(a *asking) error {
	if c.Knows(a.id) || c.coming[a.id] != nil {
		return nil
	}
	life, alive, looked := c.gate.is(time.Now())
	if !alive || !looked {
		return unavailable("This node is not sure of its place among the others, since Core does not answer.", "Ask again once Core answers.")
	}
	if err := c.connect(); err != nil {
		return unavailable("Core does not answer.", "Ask again once it does.")
	}
	ctx, cancel := context.WithTimeout(a.ctx, callTime)
	defer cancel()
	got, err := c.core.Claim(ctx, life, core.Want{Sessions: []string{a.id}, Revive: a.revive})
	if err != nil {
		return unavailable("Core does not answer.", "Ask again once it does.")
	}
	c.beginAll(arrivals(got.Taken)...)
	if len(got.Others) == 0 {
		return nil
	}
	if got.Others[0].Why != core.WhyOwn {
		return refusalOf(got.Others[0])
	}
	c.recall(got.Others[0].At)
	return nil
}
