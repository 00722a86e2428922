package feed

import (
	"container/list"
	"context"
	"sync"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Views remembers folds of logs. An item follows from all events up to it (spec §8), so a poll in the middle of a log needs
// the fold up to there: it goes on from the nearest remembered one before, which a client that polls on leaves behind itself.
type Views struct {
	mu    sync.Mutex
	byLog map[logKey]*list.Element
	order *list.List // of *logViews, the last used in front
}

type logKey struct {
	id    string
	epoch uint64
}

// logViews are the folds of one log, in the order in which they were made.
type logViews struct {
	key  logKey
	list []view
}

type view struct {
	seq   uint64
	items *protocol.Items // never changed
}

// Bounds of what is remembered. A fold holds the open entries of a log: mostly a few kilobytes.
const (
	maxViewedLogs = 512
	maxLogViews   = 8
	viewEvery     = 64 // events: a fold that costs less is made again
)

// NewViews remembers nothing yet.
func NewViews() *Views {
	return &Views{byLog: map[logKey]*list.Element{}, order: list.New()}
}

// Keep remembers a fold; items must not be changed any more.
func (v *Views) Keep(id string, epoch, seq uint64, items *protocol.Items) {
	key := logKey{id, epoch}
	v.mu.Lock()
	defer v.mu.Unlock()
	e := v.byLog[key]
	if e == nil {
		e = v.order.PushFront(&logViews{key: key})
		v.byLog[key] = e
		if v.order.Len() > maxViewedLogs {
			delete(v.byLog, v.order.Remove(v.order.Back()).(*logViews).key)
		}
	}
	l := e.Value.(*logViews)
	for _, x := range l.list {
		if x.seq == seq {
			return
		}
	}
	if len(l.list) == maxLogViews {
		l.list = append(l.list[:0:0], l.list[1:]...)
	}
	l.list = append(l.list, view{seq, items})
}

// before gives a copy of the newest remembered fold that ends at seq or before it; that of nothing where there is none.
func (v *Views) before(key logKey, seq uint64) (*protocol.Items, uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	var best view
	if e := v.byLog[key]; e != nil {
		v.order.MoveToFront(e)
		for _, x := range e.Value.(*logViews).list {
			if x.seq <= seq && x.seq > best.seq {
				best = x
			}
		}
	}
	if best.items == nil {
		return new(protocol.Items), 0
	}
	return best.items.Clone(), best.seq
}

// Fold gives the fold of a feed's log up to the event with seq at, and leaves the feed there.
func (v *Views) Fold(ctx context.Context, f *Feed, at uint64) (*protocol.Items, error) {
	key := logKey{f.ID, f.Epoch}
	items, from := v.before(key, at)
	f.At = from
	if from < at {
		if _, err := f.Read(ctx, func(e *protocol.Event) bool {
			if e.Seq <= at {
				items.Item(e)
			}
			return e.Seq < at
		}); err != nil {
			return nil, err
		}
	}
	f.At = at
	if at-from > viewEvery {
		v.Keep(f.ID, f.Epoch, at, items.Clone())
	}
	return items, nil
}
