package elsewhere

import (
	"context"
	"iter"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"go.uber.org/zap"
)

const (
	// pieceTime is for how long a look reads of all of the list: what is followed waits meanwhile, and what is new.
	pieceTime = time.Second
	// wholeTime is for how long all of it may be read: Core knows for a day what was removed, and the reading that was begun before does not.
	wholeTime = 12 * time.Hour
)

// reading is one of all of the list. It goes on over many looks, however long it takes.
type reading struct {
	begun time.Time
	from  time.Time       // of Core's clock: all that was changed before was read
	there map[string]bool // sessions that were read
}

// list takes what has changed in Core's list, or goes on to read all of it.
func (f *follower) list(c core.Core, now time.Time) error {
	if f.all != nil && now.Sub(f.all.begun) >= wholeTime {
		f.all = nil
	}
	isDue := f.whole.IsZero() || f.isLookedAt(now) && now.Sub(f.whole) >= wholeEvery
	if f.all == nil && f.missed.Swap(false) {
		f.whole, isDue = time.Time{}, true
	}
	if f.all == nil && isDue {
		f.all = &reading{begun: now, there: map[string]bool{}}
		f.known.anew()
	}
	if f.all == nil {
		return f.readNews(c)
	}
	if !f.whole.IsZero() { // it may be a long time until the reading comes to what is new
		if err := f.readNews(c); err != nil {
			return err
		}
	}
	isWhole, err := f.readOn(c)
	if isWhole {
		f.readAll()
	}
	return err
}

// lacks says that there are sessions that the list may not have.
func (f *follower) lacks() bool { return f.whole.IsZero() || f.known.isCrowded() }

// readNews takes what has changed since the latest change that is known. Where that is more than a look has time for, all is read.
func (f *follower) readNews(c core.Core) error {
	begun, latest := f.cfg.Now(), f.latest
	for change, err := range f.changes(c, latest.Add(-late)) {
		switch {
		case err != nil:
			return err
		case f.cfg.Now().Sub(begun) >= callTime:
			f.missed.Store(true)
			return nil
		case change.At.After(latest):
			latest = change.At
		}
		f.takeBeside(&change)
	}
	f.latest = latest // not before: those that are gone are told last
	return nil
}

// takeBeside takes a change that is in none of the pieces of all of the list: they may have passed its moment before it could be seen.
func (f *follower) takeBeside(c *core.Change) {
	if f.all != nil && !c.Gone {
		f.all.there[c.Position.Session] = true
	}
	f.take(c)
}

// listAgain takes the sessions that retention has taken from this node: nothing of them has changed in Core.
func (f *follower) listAgain(c core.Core) error {
	for {
		select {
		case id := <-f.retired:
			if err := f.takeNow(c, id); err != nil {
				f.missed.Store(true)
				return err
			}
		default:
			return nil
		}
	}
}

// takeNow takes a session as Core has it.
func (f *follower) takeNow(c core.Core, id string) error {
	ctx, cancel := context.WithTimeout(f.ctx, callTime)
	defer cancel()
	p, r, ok, err := c.Session(ctx, id)
	if err != nil || !ok {
		return err
	}
	f.takeBeside(&core.Change{Position: p, Record: r})
	return nil
}

// readOn reads a piece of all of the list, and says whether it was the last one. The next begins with the moment up to which this one came; it gets further,
// however many sessions have one moment.
func (f *follower) readOn(c core.Core) (isWhole bool, err error) {
	all, begun := f.all, f.cfg.Now()
	since := all.from
	for change, err := range f.changes(c, since) {
		if err != nil {
			return false, err
		}
		if change.Gone { // they come behind all that are there
			break
		}
		all.there[change.Position.Session] = true
		f.take(&change)
		if all.from = change.At; all.from.After(since) && f.cfg.Now().Sub(begun) >= pieceTime {
			return false, nil
		}
	}
	return true, nil
}

// readAll takes note that all of the list was read. What has changed since that was begun may be in no piece, and is read next.
func (f *follower) readAll() {
	all, now := f.all, f.cfg.Now()
	f.all = nil
	f.known.whole()
	f.forget(all.there)
	if f.whole.IsZero() {
		f.cfg.Log.Info("the list of other nodes' sessions is whole", zap.Int("sessions", len(all.there)), zap.Duration("took", now.Sub(all.begun)))
	}
	f.whole, f.latest = now, all.from.Add(-now.Sub(all.begun))
}

// changes goes through what has changed in Core since a moment. It takes as long as it takes, unless Core says nothing for a while.
func (f *follower) changes(c core.Core, since time.Time) iter.Seq2[core.Change, error] {
	return func(yield func(core.Change, error) bool) {
		ctx, cancel := context.WithCancelCause(f.ctx)
		defer cancel(nil)
		silent := time.AfterFunc(callTime, func() { cancel(context.DeadlineExceeded) })
		defer silent.Stop()
		for change, err := range c.Changes(ctx, since) {
			silent.Reset(callTime)
			if why := context.Cause(ctx); err != nil && why != nil {
				err = &core.AwayError{Op: "changes", Err: why}
			}
			if !yield(change, err) || err != nil {
				return
			}
		}
	}
}
