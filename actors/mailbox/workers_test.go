package mailbox

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestWorkersDoEverythingOnce: whatever comes, however many at once, is done once; few workers wait for more, and they end.
func TestWorkersDoEverythingOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ws workers
		var done atomic.Int64
		var senders sync.WaitGroup
		const each = 2000
		for range 8 {
			senders.Go(func() {
				for n := range each {
					ws.Schedule(func() { done.Add(1) })
					if n%100 == 0 {
						time.Sleep(idleTime) // of the bubble: workers end while others get work
					}
				}
			})
		}
		senders.Wait()
		synctest.Wait()
		if n := done.Load(); n != 8*each {
			t.Errorf("%d of %d were done", n, 8*each)
		}
		hold := make(chan struct{})
		for range 3 * maxIdle {
			ws.Schedule(func() { <-hold })
		}
		synctest.Wait()
		close(hold)
		synctest.Wait()
		if n := ws.waiting(); n != maxIdle {
			t.Errorf("%d workers wait, want %d", n, maxIdle)
		}
		time.Sleep(idleTime)
		synctest.Wait()
		if n := ws.waiting(); n != 0 {
			t.Errorf("%d workers wait after their time", n)
		}
	}) // which also wants that no goroutine is left
}

// TestWorkersAreUsedAgain: one message at a time is worked on by one goroutine, whose stack has grown once.
func TestWorkersAreUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ws workers
		seen := map[string]bool{}
		for range 100 {
			ws.Schedule(func() {
				stack := make([]byte, 64)
				name, _, _ := strings.Cut(string(stack[:runtime.Stack(stack, false)]), "[") // goroutine N
				seen[name] = true
			})
			synctest.Wait()
		}
		if len(seen) != 1 {
			t.Errorf("%d goroutines worked on 100 messages that came one after another", len(seen))
		}
		ws.end()
		synctest.Wait()
		ws.Schedule(func() { clear(seen) })
		synctest.Wait()
		if len(seen) != 0 || ws.waiting() != 0 {
			t.Errorf("after the end: %d workers wait", ws.waiting())
		}
	})
}

func (ws *workers) waiting() int {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return len(ws.idle)
}
