package placement

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
)

const (
	sendTime = 30 * time.Second // in which Core has all that a sealed session has said
	// archiveTime is how long a session waits for its native lines: those that are not put by then are put of what was set aside.
	archiveTime = 10 * time.Second
)

var errUnsent = errors.New("its log is not all in Core yet")

// give seals a family, has Core have all of it, and sets its folders aside. What fails before that stays as it was, and so does all of it where the node joins
// meanwhile: it may be another life's by then.
func (g *giver) give(d *drain, family []Here) error {
	if !g.is(d) {
		return nil
	}
	err := g.sealAll(family)
	if err != nil || !g.is(d) {
		g.unseal(family)
		return err
	}
	failpoint.Hit("placement/sealed")
	newest := map[string]uint64{}
	for _, s := range family {
		newest[s.ID] = g.Newest(s.ID).Seq
	}
	gone := map[string]uint64{}
	defer func() { // at once: else a child may be claimed without the session that it works for
		g.mu.Lock()
		defer g.mu.Unlock()
		for id, head := range gone {
			g.given[id] = head
		}
	}()
	for n, s := range slices.Backward(family) {
		if err := g.withdraw(s.ID, aside(folder.Moved)); err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				g.mu.Lock()
				g.parted[s.ID] = newest[s.ID]
				g.mu.Unlock()
			}
			g.unseal(family[:n+1])
			return err
		}
		gone[s.ID] = newest[s.ID]
		g.Moved(s.ID)
	}
	failpoint.Hit("placement/withdrawn")
	return nil
}

// sealAll seals a family, and returns when Core has all that it has said.
func (g *giver) sealAll(family []Here) error {
	ctx, cancel := context.WithTimeout(g.ctx, sealTime+sendTime)
	defer cancel()
	errs := make([]error, len(family))
	var wg sync.WaitGroup
	for n := range family {
		wg.Go(func() { errs[n] = g.seal(ctx, family[n].ID) }) // ends with ctx
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (g *giver) seal(ctx context.Context, id string) error {
	if err := g.Sessions.Seal(ctx, id); err != nil {
		return err
	}
	if !g.InCore(ctx, id, g.Newest(id).Seq) {
		return errUnsent
	}
	if g.Archived != nil {
		ctx, cancel := context.WithTimeout(ctx, archiveTime)
		defer cancel()
		g.Archived(ctx, id)
	}
	return nil
}

func (g *giver) unseal(family []Here) {
	for _, s := range family {
		g.Sessions.Unseal(s.ID)
	}
}
