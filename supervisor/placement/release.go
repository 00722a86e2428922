package placement

import (
	"context"
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"go.uber.org/zap"
)

// release gives to nobody what was given away.
func (g *giver) release(life core.Owner) error {
	g.mu.Lock()
	for id, head := range g.parted {
		if !g.Knows(id) { // it went behind the time that it had
			g.given[id] = head
			delete(g.parted, id)
		}
	}
	given := maps.Clone(g.given)
	g.mu.Unlock()
	for some := range slices.Chunk(slices.Collect(maps.Keys(given)), askedOnce) {
		if err := g.releaseSome(life, some, given); err != nil {
			return err
		}
	}
	return nil
}

func (g *giver) releaseSome(life core.Owner, ids []string, given map[string]uint64) error {
	ctx, cancel := g.call()
	defer cancel()
	at, err := g.core.Positions(ctx, ids)
	if err != nil {
		return err
	}
	var handed []core.Handed
	later := map[string]bool{}
	for n, p := range at {
		if p.Session != "" && p.Owner.Node == life.Node && p.Owner != life { // it was not taken in this life
			if p, err = g.regain(ctx, life, ids[n]); err != nil {
				return err
			}
		}
		switch {
		case p.Owner == life:
			handed = append(handed, core.Handed{Session: ids[n], Lease: p.Lease, Head: given[ids[n]]})
		case p.Session != "" && p.Owner.Node == life.Node: // another life has begun meanwhile, which releases it
			later[ids[n]] = true
		}
	}
	var answers []core.Answer
	if len(handed) > 0 {
		if answers, err = g.core.Release(ctx, life, handed); err != nil {
			return err
		}
	}
	for n, a := range answers {
		switch id := handed[n].Session; {
		case a.Taken || a.At.Owner != life:
		case a.At.Head < handed[n].Head: // Core went back since it had all: readers have seen what it lacks, which is an epoch
			g.cfg.Log.Error("Core has lost events of a session that was given away: it comes back; the folder that was set aside has them",
				zap.String("session", id), zap.Uint64("had", handed[n].Head), zap.Uint64("has", a.At.Head))
			g.back(a.At)
		default:
			later[id] = true
		}
	}
	for _, id := range ids {
		if !later[id] {
			g.mu.Lock()
			delete(g.given, id)
			g.mu.Unlock()
			g.Moved(id)
		}
	}
	return nil
}

// regain takes a session that an earlier life of the node has had.
func (g *giver) regain(ctx context.Context, life core.Owner, id string) (core.Position, error) {
	_, r, ok, err := g.core.Session(ctx, id)
	if err != nil || !ok {
		return core.Position{}, err
	}
	at, err := g.core.Take(ctx, life, []core.Record{r})
	if err != nil {
		return core.Position{}, err
	}
	return at[0], nil
}
