package peers

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// place is a Core that has nodes.
type place struct {
	nodes []core.Node
	err   error
	takes time.Duration
	asked int
}

func (p *place) all(ctx context.Context) ([]core.Node, error) {
	p.asked++
	nodes, err := slices.Clone(p.nodes), p.err
	select {
	case <-time.After(p.takes):
		return nodes, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func node(name string, ends time.Duration) core.Node {
	return core.Node{
		Owner: core.Owner{Node: name, Incarnation: 1}, State: core.StateUp, Beats: true, Ends: ends,
		Beat: core.Beat{Address: name + ":1", Key: "key of " + name},
	}
}

// book is tested in virtual time.
func book(t *testing.T, p *place, test func(ctx context.Context, b *Book)) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBook(Config{Nodes: p.all, Here: "here"})
		defer b.Close()
		test(t.Context(), b)
	})
}

func speaker(ctx context.Context, b *Book, name string) error {
	node, err := b.Speaker(ctx, "key of "+name)
	if err == nil && node != name {
		return errors.New("the key is " + node + "'s")
	}
	return err
}

// TestWhoIsBelieved: a node is believed while it is alive, and reached where it says an address; no other key is anybody's.
//
// Proves: I16.7/alive
func TestWhoIsBelieved(t *testing.T) {
	dead, left, silent, quiet, young := node("dead", time.Minute), node("left", time.Minute), node("silent", -time.Second), node("quiet", time.Minute), node("young", 0)
	dead.State, left.State, quiet.Address, young.Beats = core.StateDead, core.StateLeft, "", false
	draining := node("draining", time.Minute)
	draining.State = core.StateDraining
	p := &place{nodes: []core.Node{node("a", time.Minute), node("here", time.Minute), dead, left, silent, quiet, young, draining, {}}}
	book(t, p, func(ctx context.Context, b *Book) {
		for name, want := range map[string]struct{ speaks, at error }{
			"a": {}, "draining": {}, "quiet": {nil, ErrNowhere}, "dead": {ErrGone, ErrGone}, "left": {ErrGone, ErrGone}, "silent": {ErrSilent, ErrSilent},
			"young": {ErrSilent, ErrSilent}, "here": {ErrUnknown, ErrUnknown}, "foreign": {ErrUnknown, ErrUnknown},
		} {
			if err := speaker(ctx, b, name); !errors.Is(err, want.speaks) {
				t.Errorf("%s speaks: %v, want %v", name, err, want.speaks)
			}
			if at, err := b.At(ctx, name); !errors.Is(err, want.at) || err == nil && at != (Peer{name, name + ":1", "key of " + name}) {
				t.Errorf("%s is at %v: %v, want %v", name, at, err, want.at)
			}
		}
		if _, err := b.Speaker(ctx, ""); !errors.Is(err, ErrUnknown) { // a node that says no key
			t.Errorf("no key: %v", err)
		}
	})
}

// TestCoreIsAskedSeldom: what is known is fresh for some seconds; for what is not known Core is asked once a second at most.
//
// Proves: I16.7/alive
func TestCoreIsAskedSeldom(t *testing.T) {
	p := &place{nodes: []core.Node{node("a", time.Minute)}}
	book(t, p, func(ctx context.Context, b *Book) {
		for range 100 {
			if err := speaker(ctx, b, "a"); err != nil {
				t.Fatal(err)
			}
		}
		if p.asked != 1 {
			t.Errorf("asked %d times", p.asked)
		}
		p.nodes = append(p.nodes, node("b", time.Minute))
		for range 100 {
			if err := speaker(ctx, b, "b"); !errors.Is(err, ErrUnknown) {
				t.Fatal(err)
			}
		}
		if p.asked != 1 {
			t.Errorf("a stranger has Core asked %d times", p.asked)
		}
		time.Sleep(between)
		if err := speaker(ctx, b, "b"); err != nil || p.asked != 2 {
			t.Errorf("%v, asked %d times", err, p.asked)
		}
		p.nodes[0].State = core.StateLeft // it is forgotten
		time.Sleep(fresh)
		if err := speaker(ctx, b, "a"); !errors.Is(err, ErrGone) {
			t.Errorf("%v", err)
		}
	})
}

// TestLeasesRunOutHere: a lease that was running when Core was read runs out meanwhile.
//
// Proves: I16.7/alive
func TestLeasesRunOutHere(t *testing.T) {
	p := &place{nodes: []core.Node{node("a", 2*time.Second)}}
	book(t, p, func(ctx context.Context, b *Book) {
		if err := speaker(ctx, b, "a"); err != nil {
			t.Fatal(err)
		}
		p.nodes[0].Ends = -time.Second
		time.Sleep(3 * time.Second)
		if err := speaker(ctx, b, "a"); !errors.Is(err, ErrSilent) {
			t.Errorf("%v", err)
		}
	})
}

