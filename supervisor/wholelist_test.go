package supervisor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/elsewhere"
	records "github.com/ringmaster-agents/ringmaster/supervisor/record"
	"go.uber.org/zap"
)

// slowList is a Core that takes a while for each session of its list.
type slowList struct {
	core.Core
	asked *atomic.Int64
	fails *atomic.Int64 // one of so many calls ends with an error on its way; 0: none
}

func (s slowList) Changes(ctx context.Context, since time.Time) iter.Seq2[core.Change, error] {
	return func(yield func(core.Change, error) bool) {
		n, given := s.asked.Add(1), 0
		for c, err := range s.Core.Changes(ctx, since) {
			time.Sleep(10 * time.Millisecond)
			if given++; given == 50 && s.fails.Load() > 0 && n%s.fails.Load() == 0 {
				err = errors.New("the connection was lost")
			}
			if err == nil && ctx.Err() != nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(core.Change{}, &core.AwayError{Op: "changes", Err: err})
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// large is a node on a Core that has many sessions of another one.
type large struct {
	*node
	link         *corememory.Link
	asked, fails atomic.Int64
	far          core.Owner
	model        core.Record
	ids          []string
	leases       []core.Lease
}

// startLarge makes it, of a number of sessions that have one moment, and of others that have moments of their own, and asks for its list.
func startLarge(t *testing.T, together, apart int) *large {
	t.Helper()
	place := new(corememory.Place)
	l := &large{link: &corememory.Link{Place: place}}
	a := startNode(t, 'a', t.TempDir(), place, 0)
	x := a.create().ID
	settle()
	l.model = atRest(t, a, x)
	a.end()
	c := place.Core()
	defer c.Close()
	var err error
	if l.far, err = c.Join(t.Context(), "far"); err != nil {
		t.Fatal(err)
	}
	if gone, err := c.Remove(t.Context(), x, a.lease(x)); err != nil || !gone {
		t.Fatal(gone, err)
	}
	l.add(c, together)
	for len(l.ids) < together+apart {
		time.Sleep(time.Second)
		l.add(c, 50)
	}
	time.Sleep(time.Minute)
	d := startCored(t, t.TempDir(), place, nil)
	l.node = &node{d, elsewhere.Begin(d.Supervisor, elsewhere.Config{
		Connect:  func(context.Context) (core.Core, error) { return slowList{l.link.Core(), &l.asked, &l.fails}, nil },
		Removing: d.cfg.Outbox.IsLeaving, Log: zap.NewNop(),
	})}
	return l
}

// atRest gives a session's record as that of one that has ended with an empty log: nothing of it changes unasked.
func atRest(t *testing.T, of *node, id string) core.Record {
	t.Helper()
	model, _ := of.record(id)
	told, err := records.Parse(model.Told, "Core")
	if err != nil {
		t.Fatal(err)
	}
	told.Summary.Seq, told.Summary.Status.State = 0, protocol.StateCompleted
	if model.Told, err = json.Marshal(told); err != nil {
		t.Fatal(err)
	}
	return model
}

// add has the other node have so many sessions more, in one moment.
func (l *large) add(c core.Core, some int) {
	list := make([]core.Record, some)
	for n := range list {
		r := l.model
		r.Session = fmt.Sprintf("f0000000-0000-4000-8000-%012d", len(l.ids)+n)
		r.Root, r.Told = r.Session, bytes.ReplaceAll(r.Told, []byte(r.Root), []byte(r.Session))
		list[n] = r
	}
	at, err := c.Take(context.Background(), l.far, list)
	if err != nil {
		panic(err)
	}
	for _, p := range at {
		l.ids, l.leases = append(l.ids, p.Session), append(l.leases, p.Lease)
	}
}

// lease is that of a session in Core.
func (n *node) lease(id string) core.Lease {
	n.t.Helper()
	c := n.place.Core()
	defer c.Close()
	p, _, _, err := c.Session(n.t.Context(), id)
	if err != nil {
		n.t.Fatal(err)
	}
	return p.Lease
}

// look asks for the list, as somebody does each second, and says how many sessions it has, and whether that may not be all.
func (l *large) look() (n int, partial bool) {
	l.t.Helper()
	time.Sleep(time.Second)
	_, partial = l.node.ids(supervisor.Query{Limit: 1})
	all, _, _ := l.Roster().Since(0)
	return len(all), partial
}

// becomesWhole asks until the list is whole, and says how long that took.
func (l *large) becomesWhole(most time.Duration) time.Duration {
	l.t.Helper()
	for begun := time.Now(); ; {
		n, partial := l.look()
		if h := l.all.Health().Core; l.fails.Load() == 0 && !h.Up {
			l.t.Fatalf("after %v, with %d sessions: %+v", time.Since(begun), n, h)
		}
		if !partial {
			return time.Since(begun)
		}
		if time.Since(begun) > most {
			l.t.Fatalf("after %v the list has %d sessions, and is not whole", time.Since(begun), n)
		}
	}
}

// remove removes some of the sessions at Core.
func (l *large) remove(numbers ...int) {
	l.t.Helper()
	c := l.place.Core()
	defer c.Close()
	for _, n := range numbers {
		if gone, err := c.Remove(l.t.Context(), l.ids[n], l.leases[n]); err != nil || !gone {
			l.t.Fatal(gone, err)
		}
	}
}

// TestListThatALookHasNoTimeFor: a list that takes longer to read than one look may is read in several. It says that it is partial until then, and nothing else
// is wrong meanwhile; what is removed goes, whenever that was, and nothing else does.
//
// Proves: I16.4/read-list
func TestListThatALookHasNoTimeFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many = 3_000
		l := startLarge(t, 200, many-200)
		if n, partial := l.look(); n >= many/2 || !partial {
			t.Errorf("at first it has %d sessions, partial: %t", n, partial)
		}
		if sum, err := l.all.Look(t.Context(), l.ids[many-1]); err != nil || sum.Node != "far" {
			t.Errorf("one that is not in it yet: %+v, %v", sum, err)
		}
		time.Sleep(5 * time.Second)
		l.remove(0, 1) // which were read already
		for range 15 {
			l.look()
		}
		c := l.place.Core()
		l.add(c, 1)
		c.Close()
		l.becomesWhole(2 * time.Minute)
		if asked := l.asked.Load(); asked < 20 {
			t.Errorf("it was read in %d calls", asked)
		}
		time.Sleep(20 * time.Second)
		if n, partial := l.look(); n != many-1 || partial || l.Roster().Find(l.ids[0]) != nil {
			t.Errorf("the list has %d sessions, partial: %t", n, partial)
		}

		// what changes while it is read as a whole once more is told at once
		time.Sleep(11 * time.Minute)
		l.look()
		l.asked.Store(0)
		c = l.place.Core()
		l.add(c, 1)
		c.Close()
		l.remove(many)
		l.look()
		if l.look(); l.Roster().Find(l.ids[many+1]) == nil || l.Roster().Find(l.ids[many]) != nil {
			t.Error("while all is read, what is new is not told")
		}
		if asked := l.asked.Load(); asked < 4 { // for a piece and for what is new, each second
			t.Errorf("all is not being read: Core was asked %d times", asked)
		}

		// what was removed so long ago that Core does not tell of it goes when the list is read as a whole again, also where that was begun before; what stays is
		// there all the time
		time.Sleep(11 * time.Minute)
		l.look()
		time.Sleep(5 * time.Second)
		l.link.Leave()
		l.remove(2, 3, many-1)
		time.Sleep(25 * time.Hour)
		l.link.Return()
		least, n := many, 0
		for range 120 {
			n, _ = l.look()
			least = min(least, n)
		}
		if l.asked.Store(0); n != many-4 || least != many-4 {
			t.Errorf("the list has %d sessions, and had %d", n, least)
		}
		for range 60 {
			n, _ = l.look()
		}
		if asked := l.asked.Load(); n != many-4 || asked > 65 {
			t.Errorf("the list has %d sessions; Core was asked %d times in a minute", n, asked)
		}
		l.end()
	})
}

// TestListGoesOnBehindFailures: a list that is read in many pieces becomes whole also where some of them fail, and however many sessions have one moment.
//
// Proves: I16.4/read-list
func TestListGoesOnBehindFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many = 3_000
		l := startLarge(t, many-500, 500)
		took := l.becomesWhole(2 * time.Minute)
		if n, _ := l.look(); n != many || took < 25*time.Second {
			t.Errorf("after %v it has %d sessions", took, n)
		}
		l.end()

		l = startLarge(t, 50, many-50)
		l.fails.Store(3)
		took = l.becomesWhole(2 * time.Minute)
		if n, _ := l.look(); n != many || took < 25*time.Second {
			t.Errorf("after %v it has %d sessions", took, n)
		}
		l.end()
	})
}
