package cored

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// merged follows sessions by a merged stream, and hands on the events that are meant.
func (w *world) merged(ctx context.Context, readers *sync.WaitGroup, query, meant string) <-chan arrival {
	w.t.Helper()
	answer, err := w.get(ctx, "/stream?"+query)
	if err != nil {
		w.t.Fatal(err)
	}
	came := make(chan arrival, 4096)
	readers.Go(func() {
		defer answer.Body.Close()
		frames := protocol.NewSSEReader(answer.Body, 0)
		for {
			last := frames.LastEventID()
			frame, err := frames.Next()
			if err != nil {
				return
			}
			if frame.ID != last && bytes.Contains(frame.Data, []byte(meant)) {
				came <- arrival{string(frame.Data), time.Now()}
			}
		}
	})
	return came
}

// TestMergedStreamFarIsAlmostAsNear measures how long an event takes to a merged stream at the session's node and at another one, in one run.
//
// Proves: I16.7/merged-latency
func TestMergedStreamFarIsAlmostAsNear(t *testing.T) {
	w := begin(t, peersFlags...)
	w.create()
	other := w.neighbour()
	id := w.ids[0]
	other.knows(id)
	ctx, cancel := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	defer readers.Wait()
	defer cancel()
	arrived := map[*world]<-chan arrival{}
	for _, at := range []*world{w, other} {
		arrived[at] = at.merged(ctx, &readers, "session="+id+":0", `"title"`)
	}
	took := map[*world][]time.Duration{}
	pace := time.NewTicker(4 * time.Millisecond) // what follows a write at once waits for it to be worth another one
	defer pace.Stop()
	for n := range 420 {
		<-pace.C
		title, begin := fmt.Sprintf(`"title":"again %d"`, n), time.Now()
		w.ask("PATCH", "/sessions/"+id, "{"+title+"}")
		for _, at := range []*world{w, other} {
			came := <-arrived[at]
			for !strings.Contains(came.line, title) {
				came = <-arrived[at]
			}
			if n >= 20 { // until then the mirror may not be fed yet
				took[at] = append(took[at], came.at.Sub(begin))
			}
		}
	}
	part := func(at *world, p int) time.Duration {
		slices.Sort(took[at])
		return took[at][len(took[at])*p/100]
	}
	near, far := part(w, 50), part(other, 50)
	t.Logf("an event on a merged stream: p50 %v here, %v at another node (%.2f); p99 %v and %v", near, far, float64(far)/float64(near), part(w, 99), part(other, 99))
	if isFar(near, far, 1.3) {
		t.Error("another node is far away")
	}
}
