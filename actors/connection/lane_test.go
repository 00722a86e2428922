package connection_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/connection"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// lazy opens a session that nobody reads.
func (b *bench) lazy(session, name string) adapters.Conn {
	b.Helper()
	c, err := b.pool.Open(b.Context(), hub{}, adapters.Spec{SessionID: session, Model: name}, b.machine)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// flood has the agent say n lines to a session, and reports when it could.
func flood(p *process, session string, n int) <-chan time.Duration {
	done, began := make(chan time.Duration, 1), time.Now()
	go func() {
		for range n {
			p.say(session + " " + strings.Repeat("x", 1000))
		}
		done <- time.Since(began)
	}()
	return done
}

// TestFallsBehind: a session that takes nothing holds the agent for a while, then it is let go and the others go on.
func TestFallsBehind(t *testing.T) {
	run(t, connection.Config{LaneBytes: 10_000}, func(b *bench) {
		slow, x := b.lazy("slow", "one"), b.open("x", "one")
		p := b.machine.started[0]
		done := flood(p, "slow", 50)
		synctest.Wait()
		if len(done) > 0 {
			b.Fatal("the agent was not held")
		}
		if took := <-done; took != 5*time.Second {
			b.Errorf("held for %v", took)
		}
		p.say("x still here")
		b.is(x, "still here", "")
		gone := read(slow)
		synctest.Wait()
		if n := len(gone.text); n != 10 || !strings.HasPrefix(gone.exit.Error, "fell behind: ") || gone.exit.Requested || gone.exit.Clean() {
			b.Errorf("%d lines, %+v", n, gone.exit)
		}
		if !strings.HasSuffix(p.lines(), "slow leaves") {
			b.Errorf("the agent heard\n%s", p.lines())
		}
		x.Stop(0)
	})
}

// TestAloneIsWaitedFor: a session that is alone harms nobody; one that is slow but goes on is not let go either.
func TestAloneIsWaitedFor(t *testing.T) {
	run(t, connection.Config{LaneBytes: 10_000}, func(b *bench) {
		alone := b.lazy("alone", "one")
		p := b.machine.started[0]
		done := flood(p, "alone", 50)
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(done) > 0 {
			b.Fatal("the agent was not held")
		}
		x := b.open("x", "one") // now there is somebody else
		buf := make([]byte, 1002)
		for range 39 { // a line every four seconds
			time.Sleep(4 * time.Second)
			if _, err := alone.Output().Read(buf); err != nil {
				b.Fatal(err)
			}
		}
		if took := <-done; took < time.Hour {
			b.Errorf("took %v", took)
		}
		b.is(x, "", "")
		read(alone)
		alone.Stop(0)
		x.Stop(0)
	})
}

// TestStopFreesTheReader: a session that is stopped while it holds the reader does so no more.
func TestStopFreesTheReader(t *testing.T) {
	run(t, connection.Config{LaneBytes: 10_000}, func(b *bench) {
		slow, x := b.lazy("slow", "one"), b.open("x", "one")
		done := flood(b.machine.started[0], "slow", 50)
		synctest.Wait()
		slow.Stop(time.Second)
		if took := <-done; took != 0 {
			b.Errorf("held for %v", took)
		}
		b.is(read(slow), strings.Repeat(strings.Repeat("x", 1000)+"|", 10)[:10*1001-1], "ended, requested")
		x.Stop(0)
	})
}

// TestPanic: a splitter that fails ends its connection and no other; everybody goes on with a new one.
func TestPanic(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		x, y, other := b.open("x", "one"), b.open("y", "one"), b.open("z", "two")
		b.machine.started[0].say("x 1", "boom")
		b.is(x, "1", "the daemon's splitter failed on what was said")
		b.is(y, "", "the daemon's splitter failed on what was said")
		b.is(other, "", "")
		if err := x.say("hello?"); err == nil {
			b.Error("spoke into a broken connection")
		}
		again := b.open("x", "one")
		b.machine.started[2].say("x 2")
		b.is(again, "2", "")
		again.Stop(0)
		other.Stop(0)
	})
}

