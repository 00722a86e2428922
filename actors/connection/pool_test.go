package connection_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/connection"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestPlain: an agent with a process per session gets it as it is.
func TestPlain(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		env := []string{adapters.MarkerEnv + "=instance/s/1"}
		c, err := b.pool.Open(b.Context(), plain{}, adapters.Spec{Env: env}, b.machine)
		if err != nil || c != adapters.Conn(b.machine.started[0]) || b.machine.started[0].launch.Env[0] != env[0] {
			b.Fatalf("got %v, %v", c, err)
		}
		if _, err := b.pool.Open(b.Context(), plain{}, adapters.Spec{Endpoint: &adapters.Endpoint{URL: "http://localhost"}}, b.machine); err == nil {
			b.Error("a plain agent was attached to")
		}
		c.Stop(0)
	})
}

// TestShared: sessions of one name share a process, each hears its own lines, and the last one ends it.
// Proves: D4.2.runtime/shared
func TestShared(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		x, y, other := b.open("x", "one"), b.open("y", "one"), b.open("z", "two")
		own, alone := b.open("v", ""), b.open("w", "")
		if n := b.machine.starts(); n != 4 {
			b.Fatalf("%d processes", n)
		}
		p := b.machine.started[0]
		for i, want := range []string{"instance/connection/1", "instance/connection/2", "instance/v/1", "instance/w/1"} {
			if env := strings.Join(b.machine.started[i].launch.Env, " "); env != "A=1 "+adapters.MarkerEnv+"="+want {
				b.Errorf("process %d has %s", i+1, env)
			}
		}
		p.say("x 1", "y 2", "nobody 3", "x 4", "boo")
		b.is(x, "1|4", "")
		b.is(y, "2", "")
		b.is(other, "", "")
		if id, ok := x.Process(); !ok || id.PID != 7 {
			b.Errorf("process %+v", id)
		}
		if err := errors.Join(x.say("from x"), y.say("from\ny")); err != nil {
			b.Error(err)
		}
		synctest.Wait()
		if got, want := p.lines(), "hello\nx joins\ny joins\nx from x\ny from\ny y"; got != want {
			b.Errorf("the agent heard\n%s", got)
		}
		x.Stop(time.Second)
		b.is(x, "1|4", "ended, requested")
		if err := x.say("too late"); err == nil {
			b.Error("a session that has left spoke")
		}
		p.say("x 5", "y 6")
		b.is(x, "1|4", "ended, requested")
		b.is(y, "2|6", "")
		y.Stop(time.Second)
		b.is(y, "2|6", "ended, requested")
		if got := p.lines(); !strings.HasSuffix(got, "x leaves\ny leaves") {
			b.Errorf("the agent heard\n%s", got)
		}
		for _, c := range []*conn{other, own, alone} {
			b.is(c, "", "")
			c.Stop(time.Second)
			b.is(c, "", "ended, requested")
		}
	})
}

// remote is a hub that can be attached to.
type remote struct{ hub }

func (remote) Connect(ctx context.Context, s adapters.Spec, t adapters.Transport) (adapters.Conn, error) {
	return t.Start(ctx, adapters.Launch{Env: s.Env})
}

// TestPasswords: who has another password, or is not attached at all, does not come in on a connection that stands.
func TestPasswords(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		for i, e := range []*adapters.Endpoint{nil, {URL: "u", Password: "a"}, {URL: "u", Password: "b"}, {URL: "u", Password: "a"}} {
			c, err := b.pool.Open(b.Context(), remote{}, adapters.Spec{SessionID: "x", Model: "one", Endpoint: e}, b.machine)
			if err != nil {
				b.Fatal(err)
			}
			defer read(c).Stop(0)
			if want := min(i+1, 3); b.machine.starts() != want {
				b.Errorf("%d connections, want %d", b.machine.starts(), want)
			}
		}
	})
}

// TestStartIsShared: sessions that come while the agent starts wait for that start.
func TestStartIsShared(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		b.machine.gate = make(chan struct{})
		var wg sync.WaitGroup
		conns := make([]*conn, 5)
		for i := range conns {
			wg.Go(func() { conns[i] = b.open(string(rune('a'+i)), "one") })
		}
		synctest.Wait()
		close(b.machine.gate)
		wg.Wait()
		if n := b.machine.starts(); n != 1 {
			b.Fatalf("%d processes", n)
		}
		b.machine.started[0].say("c hi")
		b.is(conns[2], "hi", "")
		for _, c := range conns {
			c.Stop(time.Second)
		}
	})
}

// TestStartFails: a start that fails fails all who wait, and the next one starts again.
func TestStartFails(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		b.machine.gate, b.machine.failure = make(chan struct{}), errNoProgram
		var wg sync.WaitGroup
		errs := make([]error, 3)
		for i := range errs {
			wg.Go(func() {
				_, errs[i] = b.pool.Open(b.Context(), hub{}, adapters.Spec{SessionID: "x", Model: "one"}, b.machine)
			})
		}
		synctest.Wait()
		close(b.machine.gate)
		wg.Wait()
		for _, err := range errs {
			if !errors.Is(err, errNoProgram) {
				b.Errorf("got %v", err)
			}
		}
		b.machine.failure = nil
		x := b.open("x", "one")
		x.Stop(0)
		if n := b.machine.starts(); n != 2 {
			b.Errorf("%d starts", n)
		}
	})
}

