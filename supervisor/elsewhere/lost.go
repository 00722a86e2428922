package elsewhere

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// Lost gives the ends of a session's log that this node has had, and that are not in the log.
func (c *Cluster) Lost(ctx context.Context, id string) (list []roster.Lost, err error) {
	if _, err := c.of.Look(ctx, id); err != nil {
		return nil, err
	}
	if c.Shelf == nil {
		return nil, nil
	}
	names, err := c.Shelf.Asides(id)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	epochs, head, err := c.inCore(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		aside, ok := folder.ParseAside(name)
		if !ok || aside.Why != folder.Lost {
			continue
		}
		log, err := c.Shelf.Aside(id, name)
		var damaged *store.DamageError
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.As(err, &damaged): // a folder in which there was no log
			continue
		case err != nil:
			return nil, err
		}
		if one, ok := lostOf(log, epochs, head); ok {
			one.Name, one.At = name, aside.At
			list = append(list, one)
		}
	}
	return list, nil
}

// lostOf says which events of a log are no part of that in Core, which has those epochs and that newest event; false: none.
func lostOf(log store.Log, epochs protocol.Epochs, head uint64) (roster.Lost, bool) {
	oldest, newest := log.Bounds()
	first := head + 1
	if later, ok := epochs.After(log.Epoch()); ok {
		first = later.First
	}
	first = max(first, oldest)
	return roster.Lost{Epoch: log.Epoch(), First: first, Last: newest}, first <= newest
}

// inCore gives the epochs of a session's log, and its newest event.
func (c *Cluster) inCore(ctx context.Context, id string) (protocol.Epochs, uint64, error) {
	core := c.of.reach.core.Load()
	if core == nil {
		return nil, 0, unreached("lost")
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	epochs, err := (*core).Epochs(ctx, id)
	if err != nil {
		return nil, 0, mirror.Problem(err)
	}
	at, err := (*core).Positions(ctx, []string{id})
	if err != nil {
		return nil, 0, mirror.Problem(err)
	}
	return epochs, at[0].Head, nil
}

// LostLines opens the lines of one of them. The caller closes it.
func (c *Cluster) LostLines(ctx context.Context, id, name string) (io.ReadCloser, error) {
	list, err := c.Lost(ctx, id)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Name != name {
			continue
		}
		log, err := c.Shelf.Aside(id, name)
		if err != nil {
			return nil, err
		}
		return log.Range(list[i].First-1, list[i].Last)
	}
	return nil, protocol.NewProblem(protocol.CodeNotFound, "There is no such end of the session's log here.", "listLost has those that there are.")
}
