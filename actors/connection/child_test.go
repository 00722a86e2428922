package connection_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/connection"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestChild: a sub-agent has a connection of its own, with all that it said; it is given once, and ends cleanly when it is done.
func TestChild(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		x := b.open("x", "")
		p := b.machine.started[0]
		p.say("x +kid", "kid 1", "kid 2")
		synctest.Wait()
		kid, ok := b.child(x, "kid")
		if !ok {
			b.Fatal("no child")
		}
		if _, twice := b.child(x, "kid"); twice {
			b.Error("given twice")
		}
		p.say("kid 3", "x 4")
		b.is(kid, "1|2|3", "")
		b.is(x, "4", "")
		if err := kid.say("hi"); err != nil {
			b.Error(err)
		}
		p.say("kid .", "kid 5")
		b.is(kid, "1|2|3", "ended")
		synctest.Wait()
		if !strings.HasSuffix(p.lines(), "kid hi") {
			b.Errorf("the agent heard\n%s", p.lines())
		}
		p.say("x +kid", "kid again") // it is taken up again
		if kid, ok = b.child(x, "kid"); !ok {
			b.Fatal("no child")
		}
		b.is(kid, "again", "")
		x.Stop(time.Second)
		b.is(kid, "again", "ended, requested")
		b.is(x, "4", "ended, requested")
		if _, late := b.child(x, "kid"); late {
			b.Error("a child of nobody")
		}
	})
}

// TestChildIsAwaited: a sub-agent may be claimed before it is born, and spoken to.
func TestChildIsAwaited(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		x := b.open("x", "one")
		p := b.machine.started[0]
		kid, ok := b.child(x, "kid")
		if _, twice := b.child(x, "kid"); !ok || twice {
			b.Fatalf("claimed %v, twice %v", ok, twice)
		}
		never, _ := b.child(x, "never")
		spoken := make(chan error, 1)
		go func() { spoken <- kid.say("early") }()
		synctest.Wait()
		if len(spoken) > 0 {
			b.Error("spoke to nobody")
		}
		p.say("x +kid", "kid 1", "kid +grandkid", "grandkid 2")
		b.is(kid, "1", "")
		if err := <-spoken; err != nil {
			b.Error(err)
		}
		grandkid, ok := b.child(kid, "grandkid")
		if !ok {
			b.Fatal("no grandchild")
		}
		b.is(grandkid, "2", "")
		kid.Stop(time.Second)
		b.is(kid, "1", "ended, requested")
		b.is(grandkid, "2", "ended, requested")
		b.is(never, "", "")
		b.is(x, "", "")
		p.end(adapters.Exit{Code: 1})
		b.is(never, "", "code 1")
	})
}

// TestUnclaimedChild: what a sub-agent says that no session takes up is bounded, and holds nobody up.
func TestUnclaimedChild(t *testing.T) {
	run(t, connection.Config{LaneBytes: 10_000}, func(b *bench) {
		x := b.open("x", "one")
		p := b.machine.started[0]
		p.say("x +kid", "x +small", "small 1", "small .")
		if took := <-flood(p, "kid", 100); took != 0 {
			b.Errorf("held for %v", took)
		}
		kid, _ := b.child(x, "kid")
		b.is(kid, "", "nobody took what the sub-agent said")
		small, _ := b.child(x, "small") // done, and still to be had
		b.is(small, "1", "ended")
		for range 100 {
			p.say("x +kid", "kid 1", "x +a", "a 1", "x +b")
		}
		for i := range 70 {
			p.say("x +n" + string(rune('0'+i)))
		}
		if gone, ok := b.child(x, "n0"); !ok {
			b.Error("not there")
		} else {
			b.is(gone, "", "") // dropped to make room: it may come again
		}
		p.say("x 2")
		b.is(x, "2", "")
		x.Stop(0)
	})
}

// TestChildrenOfOneThatIsDone: nobody can take them up any more, so nothing waits for them, and nobody waits.
func TestChildrenOfOneThatIsDone(t *testing.T) {
	run(t, connection.Config{}, func(b *bench) {
		x := b.open("x", "one")
		p := b.machine.started[0]
		p.say("x +kid")
		kid, _ := b.child(x, "kid")
		p.say("kid +born", "born 1", "kid +taken", "taken 1")
		taken, _ := b.child(kid, "taken")
		awaited, ok := b.child(kid, "awaited") // told of, and not there yet
		if !ok {
			b.Fatal("no child to wait for")
		}
		p.say("kid .", "taken 2", "born 2", "x 1")
		b.is(kid, "", "ended")
		b.is(awaited, "", "nobody took what the sub-agent said")
		b.is(x, "1", "")
		b.is(taken, "1|2", "")
		x.Stop(0)
	})
}

// TestClaimedChildFallsBehind: a sub-agent's session that takes nothing is let go, also beside its parent alone.
func TestClaimedChildFallsBehind(t *testing.T) {
	run(t, connection.Config{LaneBytes: 10_000}, func(b *bench) {
		x := b.open("x", "one")
		p := b.machine.started[0]
		p.say("x +kid")
		synctest.Wait()
		kid, ok := x.Conn.(adapters.Parent).Child("kid") //nolint:forcetypeassert // a lane is one
		if !ok {
			b.Fatal("no child")
		}
		if took := <-flood(p, "kid", 50); took != 5*time.Second {
			b.Errorf("held for %v", took)
		}
		gone := read(kid)
		p.say("x 1")
		b.is(x, "1", "")
		if synctest.Wait(); !strings.HasPrefix(gone.exit.Error, "fell behind: ") {
			b.Errorf("%+v", gone.exit)
		}
		x.Stop(0)
	})
}
