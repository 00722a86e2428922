package elsewhere

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// Nodes are the nodes that Core knows, this one among them.
func (c *Cluster) Nodes(ctx context.Context) ([]roster.Node, error) {
	at := c.of.reach.core.Load()
	if at == nil {
		return nil, unreached("nodes")
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	found, err := (*at).Nodes(ctx, true)
	if err != nil {
		return nil, mirror.Problem(err)
	}
	list := make([]roster.Node, len(found))
	for i := range found {
		list[i] = nodeOf(&found[i])
		if list[i].Here = found[i].Node == c.of.Instance(); list[i].Here && c.Draining != nil {
			var drains bool
			if list[i].Leaving, drains = c.Draining(); drains && list[i].State == string(core.StateUp) { // Core may not have heard of it yet
				list[i].State = string(core.StateDraining)
			}
		}
	}
	return list, nil
}

// Here names the node that is asked.
const Here = "here"

// DrainNode has this node give its sessions away.
func (c *Cluster) DrainNode(ctx context.Context, node string, wait time.Duration) (roster.Node, error) {
	n, err := c.own(ctx, node)
	if err != nil {
		return n, err
	}
	c.Drain(wait)
	n.State = string(core.StateDraining)
	n.Leaving, _ = c.Draining()
	return n, nil
}

// JoinNode has this node take sessions again, where it drains.
func (c *Cluster) JoinNode(ctx context.Context, node string) (roster.Node, error) {
	n, err := c.own(ctx, node)
	if err != nil {
		return n, err
	}
	c.Join()
	if n.Leaving = 0; n.State == string(core.StateDraining) {
		n.State = string(core.StateUp)
	}
	return n, nil
}

// own finds this node, where it can give sessions away.
func (c *Cluster) own(ctx context.Context, node string) (roster.Node, error) {
	n, err := c.node(ctx, node)
	switch {
	case err != nil:
	case !n.Here:
		err = protocol.NewProblem(protocol.CodeUnavailable, "Whether a node gives its sessions away is its own daemon's to say.",
			"Ask the daemon of that node.")
	case c.Drain == nil:
		err = protocol.NewProblem(protocol.CodeUnavailable, "This daemon's sessions are in a store that gives none away.",
			"Only sessions in the data folder move.")
	}
	return n, err
}

// ForgetNode says that a node is gone for good.
func (c *Cluster) ForgetNode(ctx context.Context, node string) (roster.Node, error) {
	n, err := c.node(ctx, node)
	if err != nil {
		return n, err
	}
	if n.Here {
		return n, protocol.NewProblem(protocol.CodeConflict, "This node is the one that answers.", "Have it give its sessions away (drainNode), and end it.")
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	is, err := (*c.of.reach.core.Load()).Forget(ctx, n.ID)
	if err != nil {
		return n, mirror.Problem(err)
	}
	if is != core.StateLeft {
		return n, protocol.NewProblem(protocol.CodeConflict, "The node says that it lives: its state is "+n.State+".",
			"End its daemon, and wait until it counts as silent.")
	}
	n.State, n.Silent, n.Lease = string(is), 0, 0
	c.of.hasten()
	return n, nil
}

// node finds a node by its id.
func (c *Cluster) node(ctx context.Context, id string) (roster.Node, error) {
	list, err := c.Nodes(ctx)
	for i := range list {
		if list[i].ID == id || id == Here && list[i].Here {
			return list[i], err
		}
	}
	if err == nil {
		err = protocol.NewProblem(protocol.CodeNotFound, "There is no such node.", "The list of nodes has those that there are.")
	}
	return roster.Node{}, err
}

// TakeOver has a session go on at this node, also one that stays with its node, where that one has left for good.
func (c *Cluster) TakeOver(ctx context.Context, id string) error {
	x, err := c.of.elsewhere(ctx, id)
	switch {
	case err != nil:
		return err
	case x == nil:
		_, err := c.of.Supervisor.Look(ctx, id)
		return err
	case c.of.cfg.Take == nil:
		return x.refusal(c.of.Instance())
	}
	ctx, cancel := context.WithTimeout(ctx, takeTime)
	defer cancel()
	if err := c.of.cfg.Take(ctx, id, true); err != nil {
		return problem(err)
	}
	return nil
}

func nodeOf(n *core.Node) roster.Node {
	out := roster.Node{
		ID: n.Node, State: string(n.State), Sessions: n.Has, Address: n.Address, Workspaces: n.Workspaces, Build: n.Build,
	}
	isOver := n.State == core.StateLeft || n.State == core.StateDead
	switch {
	case isOver:
	case !n.Beats:
		out.State = "unknown"
	case n.Ends < 0:
		out.State, out.Silent = "silent", -n.Ends
	default:
		out.Lease = n.Ends
	}
	return out
}

// Where says where sessions are, and which nodes there are to ask.
type Where struct{ of *Elsewhere }

// WhereOf is for whoever passes on what is asked of other nodes' sessions.
func WhereOf(e *Elsewhere) Where { return Where{e} }

// Nodes are the nodes as Core has them.
func (w Where) Nodes(ctx context.Context) ([]core.Node, error) {
	c := w.of.reach.core.Load()
	if c == nil {
		return nil, unreached("nodes")
	}
	return (*c).Nodes(ctx, false)
}

// Owner is the node that has a session, as far as is known; "": this one, nobody, or there is no such session. Core is asked for one of which nothing is known,
// and for a change also for one that nobody is known to have: another node may have taken it a moment ago.
func (w Where) Owner(ctx context.Context, id string, changes bool) string {
	x, err := w.of.elsewhere(ctx, id)
	if err != nil || x == nil {
		return ""
	}
	if changes && x.sum.Node == roster.Nobody {
		x = latest(ctx, w.of, x)
	}
	return w.other(x)
}

// Here says that this node has a session.
func (w Where) Here(ctx context.Context, id string) bool {
	x, err := w.of.elsewhere(ctx, id)
	return err == nil && x == nil
}

// OwnerNow is Owner, with Core asked how things stand; "" also: the session may come here, since its node is silent. Where Core does not answer, it is as
// known.
func (w Where) OwnerNow(ctx context.Context, id string) string {
	x, err := w.of.elsewhere(ctx, id)
	if err != nil || x == nil {
		return ""
	}
	if x = latest(ctx, w.of, x); x == nil || comes(w.of, x) {
		return ""
	}
	return w.other(x)
}

func (w Where) other(x *entry) string {
	if x == nil || x.sum.Node == roster.Nobody || x.sum.Node == w.of.Instance() {
		return ""
	}
	return x.sum.Node
}
