package access

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// Cluster is what knows of the nodes on a Core.
type Cluster interface {
	Nodes(ctx context.Context) ([]roster.Node, error)
	DrainNode(ctx context.Context, node string, wait time.Duration) (roster.Node, error)
	JoinNode(ctx context.Context, node string) (roster.Node, error)
	ForgetNode(ctx context.Context, node string) (roster.Node, error)
	TakeOver(ctx context.Context, id string) error
	Lost(ctx context.Context, id string) ([]roster.Lost, error)
	LostLines(ctx context.Context, id, name string) (io.ReadCloser, error)
}

// Nodes stands between every surface and the nodes on a Core.
type Nodes struct {
	gate *Gate
	of   Cluster // nil: there is no Core
}

// NewNodes makes one; of is nil where there is no Core.
func NewNodes(g *Gate, of Cluster) *Nodes { return &Nodes{g, of} }

// List gives the nodes on the same Core; none: there is no Core. They are nobody's: only a principal that may read everything sees them.
func (n *Nodes) List(ctx context.Context) ([]roster.Node, error) {
	p, err := asks(ctx)
	switch {
	case err != nil:
		return nil, err
	case !p.Everything():
		return nil, refuse(ctx, "This token may not read which nodes there are.", "Use a token of the scope admin or admin:ro.")
	case n.of == nil:
		return nil, nil // without a Core there are none
	}
	return n.of.Nodes(ctx)
}

// Drain has a node give its sessions away. It needs the scope admin.
func (n *Nodes) Drain(ctx context.Context, node string, wait time.Duration) (roster.Node, error) {
	if err := n.commands(ctx); err != nil {
		return roster.Node{}, err
	}
	return n.of.DrainNode(ctx, node, wait)
}

// Join has a node that drains take sessions again. It needs the scope admin.
func (n *Nodes) Join(ctx context.Context, node string) (roster.Node, error) {
	if err := n.commands(ctx); err != nil {
		return roster.Node{}, err
	}
	return n.of.JoinNode(ctx, node)
}

// Forget says that a node is gone for good. It needs the scope admin.
func (n *Nodes) Forget(ctx context.Context, node string) (roster.Node, error) {
	if err := n.commands(ctx); err != nil {
		return roster.Node{}, err
	}
	return n.of.ForgetNode(ctx, node)
}

// commands says whether a principal may say what becomes of nodes, and whether there are any.
func (n *Nodes) commands(ctx context.Context) error {
	if err := administers(ctx, "This token may not say what becomes of nodes."); err != nil {
		return err
	}
	return n.has()
}

// has says whether there is a Core.
func (n *Nodes) has() error {
	if n.of != nil {
		return nil
	}
	return protocol.NewProblem(protocol.CodeNotFound, "This daemon has no Core, and knows of no other node.",
		"Start it with --core, so that it shares one with others.")
}

// TakeOver has this node go on with a session of which the node is gone, for a principal that may change it.
func (n *Nodes) TakeOver(ctx context.Context, id string) error {
	if err := writes(ctx); err != nil {
		return err
	}
	if err := n.enter(ctx, id); err != nil {
		return err
	}
	return n.of.TakeOver(ctx, id)
}

// Lost gives the ends of a session's log that this node has, and another one went on without.
func (n *Nodes) Lost(ctx context.Context, id string) ([]roster.Lost, error) {
	if err := n.enter(ctx, id); err != nil {
		return nil, err
	}
	return n.of.Lost(ctx, id)
}

// LostLines opens one of them. The caller closes it.
func (n *Nodes) LostLines(ctx context.Context, id, name string) (io.ReadCloser, error) {
	if err := n.enter(ctx, id); err != nil {
		return nil, err
	}
	return n.of.LostLines(ctx, id, name)
}

// enter says whether the principal reaches a session, and whether there is a Core.
func (n *Nodes) enter(ctx context.Context, id string) error {
	if err := n.gate.enter(ctx, id); err != nil {
		return err
	}
	if err := n.has(); err != nil {
		_, there := n.gate.inner.Look(ctx, id)
		return cmp.Or(there, err) // of a session that is nowhere, that is said
	}
	return nil
}
