package robust

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

const (
	// dropPoint is in the middle of a removal of native lines. It is come to where sessions rest that have some, which is nowhere in the other lanes.
	dropPoint = "raw/midDrop"
	// restTime is how long a session of such a life is quiet until it is put away, and dropTime how long such a life may take.
	restTime = time.Second
	dropTime = 20 * time.Second
)

// rest has sessions come to rest whose native lines are more than is kept, until the daemon is to be killed.
func (y *yard) rest(ctx context.Context) error {
	defer time.AfterFunc(dropTime, y.late).Stop()
	for range 3 {
		id, err := y.create(ctx, "")
		if err != nil {
			return err
		}
		y.resting, y.ledgers[id] = append(y.resting, id), audit.NewLedger(id)
		if err := y.post(ctx, "/sessions/"+id+"/prompts", map[string]string{"text": "hello"}, nil); err != nil {
			return err
		}
	}
	for {
		if err := y.post(ctx, "/gc", map[string]int{"keepBytes": 1}, nil); err != nil {
			return err
		}
		if !pause(ctx, pollEvery) {
			return context.Cause(ctx)
		}
	}
}

// rested looks at sessions whose native lines were going, and ends them: their logs are whole, and of the native lines those that are left can be read.
func (y *yard) rested(ctx context.Context) error {
	for len(y.resting) > 0 {
		id := y.resting[0]
		if err := y.read(ctx, id); err != nil {
			return err
		}
		status, _, body, err := y.call(ctx, http.MethodGet, "/sessions/"+id+"/raw", "", nil)
		if err != nil {
			return err
		}
		if status != http.StatusOK {
			return y.broken(audit.ErrReliable, "the native lines of session %s: %d: %s", id, status, body)
		}
		if err := y.end(ctx, id); err != nil {
			return err
		}
		y.resting = y.resting[1:]
	}
	return nil
}

// late ends a life that did not come to its point.
func (y *yard) late() {
	y.overdue.Store(true)
	y.process.KillNow()
}

// flags of a life that ends at a point.
func flags(point string) []string {
	list := []string{"--keep-bytes", fmt.Sprint(keptBytes)}
	if point == dropPoint {
		list = append(list, "--idle-exit", restTime.String()) // its sessions at rest are put away as soon, and it is at work
	}
	return list
}
