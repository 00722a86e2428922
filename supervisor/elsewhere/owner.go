package elsewhere

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// Through has mirrors be fed by the nodes that have their sessions. Without it Core alone tells of them.
func Through(e *Elsewhere, p Peers) { e.peers.Store(&p) }

// owner is the way to the nodes that have a session.
type owner struct {
	of    *Elsewhere
	entry *entry
}

func (o owner) Node() string {
	x := o.of.known.now(o.entry.at.Session, o.entry)
	if o.of.peers.Load() == nil || x.sum.Node == roster.Nobody || x.sum.Node == o.of.Instance() {
		return ""
	}
	return x.sum.Node
}

func (o owner) Follow(ctx context.Context, node string, since protocol.Cursor, take func(*mirror.News) error) error {
	return (*o.of.peers.Load()).Follow(ctx, node, o.entry.at.Session, since, take)
}

func (o owner) Lines(ctx context.Context, node string, since protocol.Cursor, upTo uint64) ([]byte, error) {
	return (*o.of.peers.Load()).Lines(ctx, node, o.entry.at.Session, since, upTo)
}
