package cold

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// Sweep deletes the objects that no row names and, since Core has given up their keys, none ever will. One that the store refuses to delete is kept in mind,
// and told in the end.
func (c *Compactor) Sweep(ctx context.Context) (deleted int, err error) {
	for {
		keys, err := c.Core.Garbage(ctx, objects.Page)
		if err != nil {
			return deleted, err
		}
		var gone []string
		var failed error
		for _, key := range keys {
			refused := new(*objects.RefusedError)
			switch err := c.Store.Delete(ctx, key); {
			case err == nil, objects.CheckKey(key) != nil: // what is no key names nothing
				gone = append(gone, key)
			case errors.As(err, refused):
				failed = cmp.Or(failed, fmt.Errorf("%s: %w", key, err))
			default:
				return deleted, err
			}
		}
		failpoint.Hit("cold/afterDelete")
		if err := c.Core.Deleted(ctx, gone); err != nil {
			return deleted, err
		}
		if deleted += len(gone); len(keys) < objects.Page || len(gone) == 0 {
			return deleted, failed
		}
	}
}

// Strays goes through all objects of sessions in the store, and gives those that are a day old by the store's clock, and of which Core knows nothing: it has
// gone back behind their making. They must not be deleted by a program alone: a Core that came out of a backup, or is another one than the store's, knows
// nothing of what another still names. An error ends it.
func (c *Compactor) Strays(ctx context.Context) iter.Seq2[objects.Info, error] {
	return func(yield func(objects.Info, error) bool) {
		now, err := c.now(ctx)
		if err != nil {
			yield(objects.Info{}, err)
			return
		}
		var some []objects.Info
		for info, err := range c.Store.List(ctx, objects.Sessions, "") {
			if err != nil {
				yield(objects.Info{}, err)
				return
			}
			if now.Sub(info.Modified) < core.Forsaken {
				continue
			}
			if some = append(some, info); len(some) == objects.Page {
				if !c.strays(ctx, some, yield) {
					return
				}
				some = some[:0]
			}
		}
		c.strays(ctx, some, yield)
	}
}

// strays gives those of a page, and says whether to go on.
func (c *Compactor) strays(ctx context.Context, page []objects.Info, yield func(objects.Info, error) bool) bool {
	var keys []string
	for _, info := range page {
		keys = append(keys, info.Key)
	}
	unknown, err := c.Core.Strays(ctx, keys)
	if err != nil {
		yield(objects.Info{}, err)
		return false
	}
	for _, info := range page {
		if slices.Contains(unknown, info.Key) && !yield(info, nil) {
			return false
		}
	}
	return true
}

// now is the time by the store's clock: when it has taken something.
func (c *Compactor) now(ctx context.Context) (time.Time, error) {
	key := objects.ProbeKey(strings.ToLower(rand.Text()))
	if _, err := c.Store.Put(ctx, key, objects.Bytes([]byte("now"))); err != nil {
		return time.Time{}, err
	}
	info, err := c.Store.Stat(ctx, key)
	return info.Modified, errors.Join(err, c.Store.Delete(ctx, key))
}
