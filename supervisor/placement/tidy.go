package placement

import (
	"errors"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"go.uber.org/zap"
)

const (
	tidyEvery = 6 * time.Hour
	keptAside = 24 * time.Hour // until then it can mend a Core that has lost its newest events
)

// tidier looks after what was set aside.
type tidier struct {
	*hand
	tidied time.Time
}

// tidy removes what was set aside and is of no use any more: logs of which Core has had all a day ago, and ends of logs of sessions that were deleted since.
func (t *tidier) tidy(now time.Time) {
	if now.Sub(t.tidied) < tidyEvery {
		return
	}
	t.tidied = now
	ids, err := t.Logs.Shelved()
	if err != nil {
		t.cfg.Log.Warn("look at what was set aside", zap.Error(err))
		return
	}
	gone := t.deleted(ids)
	for _, id := range ids {
		names, err := t.Logs.Asides(id)
		for _, name := range names {
			a, ok := folder.ParseAside(name)
			if ok && now.Sub(a.At) >= keptAside && (a.Why == folder.Moved || gone[id]) {
				err = errors.Join(err, t.Logs.RemoveAside(id, name))
			}
		}
		if err != nil {
			t.cfg.Log.Warn("remove what was set aside", zap.String("session", id), zap.Error(err))
		}
	}
}

// deleted says which of the sessions there are no more, here or in Core.
func (t *tidier) deleted(ids []string) map[string]bool {
	gone := map[string]bool{}
	for some := range slices.Chunk(ids, askedOnce) {
		ctx, cancel := t.call()
		at, err := t.core.Positions(ctx, some)
		cancel()
		if err != nil {
			return gone
		}
		for n, id := range some {
			gone[id] = at[n].Session == "" && !t.Knows(id)
		}
	}
	return gone
}