// TestStartGivenUp: who gives up waiting does not take the start from the others; the last one does, and nothing is left then.
func TestStartGivenUp(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		b.machine.gate = make(chan struct{})
		open := func(ctx context.Context, session string) <-chan error {
			result := make(chan error, 1)
			go func() {
				c, err := b.pool.Open(ctx, hub{}, adapters.Spec{SessionID: session, Model: "one"}, b.machine)
				if err == nil {
					read(c).Stop(0)
				}
				result <- err
			}()
			synctest.Wait()
			return result
		}
		first, cancelFirst := context.WithCancel(b.Context())
		one, two := open(first, "x"), open(b.Context(), "y")
		cancelFirst()
		if err := <-one; !errors.Is(err, context.Canceled) {
			b.Errorf("got %v", err)
		}
		close(b.machine.gate)
		if err := <-two; err != nil {
			b.Error(err)
		}
		b.machine.gate = make(chan struct{})
		third, cancelThird := context.WithCancel(b.Context())
		three := open(third, "z")
		cancelThird()
		if err := <-three; !errors.Is(err, context.Canceled) {
			b.Errorf("got %v", err)
		}
		close(b.machine.gate)
		synctest.Wait()
		if n := b.machine.starts(); n != 1 {
			b.Errorf("%d processes", n)
		}
		b.open("v", "one").Stop(0)
	})
}

// slowStart is a machine whose start succeeds although it was given up.
type slowStart struct{ *machine }

func (s slowStart) Start(_ context.Context, l adapters.Launch) (adapters.Conn, error) {
	return s.machine.Start(context.Background(), l)
}

// TestStartComesTooLate: a process that starts when nobody waits any more is ended before Open returns.
func TestStartComesTooLate(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		b.machine.gate = make(chan struct{})
		ctx, cancel := context.WithCancel(b.Context())
		result := make(chan error, 1)
		go func() {
			_, err := b.pool.Open(ctx, hub{}, adapters.Spec{SessionID: "x", Model: "one"}, slowStart{b.machine})
			result <- err
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if len(result) > 0 {
			b.Error("it did not wait for the end of what it started")
		}
		close(b.machine.gate)
		if err := <-result; !errors.Is(err, context.Canceled) {
			b.Errorf("got %v", err)
		}
		if p := b.machine.started[0]; !p.over {
			b.Error("the process is left")
		}
	})
}

// TestNeverADyingOne: a session that comes while the last one leaves gets a new process, and the one that left waits for the
// end of the old.
func TestNeverADyingOne(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		x := b.open("x", "one")
		old := b.machine.started[0]
		old.stubborn = 2 * time.Second
		x.Stop(5 * time.Second)
		b.is(x, "", "")
		y := b.open("y", "one")
		if n := b.machine.starts(); n != 2 {
			b.Fatalf("%d processes", n)
		}
		b.is(x, "", "")
		time.Sleep(2 * time.Second)
		b.is(x, "", "ended, requested")
		b.machine.started[1].say("y hi")
		b.is(y, "hi", "")
		y.Stop(time.Second)
	})
}

// TestLost: the end of the process is the end of all, with how it ended; what it said before is heard first.
func TestLost(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		x, y := b.open("x", "one"), b.open("y", "one")
		p := b.machine.started[0]
		p.say("x last", "y words")
		p.end(adapters.Exit{Code: -1, Signal: "killed"})
		b.is(x, "last", "killed")
		b.is(y, "words", "killed")
		x.Stop(0) // of an actor that ends
		z := b.open("z", "one")
		if n := b.machine.starts(); n != 2 {
			b.Errorf("%d processes", n)
		}
		z.Stop(0)
	})
}

// TestDeadAtOnce: a process that ends before its session joins is no reason to wait for ever.
func TestDeadAtOnce(t *testing.T) {
	for _, name := range []string{"", "one"} {
		run(t, connection.Config{}, func(b *bench) {
			x := b.open("x", name)
			b.machine.started[0].end(adapters.Exit{Code: 3})
			b.is(x, "", "code 3")
			y := b.open("y", name)
			if n := b.machine.starts(); n != 2 {
				b.Errorf("%d processes", n)
			}
			y.Stop(0)
			b.is(y, "", "killed, requested")
		})
	}
}

// TestDeadBeforeJoining: a process that dies before its sessions have joined has died for each of them. It is not started again behind
// their backs, where nobody counts how often and nobody waits between.
func TestDeadBeforeJoining(t *testing.T) {
	for range 20 {
		run(t, connection.Config{}, func(b *bench) {
			b.machine.dead, b.machine.gate = true, make(chan struct{})
			conns := make([]*conn, 40)
			var open sync.WaitGroup
			for i := range conns {
				open.Go(func() { conns[i] = b.open(fmt.Sprint(i), "one") })
			}
			synctest.Wait()
			close(b.machine.gate)
			open.Wait()
			for _, c := range conns {
				b.is(c, "", "code 9")
			}
			if n := b.machine.starts(); n != 1 {
				b.Errorf("%d processes", n)
			}
		})
	}
}

// broken is a hub whose splitter fails at its first word.
type broken struct{ hub }

func (broken) Splitter(adapters.Spec) adapters.Splitter { return &failing{} }

type failing struct{ splitter }

func (*failing) Start(*adapters.Split) { panic("boom") }

// TestBrokenBeforeJoining: neither is one whose splitter has failed before.
func TestBrokenBeforeJoining(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		lane, err := b.pool.Open(b.Context(), broken{}, adapters.Spec{SessionID: "x", Model: "one"}, b.machine)
		if err != nil {
			b.Fatal(err)
		}
		b.is(read(lane), "", "the daemon's splitter failed on what was said")
		if n := b.machine.starts(); n != 1 {
			b.Errorf("%d processes", n)
		}
	})
}
