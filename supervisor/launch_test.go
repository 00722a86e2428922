package supervisor_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// slow is a transport whose processes take their time to begin and, behind their output, to end; it counts them.
type slow struct {
	scripted.Transport
	start, end time.Duration
	count      *count
}

type count struct {
	mu        sync.Mutex
	now, most int
	markers   map[string]int // of all that were started
}

// mark notes the marker of a launch.
func (c *count) mark(env []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.markers == nil {
		c.markers = map[string]int{}
	}
	for _, v := range env {
		if strings.HasPrefix(v, adapters.MarkerEnv+"=") {
			c.markers[v]++
		}
	}
}

// twice is a marker that two processes got; empty: none.
func (c *count) twice() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for m, n := range c.markers {
		if n > 1 {
			return m
		}
	}
	return ""
}

func (c *count) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += n
	c.most = max(c.most, c.now)
}

func (c *count) read() (now, most int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now, c.most
}

func (t slow) Start(ctx context.Context, l adapters.Launch) (adapters.Conn, error) {
	c, err := t.Transport.Start(ctx, l)
	if err == nil {
		t.count.add(1)
		t.count.mark(l.Env)
		time.Sleep(t.start) // of the bubble
		c = slowConn{c, t}
	}
	return c, err
}

type slowConn struct {
	adapters.Conn
	t slow
}

func (c slowConn) Wait() adapters.Exit {
	exit := c.Conn.Wait()
	time.Sleep(c.t.end) // of the bubble
	c.t.count.add(-1)
	return exit
}

func slowly(begin, end time.Duration, c *count) func(*supervisor.Config) {
	return func(cfg *supervisor.Config) {
		cfg.Transport = slow{cfg.Transport.(scripted.Transport), begin, end, c}
	}
}

func both(changes ...func(*supervisor.Config)) func(*supervisor.Config) {
	return func(c *supervisor.Config) {
		for _, change := range changes {
			change(c)
		}
	}
}

func panicOnce() func(string) error {
	var done atomic.Bool
	return func(string) error {
		if done.CompareAndSwap(false, true) {
			panic("as asked")
		}
		return nil
	}
}

func sendPrompt(text string) func(ask.Reply[session.Receipt]) session.Message {
	return func(r ask.Reply[session.Receipt]) session.Message {
		return &session.Asked[session.Receipt]{Reply: r, Question: &session.SendPrompt{Prompt: session.NewPrompt{Text: text}}}
	}
}

// TestNeverTwoProcesses: processes that take long to begin and to end, and a session whose actor fails while one begins, as
// it goes on, and as it ends. Two processes on one session of an agent would spoil it.
func TestNeverTwoProcesses(t *testing.T) {
	for name, when := range map[string]time.Duration{"beginning": time.Second, "at work": 3500 * time.Millisecond, "ending": 4500 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				processes := new(count)
				d, disk := faulty(t, slowly(2*time.Second, 3*time.Second, processes))
				defer func() {
					d.close()
					if now, _ := processes.read(); now != 0 {
						t.Errorf("%d processes are left", now)
					}
				}()
				s := d.create()
				time.AfterFunc(4*time.Second, func() { // the agent dies in a turn
					_, err := ask.Ask(t.Context(), d.find(s.ID), sendPrompt("x\n```script\n[{\"die\": {\"signal\": \"KILL\"}}]\n```"))
					if err != nil {
						t.Error(err)
					}
				})
				time.Sleep(when)
				disk.set(panicOnce())
				title := "fails"
				_, err := session.Ask(t.Context(), d.find(s.ID), &session.Change{Title: &title})
				if code(err) != protocol.CodeUnavailable {
					t.Fatal(err)
				}
				r := retry(d, s.ID, sendPrompt("hello"))
				time.Sleep(time.Minute)
				d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
				d.sound(s.ID)
				if now, most := processes.read(); now != 1 || most != 1 {
					t.Errorf("%d processes, at most %d together", now, most)
				}
				if h := d.Health(); h.Agents != 1 {
					t.Errorf("%+v", h)
				}
				if m := processes.twice(); m != "" {
					t.Errorf("an incarnation was used twice: %s", m)
				}
			})
		})
	}
}

