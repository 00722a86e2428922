package supervisor_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// hesitant is an agent whose program takes for ever to say its version, and a second to end when it is told to.
type hesitant struct {
	adapters.Agent
	running *atomic.Bool
}

func (h hesitant) Find(ctx context.Context) adapters.Installation {
	h.running.Store(true)
	<-ctx.Done()
	time.Sleep(time.Second) // of the bubble
	h.running.Store(false)
	return adapters.Installation{Problem: "gave no version"}
}

// TestCloseEndsTheSearch: programs that are asked for their version are processes, too: a daemon that has ended has left none.
func TestCloseEndsTheSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running atomic.Bool
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Agents = []adapters.Agent{hesitant{c.Agents[0], &running}} })
		synctest.Wait()
		if !running.Load() {
			t.Fatal("the agent is not looked for at the start")
		}
		from := time.Now()
		d.close()
		if running.Load() {
			t.Error("the daemon has ended, and the program it asked runs on")
		}
		if took := time.Since(from); took > 5*time.Second {
			t.Errorf("it was waited for for %v", took)
		}
	})
}

// TestAgentsTellWhatTheyOffer: what a session of an agent lets one choose is known for the next one; before that, nothing is.
func TestAgentsTellWhatTheyOffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		defer d.close()
		offered := func() session.Offers {
			t.Helper()
			list, err := d.Agents(t.Context())
			if err != nil || len(list) != 1 {
				t.Fatalf("%+v, %v", list, err)
			}
			return list[0].Offers
		}
		if o := offered(); o.KnownModels || len(o.Models) > 0 {
			t.Errorf("before any session: %+v", o)
		}
		d.create()
		synctest.Wait()
		if o := offered(); !o.KnownModels || len(o.Models) == 0 || o.Model != "" {
			t.Errorf("after one: %+v", o)
		}
	})
}

// slowing is an agent whose program says its version once, and then never in time.
type slowing struct {
	adapters.Agent
	asked *atomic.Int32
}

func (a slowing) Find(ctx context.Context) adapters.Installation {
	if a.asked.Add(1) == 1 {
		return a.Agent.Find(ctx)
	}
	<-ctx.Done()
	return adapters.Installation{Program: a.Agent.Find(context.WithoutCancel(ctx)).Program, Problem: "no answer in time", Late: true}
}

// TestBusyMachineTakesNoAgentAway: an agent that has worked can be used although its program does not say its version in time.
func TestBusyMachineTakesNoAgentAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Agents = []adapters.Agent{slowing{c.Agents[0], &asked}} })
		defer d.close()
		for range 2 {
			list, err := d.Agents(t.Context())
			if err != nil || len(list) != 1 || list[0].Installation.Problem != "" {
				t.Fatalf("%+v, %v", list, err)
			}
			time.Sleep(2 * time.Minute)
		}
		if asked.Load() != 2 {
			t.Fatalf("asked %d times", asked.Load())
		}
		d.create()
	})
}
