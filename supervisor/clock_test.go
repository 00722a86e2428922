package supervisor_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// clock is a machine's clock that is set anew at every look, up to ten years away. What measures durations goes on undisturbed, as it
// does where an operator or a time server sets the clock.
type clock struct {
	mu    sync.Mutex
	r     *rand.Rand
	looks int
}

const tenYears = 10 * 365 * 24 * 3600

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	return set(time.Now(), c.r.Int64N(2*tenYears)-tenYears)
}

// set gives the time as a clock says it that was set by so many seconds: it differs in what it shows, and not in what measures
// durations. Package time has no way to say so; a bubble's time has no such part at all.
func set(t time.Time, seconds int64) time.Time {
	const shows = 1 << 63 // seconds since 1885 and nanoseconds; what measures durations is in the second word
	words := (*[2]uint64)(unsafe.Pointer(&t))
	measured := t.Sub(time.Unix(0, 0))
	words[0] = shows | uint64(t.Unix()+seconds-year1885)<<30 | uint64(t.Nanosecond())
	words[1] = uint64(measured)
	return t
}

var year1885 = time.Date(1885, 1, 1, 0, 0, 0, 0, time.UTC).Unix()

// TestSetClock: the helper does what it says.
func TestSetClock(t *testing.T) {
	now := time.Now().Round(0)
	for _, s := range []int64{tenYears, -tenYears, 1, -1} {
		a, b := set(now, 0), set(now.Add(time.Minute), s)
		if b.Sub(a) != time.Minute || b.Unix() != now.Unix()+60+s || b.Nanosecond() != now.Nanosecond() || b.Year() < 2000 {
			t.Fatalf("%v set by %d s is %v a minute later, and %v have passed", a, s, b, b.Sub(a))
		}
	}
}

// TestClockIsSet: however the clock is set, times in logs never decrease, also over a restart, and what has to happen after some time
// happens then (P12).
func TestClockIsSet(t *testing.T) {
	prompts := 3
	if thorough {
		prompts = 300
	}
	synctest.Test(t, func(t *testing.T) {
		c := &clock{r: rand.New(rand.NewPCG(1, 2))}
		const age = 10 * time.Minute
		d := start(t, t.TempDir(), func(cfg *supervisor.Config) { cfg.Now, cfg.PassiveAge, cfg.StallAfter = c.now, age, time.Minute })
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
		tally.Count("P12", "times that the clock was set", c.looks, "")
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