// TestDeleteInEveryState leaves nothing.
func TestDeleteInEveryState(t *testing.T) {
	for name, after := range map[string]time.Duration{
		"beginning": time.Second, "idle": 3 * time.Second, "at work": 5 * time.Second, "being parked": 16*time.Minute + time.Second,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				processes := new(count)
				d := start(t, t.TempDir(), both(slowly(2*time.Second, 3*time.Second, processes)))
				s := d.create()
				time.AfterFunc(4500*time.Millisecond, func() {
					if name == "at work" {
						d.prompt(s.ID, "hello")
					}
				})
				time.Sleep(after)
				if err := d.Delete(t.Context(), s.ID); err != nil {
					t.Fatal(err)
				}
				if _, err := os.Stat(filepath.Join(d.cfg.Data, "sessions", s.ID)); !os.IsNotExist(err) {
					t.Errorf("the folder is still there: %v", err)
				}
				time.Sleep(20 * time.Second)
				if h := d.Health(); h.Sessions != 0 || h.Live != 0 || h.Agents != 0 {
					t.Errorf("%+v", h)
				}
				if now, most := processes.read(); now != 0 || most > 1 {
					t.Errorf("%d processes are left, at most %d together", now, most)
				}
				d.close()
			})
		})
	}
}

// TestDrainInEveryState ends within 10 s, with nothing left.
func TestDrainInEveryState(t *testing.T) {
	deaf := "x\n```script\n[{\"ignore\": {\"what\": [\"stdin\", \"term\"]}}, {\"stall\": {}}]\n```"
	for name, c := range map[string]struct {
		text  string
		after time.Duration
	}{
		"beginning": {"", time.Second},
		"idle":      {"", 3 * time.Second},
		"at work":   {"hello", 3 * time.Second},
		"deaf":      {deaf, 4 * time.Second},
		"in backoff": {
			"x\n```script\n[{\"die\": {\"signal\": \"KILL\"}}]\n```", 5*time.Second + 100*time.Millisecond,
		},
		"being parked": {"", 16*time.Minute + 100*time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				processes := new(count)
				d := start(t, t.TempDir(), slowly(2*time.Second, 2*time.Second, processes))
				s := d.create()
				if c.text != "" {
					time.AfterFunc(2500*time.Millisecond, func() { d.prompt(s.ID, c.text) })
				}
				time.Sleep(c.after)
				began := time.Now()
				if err := d.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took > 10*time.Second {
					t.Errorf("took %s", took)
				}
				if now, _ := processes.read(); now != 0 {
					t.Errorf("%d processes are left", now)
				}
				if err := d.Close(t.Context()); err != nil {
					t.Errorf("the second time: %v", err)
				}
				d.sound(s.ID)
				time.Sleep(2 * time.Second)
			})
		})
	}
}

// TestWhatWaitsIsTakenUpAfterADrain: prompts in the queue need nobody to ask for the session.
func TestWhatWaitsIsTakenUpAfterADrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		s := d.create()
		r := d.prompt(s.ID, "first")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeEntryDelta)
		d.prompt(s.ID, "second")
		d.close()
		d.start()
		defer d.close()
		time.Sleep(10 * time.Second)
		if sum, err := d.Look(t.Context(), s.ID); err != nil || sum.Turns != 2 || sum.Status.State != protocol.StateIdle {
			t.Fatalf("%+v, %v", sum, err)
		}
		d.sound(s.ID)
	})
}

// TestFindWhileASessionIsParked waits for the next actor: none that is about to end is given out.
func TestFindWhileASessionIsParked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), slowly(0, 3*time.Second, new(count)))
		defer d.close()
		s := d.create()
		for range 3 {
			time.Sleep(16*time.Minute + 100*time.Millisecond)
			r := d.prompt(s.ID, "hello")
			d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		}
		d.sound(s.ID)
	})
}

// TestAgentThatIsNotKnownAnyMore: the log is there, prompts are refused.
func TestAgentThatIsNotKnownAnyMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		s := d.create()
		d.close()
		agents := d.cfg.Agents
		d.cfg.Agents = nil
		d.start()
		_, err := ask.Ask(t.Context(), d.find(s.ID), sendPrompt("hello"))
		if code(err) != protocol.CodeAgentUnavailable {
			t.Errorf("%v", err)
		}
		d.close()
		d.cfg.Agents = agents
		d.start()
		defer d.close()
		r := d.prompt(s.ID, "hello")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
	})
}
