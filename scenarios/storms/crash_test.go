package storms

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// dying is a prompt whose agent leaves a process behind that wants to stay, and dies.
const dying = `[{"spawn": {"for": "10m", "stubborn": true}}, {"say": {"text": "about to"}}, {"die": {"code": 7}}]`

// maxCrashes is how often an agent may die without a completed turn; then its session has failed.
const maxCrashes = 6

// crashLoop makes a session whose agent dies with every prompt, and starts again after growing pauses, until the session has ended
// as failed. A brief one gives up before that.
func (d *daemon) crashLoop() error {
	id, crashes, end := d.create(), maxCrashes, "failed"
	if !size.full {
		crashes, end = 2, "idle"
	}
	for range crashes {
		d.mustPrompt(id, dying)
	}
	err := eventually(d.t.Context(), time.Minute, func() error {
		state, turns, err := d.state(d.t.Context(), id)
		if err == nil && (state != end || turns != crashes) {
			err = fmt.Errorf("session %s is %s after %d turns", id, state, turns)
		}
		return err
	})
	if err != nil {
		return err
	}
	log := string(d.must(http.MethodGet, "/sessions/"+id+"/log", nil))
	if got := strings.Count(log, `"status":"error","cause":"lost","error":"agent exited: exit status 7"`); got != crashes {
		return fmt.Errorf("session %s: %d turns ended in an error, not %d", id, got, crashes)
	}
	const why = `"error":"agent exited 6 times without a completed turn, last: exit status 7"`
	if crashes == maxCrashes && !strings.Contains(log, why) {
		return fmt.Errorf("session %s does not say %s", id, why)
	}
	d.delete(id)
	return nil
}

// crashLoops: agents that die again and again do not disturb their neighbours, end as failed and leave nothing (P15).
func crashLoops(t *testing.T, d *daemon) {
	base := d.mustVitals()
	ids := make([]string, size.crowd)
	for i := range ids {
		ids[i] = d.create()
	}
	for _, id := range ids {
		d.rests(id, 0, time.Minute)
	}
	probers := make([]*prober, min(20, len(ids)))
	for i := range probers {
		probers[i] = newProber(t, d, ids[i], 0)
	}
	before := turns(t, size.probes, probers...)

	var wg sync.WaitGroup
	var mu sync.Mutex
	loops, running := 0, size.crashing
	began := time.Now()
	for range size.crashing {
		wg.Go(func() {
			for { // one after the other, as whoever tries once more
				err := d.crashLoop()
				mu.Lock()
				if loops++; err != nil {
					t.Error(err)
				}
				over := err != nil || !size.full || time.Since(began) > time.Minute
				if over {
					running--
				}
				mu.Unlock()
				if over {
					return
				}
			}
		})
	}
	during := turnsUntil(t, size.probes, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return running == 0
	}, probers...)
	wg.Wait()
	after := turns(t, size.probes, probers...)

	note(t, figures.Figure{Name: "sessions beside crash loops", Value: float64(size.crowd), Promise: "P15"}, true)
	note(t, figures.Figure{Name: "crash loops", Value: float64(loops), Promise: "P15"}, true)
	ratio(t, "neighbours' p50 beside crash loops", "P15", during, append(before, after...), 0.5, 2, 3)
	ratio(t, "neighbours' p99 beside crash loops", "P15", during, append(before, after...), 0.99, 2, 4)
	for _, p := range probers {
		p.close()
	}
	d.delete(ids...)
	var left []int
	if err := eventually(t.Context(), 20*time.Second, func() error {
		if left = d.agents(); len(left) > 0 {
			return fmt.Errorf("processes left: %v", left)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	count(t, "processes left", "P15", len(left))
	d.returns(base, 20*time.Second)
}