// TestDeaf: stopping a session that the agent has not answered ends an agent that says nothing at all any more, so that the
// other sessions go on with one that works. One that says anything is left alone.
func TestDeaf(t *testing.T) {
	for _, answers := range []bool{false, true} {
		run(t, connection.Config{}, func(b *bench) {
			x, y := b.open("x", "one"), b.open("y", "one")
			p := b.machine.started[0]
			if err := x.say("interrupt"); err != nil {
				b.Fatal(err)
			}
			time.Sleep(9 * time.Second)
			if answers {
				p.say("y busy")
				synctest.Wait()
			}
			if err := x.say("again"); err != nil {
				b.Fatal(err)
			}
			time.Sleep(time.Second)
			x.Stop(5 * time.Second)
			if !answers {
				b.is(x, "", "killed, requested")
				b.is(y, "", "the agent did not answer any more")
				return
			}
			b.is(x, "", "ended, requested")
			b.is(y, "busy", "")
			y.Stop(0)
		})
	}
}

// TestUnread: an agent that does not read holds up who speaks to it; the end of the input, and of the lane, free them. The end
// of the last session does not wait for its last words for ever.
func TestUnread(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		b.machine.deaf = true
		x, y := b.open("x", "one"), b.open("y", "one")
		line := strings.Repeat("x", 3<<20)
		speak := func(c *conn) <-chan error {
			done := make(chan error, 1)
			go func() {
				var err error
				for err == nil {
					err = c.say(line)
				}
				done <- err
			}()
			synctest.Wait()
			return done
		}
		xs, ys := speak(x), speak(y)
		if len(xs)+len(ys) > 0 {
			b.Fatal("nobody was held up")
		}
		_ = x.Input().Close()
		if err := <-xs; err == nil {
			b.Error("no error")
		}
		y.Stop(time.Second)
		if err := <-ys; err == nil {
			b.Error("no error")
		}
		p := b.machine.started[0]
		x.Stop(4 * time.Second)
		b.is(x, "", "")
		time.Sleep(time.Second)
		synctest.Wait()
		if p.killed[0] != 3*time.Second {
			b.Errorf("stopped with %v", p.killed)
		}
		time.Sleep(3 * time.Second)
		b.is(x, "", "killed, requested")
	})
}

// TestLastWords: what the splitter says at the end is written before the process is stopped.
func TestLastWords(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		x := b.open("x", "")
		p := b.machine.started[0]
		x.Stop(4 * time.Second)
		b.is(x, "", "ended, requested")
		if !strings.HasSuffix(p.lines(), "x leaves") || fmt.Sprint(p.killed) != "[4s]" {
			b.Errorf("stopped with %v, heard\n%s", p.killed, p.lines())
		}
	})
}

// TestHurry: a second stop with less grace is passed on by who waits for the process, and by nobody else.
func TestHurry(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		x, y := b.open("x", "one"), b.open("y", "one")
		p := b.machine.started[0]
		p.stubborn = time.Hour
		x.Stop(time.Minute)
		b.is(x, "", "ended, requested")
		y.Stop(time.Minute)
		x.Stop(0) // its actor has ended
		b.is(y, "", "")
		y.Stop(0)
		b.is(y, "", "killed, requested")
		time.Sleep(time.Hour) // the process's own timer
	})
}

// Orphans of a turn are ended where they can only be that session's.
func TestOrphansOfOneSession(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		one := b.open("one", "c")
		now := time.Now()
		tidy := func(c *conn, turn time.Duration) { c.EndOrphans(now.Add(-turn), now) }
		tidy(one, 1)
		two := b.open("two", "c")
		tidy(one, 2)
		tidy(two, 3)
		one.Stop(0)
		tidy(two, 4)
		p := b.machine.started[0]
		if want := []time.Duration{1, 4}; !slices.Equal(p.orphans, want) {
			b.Errorf("of turns %v, want %v", p.orphans, want)
		}
		two.Stop(0)
	})
}