// TestNobodyWaitsForACoreThatIsAway: what is known stays known, nobody waits for more, and leases count again once everybody has had the time to renew.
//
// Proves: I16.7/away
func TestNobodyWaitsForACoreThatIsAway(t *testing.T) {
	p := &place{nodes: []core.Node{node("a", 30*time.Second)}}
	book(t, p, func(ctx context.Context, b *Book) {
		if err := speaker(ctx, b, "a"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		p.err, p.takes = errors.New("away"), time.Minute
		time.Sleep(10 * time.Minute)
		for n := range 20 {
			begin := time.Now()
			if err := speaker(ctx, b, "a"); err != nil {
				t.Fatalf("%d: %v", n, err)
			}
			if took := time.Since(begin); n > 0 && took > 0 || took > patience {
				t.Fatalf("%d: somebody has waited for %v", n, took)
			}
			time.Sleep(callTime + between)
		}
		synctest.Wait()
		p.err, p.takes = nil, 0
		p.nodes = []core.Node{node("a", -time.Minute)} // it has not said yet that it lives
		time.Sleep(fresh)
		_ = speaker(ctx, b, "a") // has Core asked
		synctest.Wait()
		if err := speaker(ctx, b, "a"); err != nil {
			t.Errorf("just behind the outage: %v", err)
		}
		time.Sleep(outageOver)
		if err := speaker(ctx, b, "a"); !errors.Is(err, ErrSilent) {
			t.Errorf("long behind the outage: %v", err)
		}
	})
}

// TestOutagesMakeNobodyAlive: a lease that had run out while Core answered counts as run out while it does not, and behind that.
//
// Proves: I16.7/away
func TestOutagesMakeNobodyAlive(t *testing.T) {
	p := &place{nodes: []core.Node{node("a", 30*time.Second), node("silent", -time.Second)}}
	book(t, p, func(ctx context.Context, b *Book) {
		begin := time.Now()
		stands := func(when string) {
			t.Helper()
			if err := speaker(ctx, b, "silent"); !errors.Is(err, ErrSilent) {
				t.Errorf("%s: %v", when, err)
			}
			if err := speaker(ctx, b, "a"); err != nil {
				t.Errorf("%s: %v", when, err)
			}
		}
		answers := func(err error) { // a has not beaten since it could not
			p.err, p.nodes = err, []core.Node{node("a", time.Minute-time.Since(begin)), node("silent", -time.Second-time.Since(begin))}
			b.Renew(ctx)
		}
		stands("before")
		time.Sleep(outageOver)
		answers(nil)
		time.Sleep(fresh)
		answers(errors.New("away"))
		stands("in it")
		time.Sleep(10 * time.Minute)
		stands("long in it")
		answers(nil)
		stands("behind it")
		time.Sleep(fresh)
		answers(errors.New("away"))
		stands("in another one, just behind it")
		time.Sleep(fresh)
		answers(nil)
		stands("behind that")
		time.Sleep(outageOver)
		if err := speaker(ctx, b, "a"); !errors.Is(err, ErrSilent) {
			t.Errorf("long behind it: %v", err)
		}
	})
}

// TestWhatIsAgeingIsAskedForBeside: nobody waits for what is known while it is asked for often enough.
//
// Proves: I16.7/alive
func TestWhatIsAgeingIsAskedForBeside(t *testing.T) {
	p := &place{nodes: []core.Node{node("a", time.Minute)}, takes: patience / 2}
	book(t, p, func(ctx context.Context, b *Book) {
		if err := speaker(ctx, b, "a"); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		for range 20 {
			time.Sleep(2 * time.Second)
			if err := speaker(ctx, b, "a"); err != nil {
				t.Fatal(err)
			}
		}
		if waited := time.Since(begin) - 40*time.Second; waited > 0 {
			t.Errorf("somebody has waited for %v", waited)
		}
		synctest.Wait() // for who asks beside the last one
		if p.asked < 8 || p.asked > 12 {
			t.Errorf("asked %d times", p.asked)
		}
	})
}

// TestCoreWasNotReadYet: nobody is believed before Core has said who there is.
//
// Proves: I16.7/away
func TestCoreWasNotReadYet(t *testing.T) {
	p := &place{err: errors.New("away")}
	book(t, p, func(ctx context.Context, b *Book) {
		if err := speaker(ctx, b, "a"); !errors.Is(err, ErrUnread) {
			t.Errorf("%v", err)
		}
		p.err, p.nodes = nil, []core.Node{node("a", time.Minute)}
		time.Sleep(between)
		b.Renew(ctx)
		if err := speaker(ctx, b, "a"); err != nil || p.asked != 2 {
			t.Errorf("%v, asked %d times", err, p.asked)
		}
		b.Close()
		time.Sleep(time.Minute)
		if err := speaker(ctx, b, "b"); !errors.Is(err, ErrUnknown) || p.asked != 2 {
			t.Errorf("behind the end: %v, asked %d times", err, p.asked)
		}
	})
}
