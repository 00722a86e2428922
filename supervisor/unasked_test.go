package supervisor_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// begun gives the sessions of which a daemon after the first has started an agent.
func (c *count) begun() (ids []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for marker := range c.markers {
		if !strings.HasSuffix(marker, "/1") {
			ids = append(ids, strings.Split(marker, "/")[1])
		}
	}
	return ids
}

// second sends the prompt that waits behind a crowd's first one, or sends it again.
func (d *daemon) second(id string) {
	d.t.Helper()
	_, err := session.Ask(d.t.Context(), d.find(id), &session.SendPrompt{Prompt: session.NewPrompt{Text: "second"}, IdempotencyKey: "second"})
	if err != nil {
		d.t.Fatal(err)
	}
}

// crowd is a daemon that has been started anew with sessions behind each of which a prompt waits.
func crowd(t *testing.T, sessions int, begin time.Duration) (d *daemon, ids []string, processes *count) {
	d = start(t, t.TempDir(), nil)
	for range sessions {
		s := d.create()
		r := d.prompt(s.ID, "first")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeEntryDelta)
		d.second(s.ID)
		ids = append(ids, s.ID)
	}
	d.close()
	processes = new(count)
	slowly(begin, 0, processes)(&d.cfg)
	d.start()
	return d, ids, processes
}

// waiting waits until agents have begun, and gives their sessions, and those of which the agents wait for their turn.
func waiting(t *testing.T, ids []string, processes *count, want int) (begun, waiting []string) {
	t.Helper()
	time.Sleep(100 * time.Millisecond)
	synctest.Wait()
	begun = processes.begun()
	waiting = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(begun, id) })
	if len(waiting) != want {
		t.Fatalf("%d agents wait for their turn", len(waiting))
	}
	return begun, waiting
}

// TestFewAgentsBeginUnasked: agents that begin since the daemon was started anew begin a few at a time, and those that somebody waits for beside them.
//
// Proves: I16.6/few-begin
func TestFewAgentsBeginUnasked(t *testing.T) {
	together := 2 * runtime.GOMAXPROCS(0)
	for name, c := range map[string]struct {
		begin time.Duration // that a process takes
		after []time.Duration
		want  []int // sessions of which an agent has begun by then
	}{
		"soon up": {500 * time.Millisecond, []time.Duration{250 * time.Millisecond, 750 * time.Millisecond, 1750 * time.Millisecond}, []int{1, 2, 3}},
		"hangs":   {20 * time.Second, []time.Duration{4900 * time.Millisecond, 5100 * time.Millisecond, 10100 * time.Millisecond}, []int{1, 2, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, ids, processes := crowd(t, 3*together-1, c.begin)
				defer d.close()
				began := time.Now()
				for n, at := range c.after {
					time.Sleep(time.Until(began.Add(at)))
					synctest.Wait()
					if has, want := len(processes.begun()), min(c.want[n]*together, len(ids)); has != want {
						t.Errorf("%d agents have begun after %v, want %d", has, at, want)
					}
					if n == 0 {
						was, _ := processes.read()
						asked := d.create()
						synctest.Wait()
						if now, _ := processes.read(); now != was+1 {
							t.Error("an agent that somebody waits for does not begin at once")
						}
						defer d.sound(asked.ID)
					}
				}
				time.Sleep(time.Minute)
				for _, id := range ids {
					if sum, err := d.Look(t.Context(), id); err != nil || sum.Turns != 2 || sum.Status.State != protocol.StateIdle {
						t.Errorf("%+v, %v", sum, err)
					}
				}
			})
		})
	}
}

// TestPromptedWhileItWaits: a session that is prompted while its agent waits for its turn waits no longer, also where it has the prompt already; the others do.
//
// Proves: I16.6/few-begin
func TestPromptedWhileItWaits(t *testing.T) {
	together := 2 * runtime.GOMAXPROCS(0)
	synctest.Test(t, func(t *testing.T) {
		d, ids, processes := crowd(t, together+3, 900*time.Millisecond)
		defer d.close()
		begun, waiting := waiting(t, ids, processes, 3)
		d.prompt(begun[0], "third")
		d.prompt(waiting[1], "third")
		d.second(waiting[2])
		synctest.Wait()
		if now := processes.begun(); len(now) != together+2 || slices.Contains(now, waiting[0]) {
			t.Fatalf("%d agents have begun, want %d with those that were prompted", len(now), together+2)
		}
		time.Sleep(time.Minute)
		for _, id := range ids {
			want := 2
			if id == begun[0] || id == waiting[1] {
				want = 3
			}
			if sum, err := d.Look(t.Context(), id); err != nil || sum.Turns != want || sum.Status.State != protocol.StateIdle {
				t.Errorf("%+v, %v, want %d turns", sum, err, want)
			}
		}
	})
}

// TestStartThatNobodyWantsAnyMore: a session that is deleted, ended or given away while its agent waits for its turn does not wait for that, nor does a drain, and no
// process begins.
//
// Proves: I16.6/few-begin
func TestStartThatNobodyWantsAnyMore(t *testing.T) {
	together := 2 * runtime.GOMAXPROCS(0)
	for name, end := range map[string]func(d *daemon, id string){
		"deleted": func(d *daemon, id string) {
			if err := d.Delete(d.t.Context(), id); err != nil {
				d.t.Error(err)
			}
		},
		"given away": func(d *daemon, id string) {
			if err := supervisor.MovesOf(d.Supervisor).Seal(d.t.Context(), id); err != nil {
				d.t.Error(err)
			}
		},
		"ended": func(d *daemon, id string) { d.end(id) },
		"drain": func(d *daemon, _ string) { d.close() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, ids, processes := crowd(t, together+1, 900*time.Millisecond)
				defer d.close()
				_, waiting := waiting(t, ids, processes, 1)
				began := time.Now()
				end(d, waiting[0])
				if took := time.Since(began); name != "drain" && took > 0 {
					t.Errorf("took %v", took)
				}
				time.Sleep(10 * time.Second)
				if slices.Contains(processes.begun(), waiting[0]) {
					t.Error("an agent has begun that nobody wanted any more")
				}
			})
		})
	}
}
