package robust

import (
	"context"
	"math/rand/v2"
	"os"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

const (
	folderKills = 50 // of one data folder: a long log would only slow the lane down
	drill       = 5  // kills of its recovery, one after the other, at the end of each folder
)

// tell is the story of one data folder. done says that nothing is left to be planned.
func tell(ctx context.Context, dir string, random *rand.Rand, p *plan, c *tally) (done bool, err error) {
	a, err := newArena(ctx, dir, random, p, c)
	if err != nil {
		return true, err
	}
	defer a.daemon.kill()
	point := "the last check"
	for n := range folderKills {
		k, more := p.next()
		if !more {
			done = true
			break
		}
		point = k.String()
		if err := a.end(ctx, k); err != nil {
			return true, run(point, a.files()).Fail(err)
		}
		if n == folderKills-1 {
			if err := a.drill(ctx); err != nil {
				return true, run("killed while it recovers, after "+point, a.files()).Fail(err)
			}
		}
	}
	if err := a.settle(ctx); err != nil {
		return true, run("the end of the folder, after "+point, a.files()).Fail(err)
	}
	for _, h := range a.told() {
		c.do(func() {
			for i := range h {
				if h[i].Kind == audit.Shown {
					c.shown++
				}
			}
		})
	}
	c.do(func() { c.visits += a.visitor.visits })
	return done, os.RemoveAll(dir)
}

// end brings the daemon to one end. A point that was not come to is tried again later, with whatever must come first.
func (a *arena) end(ctx context.Context, k kill) error {
	if k.first != "" {
		came, err := a.live(ctx, kill{point: k.first})
		if err != nil {
			return err
		}
		a.tally.killed(k.first, came)
	}
	came, err := a.live(ctx, k)
	if err != nil {
		return err
	}
	a.tally.killed(k.point, came && k.point != "")
	if !came {
		return a.plan.again(k)
	}
	return nil
}

// drill recovers several times, and each recovery is killed at a random moment.
func (a *arena) drill(ctx context.Context) error {
	for range drill {
		k := kill{boot: true, after: time.Duration(a.random.IntN(60)) * time.Millisecond}
		if _, err := a.live(ctx, k); err != nil {
			return err
		}
		a.tally.killed("", false)
	}
	return nil
}
