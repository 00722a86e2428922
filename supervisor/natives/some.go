package natives

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/segment"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"go.uber.org/zap"
)

// all goes through what was noted. isLeft: of some it is to be tried again.
func (n *Natives) all() (isLeft bool, err error) {
	var left []string
	for err == nil && n.ctx.Err() == nil {
		ids := n.next()
		if len(ids) == 0 {
			break
		}
		if n.take(n.ctx) != nil {
			break
		}
		ctx, cancel := context.WithTimeout(n.ctx, callTime)
		var some []string
		some, err = n.some(ctx, ids)
		left = append(left, some...)
		cancel()
		n.give()
	}
	n.note(left...)
	return len(left) > 0, err
}

// some puts what sessions have and Core has not. left are those of which not all is there; an error is one of Core's or of the store's. With the turn.
func (n *Natives) some(ctx context.Context, ids []string) (left []string, err error) {
	ids, left = n.apart(ids)
	if ids = n.withLines(ids); len(ids) == 0 {
		return left, nil
	}
	if err := n.open(ctx); err != nil {
		return append(left, ids...), err
	}
	upTo, err := n.core.ArchivedUpTo(ctx, n.cfg.Node, ids)
	if err != nil {
		return append(left, ids...), err
	}
	for i, id := range ids {
		done, err := n.put(ctx, id, upTo[i])
		switch {
		case isOfOne(err) || n.isGiven(id, err):
			n.cfg.Log.Warn("native lines of a session cannot be put into the object store", zap.String("session", id), zap.Error(err))
		case err != nil:
			return append(left, ids[i:]...), err
		case done:
			n.pauses.End(id)
		default:
			left = append(left, id)
		}
	}
	return left, nil
}

// apart takes those apart that are to be left alone still: of them nothing is read.
func (n *Natives) apart(ids []string) (now, later []string) {
	for _, id := range ids {
		if _, paused := n.pauses.Of(id); paused {
			later = append(later, id)
		} else {
			now = append(now, id)
		}
	}
	return now, later
}

// isGiven says that Core refuses what is of a session that is not here any more: a server of an earlier build takes native lines only of the node that has the
// session. All others are put.
func (n *Natives) isGiven(id string, err error) bool {
	var refused *core.AccessError
	return errors.As(err, &refused) && n.cfg.Epoch(id) == 0
}

// isOfOne says that an error is about one session, and keeps none of the others from being put.
func isOfOne(err error) bool {
	var unread *raw.Error
	var ofCore *core.RefusedError
	var ofStore *objects.RefusedError
	return errors.As(err, &unread) || errors.As(err, &ofCore) || errors.As(err, &ofStore) || errors.Is(err, segment.ErrLine)
}
