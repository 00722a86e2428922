package shipper

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"go.uber.org/zap"
)

// find asks for the logs that nobody has shown.
func (t *talk) find(ctx context.Context, items []*item) {
	for _, i := range items {
		if i.gone || i.log != nil {
			continue
		}
		log, shown, err := t.cfg.Find(ctx, i.id)
		if err != nil {
			t.unread(i, err)
			continue
		}
		i.log, i.shown = log, shown
	}
}

// learn asks where Core stands, and takes the sessions that are this node's.
func (t *talk) learn(ctx context.Context, items []*item) error {
	var ask []*item
	var ids []string
	for _, i := range items {
		if !i.known && i.problem == nil {
			ask, ids = append(ask, i), append(ids, i.id)
		}
	}
	if len(ask) == 0 {
		return nil
	}
	found, err := t.core.Positions(ctx, ids)
	if err != nil {
		return err
	}
	var take []*item
	var records []core.Record
	for n, i := range ask {
		i.stands(found[n])
		switch t.standing(i) {
		case mine:
			i.known = true
		case unknown, regain:
			if i.gone && i.at.Session == "" {
				i.known = true
				continue
			}
			if r, ok := t.recordOf(i); ok {
				if r.Claimed = t.claimed(i); i.at.Session != "" && i.at.Owner.Node != t.owner.Node {
					t.count(func(c *State) { c.WentBack++ })
					t.Doubt()
					t.cfg.Log.Warn("Core has forgotten that this node has a session", zap.String("session", i.id), zap.String("node", i.at.Owner.Node))
				}
				take, records = append(take, i), append(records, r)
			} else if i.log != nil && !t.isGone(i) {
				t.trouble(i, problemUnrecorded)
			}
		case fenced, follow:
		}
	}
	if len(take) == 0 {
		return nil
	}
	if found, err = t.core.Take(ctx, t.owner, records); err != nil {
		return err
	}
	for n, i := range take {
		i.stands(found[n])
		switch t.standing(i) {
		case mine:
			i.known, i.record = true, nil // Take has told it
		case unknown, regain: // Core takes nothing of this life
			t.trouble(i, problemFollowed)
		case fenced, follow:
		}
	}
	return nil
}

// stands takes over where Core stands. What was found out of another newest line does not hold for this one: Core may have gone back.
func (i *item) stands(at core.Position) {
	if at.Head != i.at.Head || at.Epoch != i.at.Epoch {
		i.checked = false
	}
	i.at = at
}

// recordOf is what Core is told of a session when it is taken: the newest that was told, which the disk may not have yet.
func (t *talk) recordOf(i *item) (core.Record, bool) {
	if i.gone { // a lease is needed to remove it, and nothing else
		return core.Record{Session: i.id, Root: i.id}, true
	}
	if i.log == nil {
		return core.Record{}, false
	}
	var r core.Record
	if i.record != nil {
		r = i.record()
	} else if kept, ok := t.cfg.Record(i.id); ok {
		r = kept
	} else {
		return r, false
	}
	if oldest, _ := i.log.Bounds(); oldest > 1 {
		r.First = oldest
	}
	if e := i.log.Epochs(); len(e) > 0 {
		r.Epoch = e[0].Epoch
	}
	return r, true
}

// check holds Core's newest line of a log against the log's, once in a daemon's life: the epochs cannot tell that a data folder has come out of a backup.
func (t *talk) check(ctx context.Context, items []*item) error {
	for _, i := range items {
		if i.checked || !i.known || i.gone || i.problem != nil || i.log == nil {
			continue
		}
		if oldest, _ := i.log.Bounds(); i.at.Head == 0 || i.at.Head < oldest {
			i.checked = true
			continue
		}
		if n := compare(i.at, i.log, i.shown); n.Problem != nil || n.Cut.First > 0 {
			continue // what Core has there is not the log's
		}
		theirs, err := t.newest(ctx, i.at)
		if without := new(*core.ColdError); errors.As(err, without) {
			i.checked = true // a cut that this node has told has gone through the segment
			continue
		}
		if err != nil {
			return err
		}
		ours, err := lines(i.log, i.at.Head)
		if err != nil {
			t.unread(i, err)
			continue
		}
		if !bytes.Equal(ours, theirs) {
			t.trouble(i, stuck(KindDiffers, "event %d is not the one that Core has: the data folder may have come out of a backup", i.at.Head).Problem)
			continue
		}
		i.checked = true
	}
	return nil
}

// newest reads Core's newest line.
func (t *talk) newest(ctx context.Context, p core.Position) (line []byte, err error) {
	for stretch, err := range t.core.Stretches(ctx, p.Session, p.Head-1, p.Head) {
		if err != nil {
			return nil, err
		}
		line = append(line, stretch.Lines...)
	}
	return line, nil
}

// lines reads one event.
func lines(log Log, seq uint64) ([]byte, error) {
	r, err := log.Range(seq-1, seq)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
