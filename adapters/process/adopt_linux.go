package process

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// strangeAfter is how long a dead child lies that no mark calls an orphan of an agent, before it is reaped: whoever waits for one of
// its own waits sooner.
const strangeAfter = 10 * time.Second

const canAdopt = true

// adopt begins to take in orphans and to reap them; nil: the system refuses it. With mu held.
func (h *household) adopt() (stop func()) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil
	}
	died := make(chan os.Signal, 1)
	signal.Notify(died, syscall.SIGCHLD)
	quit, over := make(chan struct{}), make(chan struct{})
	go func() { // ends with release
		defer close(over)
		h.reap(died, quit)
	}()
	return func() {
		signal.Stop(died)
		close(quit)
		<-over
	}
}

// reap waits for the adopted, when a child dies, and never for what somebody else waits for.
func (h *household) reap(died <-chan os.Signal, quit <-chan struct{}) {
	strange := map[id]time.Time{}
	again := time.NewTimer(strangeAfter)
	defer again.Stop()
	for {
		select {
		case <-died:
		case <-again.C:
		case <-quit:
			return
		}
		lying := map[id]time.Time{}
		now := time.Now()
		for _, f := range lineage() {
			mine := f.dead && h.adopted(f)
			since, known := strange[f.id()]
			switch {
			case !mine:
			case h.marked(f), h.saw(f), known && now.Sub(since) >= strangeAfter:
				_, _ = unix.Wait4(f.pid, nil, unix.WNOHANG, nil)
			case known:
				lying[f.id()] = since
			default:
				lying[f.id()] = now
			}
		}
		strange = lying
		again.Stop()
		if len(strange) > 0 {
			again.Reset(strangeAfter)
		}
	}
}
