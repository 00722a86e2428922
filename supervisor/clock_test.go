package supervisor_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/scenarios/clock"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestClockIsSet: however the clock is set, times in logs never decrease, also over a restart, and what has to happen after some time
// happens then (P12).
// Proves: 002.3.3/ts
func TestClockIsSet(t *testing.T) {
	prompts := 3
	if thorough {
		prompts = 300
	}
	synctest.Test(t, func(t *testing.T) {
		c := clock.New(1)
		const age = 10 * time.Minute
		d := start(t, t.TempDir(), func(cfg *supervisor.Config) { cfg.Now, cfg.PassiveAge, cfg.StallAfter = c.Now, age, time.Minute })
		s := d.create()
		for n := range prompts {
			r := d.prompt(s.ID, "go\n```script\n"+`[{"say":{"text":"One."}},{"say":{"text":"Two.","every":"3m"}}]`+"\n```")
			begun := time.Now()
			at := d.until(s.ID, r.Cursor.Seq, protocol.TypeStatus)
			for !d.stalled(s.ID, at) {
				at = d.until(s.ID, at, protocol.TypeStatus)
			}
			if took := time.Since(begun); took < time.Minute || took > time.Minute+5*time.Second {
				t.Fatalf("prompt %d: stalled after %v", n, took)
			}
			d.until(s.ID, at, protocol.TypeTurnEnd)
			if n%10 == 0 {
				d.close()
				d.start()
			}
		}
		d.find(s.ID)
		begun := time.Now()
		for d.Health().Live > 0 && time.Since(begun) < time.Hour {
			time.Sleep(time.Second)
			synctest.Wait()
		}
		if took := time.Since(begun); took < age || took > age+2*time.Minute {
			t.Errorf("an idle session was put away after %v", took)
		}
		d.close()
		last, decreased, years := int64(0), 0, map[int]bool{}
		events := d.events(s.ID)
		for seq := uint64(1); ; seq++ {
			e, ok := events[seq]
			if !ok {
				break
			}
			if e.Time < last {
				decreased++
			}
			last = e.Time
			years[time.UnixMilli(e.Time).Year()] = true
		}
		if decreased > 0 || len(years) < 2 {
			t.Errorf("%d times decrease, the years are %v", decreased, years)
		}
		tally.Count("P12", "times that the clock was set", c.Looks(), "")
		tally.Count("P12", "decreasing times, early or late timers", decreased, "0")
	})
}

// stalled says that a session's event tells so.
func (d *daemon) stalled(id string, seq uint64) bool {
	r := d.reader(id)
	defer r.Leave()
	p, ok := d.log(r, seq-1)[0].Payload.(*protocol.Status)
	return ok && p.Stalled
}
