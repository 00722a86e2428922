package mirror

import (
	"context"
	"errors"
	"time"
)

// How long a node is let alone that did not tell of a session.
const (
	feedAgain  = 250 * time.Millisecond // doubled with each failure
	feedSeldom = 5 * time.Second
)

// feed has the session's node feed the mirror, where somebody reads and none does.
func (k *keeper) feed() {
	now := k.cfg.Now()
	if k.cfg.Owner == nil || k.log == nil || len(k.readers) == 0 || k.feeding != nil || k.over == k.log.end() {
		return
	}
	node := k.cfg.Owner.Node()
	if node == "" || node == k.left && now.Before(k.again) {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &feed{of: k.log, node: node, end: cancel, taken: make(chan error, 1)}
	k.feeding = f
	owner, self := k.cfg.Owner, k.mirror
	since := k.log.end()
	go func() { // ends with the node's stream, or by unfeed
		err := owner.Follow(ctx, node, since, func(n *News) error {
			self.own.Send(&fed{by: f, news: n})
			select {
			case err := <-f.taken:
				return err
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
		self.own.Send(&unfed{by: f, err: err})
	}()
}

// takeFed shows what has come from the session's node.
func (k *keeper) takeFed(m *fed) {
	if m.by != k.feeding {
		m.by.taken <- errNoMore
		return
	}
	m.by.taken <- k.showFed(m.by, m.news)
}

func (k *keeper) showFed(f *feed, n *News) error {
	k.mirror.news.Store(k.cfg.Now().UnixMilli())
	if !f.told {
		f.told, k.failed = true, 0
		k.mirror.node.Store(&f.node)
		k.log.tail.Store(&tail{owner: k.cfg.Owner, node: f.node, epoch: k.log.epoch})
	}
	if n.Count > 0 {
		if n.Epoch != k.log.epoch || !k.append(n.First, n.Count, n.Lines) { // which events another epoch has Core tells
			return errNoMore
		}
		f.shown = true
	}
	if n.Overflow != nil {
		k.ring.Overflow(k.log.newest.Load(), n.Overflow)
	}
	return nil
}

// takeUnfed goes on with Core.
func (k *keeper) takeUnfed(m *unfed) {
	if k.feeding == nil || m.by != nil && m.by != k.feeding {
		return
	}
	f := k.feeding
	k.unfeed()
	k.left, k.again = f.node, k.cfg.Now()
	switch {
	case errors.Is(m.err, ErrOver):
		k.over, k.failed = k.log.end(), 0
		k.rest()
	case m.err == nil && f.shown: // the session is over, or has moved, or its node closes: which, it says at once
	default:
		k.again = k.again.Add(min(feedAgain<<min(k.failed, 10), feedSeldom))
		k.failed++
	}
	if k.log != nil {
		k.forget()
		k.feed()
	}
}
