package storms

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// silent is an agent that says nothing for ever.
type silent struct {
	out  *io.PipeReader
	say  *io.PipeWriter
	once sync.Once
}

func (a *silent) Output() io.Reader                 { return a.out }
func (a *silent) Input() io.WriteCloser             { return a }
func (a *silent) Process() (adapters.Process, bool) { return adapters.Process{}, false }
func (a *silent) Wait() adapters.Exit               { return adapters.Exit{Requested: true} }
func (*silent) EndOrphans(_, _ time.Time)           {}

func (a *silent) Stop(time.Duration)          { a.once.Do(func() { _ = a.say.Close() }) }
func (a *silent) Write(b []byte) (int, error) { return len(b), nil }
func (a *silent) Close() error                { return nil }

// silence starts silent agents.
type silence struct{}

func (silence) Start(context.Context, adapters.Launch) (adapters.Conn, error) {
	a := &silent{}
	a.out, a.say = io.Pipe()
	return a, nil
}

// there is Pi, without looking for a program.
type there struct{ pi.Agent }

func (there) Find(context.Context) adapters.Installation {
	return adapters.Installation{Program: "pi", Version: "1.5.2", Tested: true}
}

// TestJoinAndLeave: a million readers join a session, read, wait for what does not come, and leave: nothing of them is left (P17).
func TestJoinAndLeave(t *testing.T) {
	dir := t.TempDir()
	sup, err := supervisor.Start(t.Context(), supervisor.Config{
		Data: dir + "/data", Roots: []string{dir}, Agents: []adapters.Agent{there{}}, Transport: silence{},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sup.Create(t.Context(), supervisor.NewSession{Agent: "pi", Cwd: dir})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := sup.Find(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	cycle := func(i int) {
		r, err := ask.Ask(t.Context(), ref, func(r ask.Reply[*session.Reader]) session.Message { return &session.Join{Reply: r, Name: "cycle"} })
		if err != nil {
			t.Fatal(err)
		}
		head := r.Ring.Head()
		if frames, last, ok := r.Ring.Frames(head - 1); !ok || last != head || len(frames) == 0 {
			t.Fatalf("the ring gives %d bytes up to %d, %v", len(frames), last, ok)
		}
		if i%100 == 0 { // a reader that lags
			lines, err := store.LinesOf(r.Log, 0, head)
			if err != nil || !lines.Next() {
				t.Fatalf("the journal gives nothing: %v", err)
			}
			if err := lines.Close(); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := r.Ring.Wait(ctx, head); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		r.Leave()
	}
	for i := range 1000 {
		cycle(i)
	}
	goroutines, descriptors, heap := uses(t)
	for i := range size.cycles {
		cycle(i)
	}
	d, err := ask.Ask(t.Context(), ref, func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
	if err != nil {
		t.Fatal(err)
	}
	if err := eventually(t.Context(), 20*time.Second, func() error { // the actor's own goroutine ends when it has nothing to do
		if now := runtime.NumGoroutine(); now > goroutines {
			return fmt.Errorf("%d goroutines, before %d", now, goroutines)
		}
		return nil
	}); err != nil {
		t.Log(err)
	}
	nowGoroutines, nowDescriptors, nowHeap := uses(t)
	note(t, figures.Figure{Name: "readers that joined and left", Value: float64(size.cycles), Promise: "P17"}, true)
	count(t, "readers left behind", "P17", len(d.Readers))
	count(t, "goroutines left by readers", "P17", max(0, nowGoroutines-goroutines))
	count(t, "descriptors left by readers", "P17", max(0, nowDescriptors-descriptors))
	atMost(t, figures.Figure{Name: "heap left by readers", Value: float64(max(0, nowHeap-heap)) / 1024, Unit: "KiB", Promise: "P17"}, 64, 1024)
	if err := sup.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
}

// uses is what this process uses; -1 descriptors: they cannot be counted here.
func uses(t *testing.T) (goroutines, descriptors, heap int) {
	t.Helper()
	runtime.GC()
	runtime.GC() // the first one lets pools go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return runtime.NumGoroutine(), -1, int(m.HeapAlloc)
	}
	return runtime.NumGoroutine(), len(open), int(m.HeapAlloc)
}
