package memory_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

var errLost = errors.New("connection lost")

const id = "0199a7a0-0000-7000-8000-000000000001"

func taken(t *testing.T, c core.Core) core.Position {
	t.Helper()
	me, err := c.Join(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	at, err := c.Take(t.Context(), me, []core.Record{{Session: id}})
	if err != nil {
		t.Fatal(err)
	}
	return at[0]
}

func one(p core.Position) []core.Batch {
	return []core.Batch{{Session: id, Lease: p.Lease, Stretch: store.Stretch{First: p.Head + 1, Epoch: 1, Sources: []store.Made{{Count: 1}}, Lines: []byte("x\n")}}}
}

func at(t *testing.T, c core.Core) core.Position {
	t.Helper()
	list, err := c.Positions(t.Context(), []string{id})
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

func away(t *testing.T, err, reason error) {
	t.Helper()
	var is *core.AwayError
	if !errors.As(err, &is) || reason != nil && !errors.Is(err, reason) {
		t.Errorf("the error is %v", err)
	}
}

func TestAwayAndBack(t *testing.T) {
	p := new(memory.Place)
	c := p.Core()
	before := taken(t, c)
	p.Leave()
	_, err := c.Append(t.Context(), one(before))
	away(t, err, nil)
	p.Return()
	if at(t, c) != before {
		t.Error("a place that was away has changed")
	}
}

func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := new(memory.Place)
		c := p.Core()
		before := taken(t, c)
		p.FallSilent()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		begun := time.Now()
		_, err := c.Append(ctx, one(before))
		away(t, err, context.DeadlineExceeded)
		if waited := time.Since(begun); waited != time.Hour {
			t.Errorf("it waited for %v", waited)
		}
		answered := make(chan error)
		go func() {
			_, err := c.Append(t.Context(), one(before))
			answered <- err
		}()
		synctest.Wait()
		p.Return()
		if err := <-answered; err != nil || at(t, c).Head != 1 {
			t.Errorf("the call that waited ends with %v", err)
		}
		p.FallSilent()
		go func() {
			_, err := c.Join(t.Context(), "a")
			answered <- err
		}()
		synctest.Wait()
		c.Close()
		away(t, <-answered, nil)
	})
}

func TestUnknownOutcome(t *testing.T) {
	p := new(memory.Place)
	c := p.Core()
	before := taken(t, c)
	fail := func(string) error { return errLost }
	for _, head := range []uint64{0, 1} {
		if head == 0 {
			p.Disturb(fail, nil)
		} else {
			p.Disturb(nil, fail)
		}
		_, err := c.Append(t.Context(), one(before))
		away(t, err, errLost)
		p.Disturb(nil, nil)
		if got := at(t, c).Head; got != head {
			t.Errorf("the head is %d, want %d", got, head)
		}
	}
	p.Disturb(func(op string) error { return &core.AccessError{Op: op, Err: errLost} }, nil)
	_, err := c.Append(t.Context(), one(before))
	if refused := new(core.AccessError); !errors.As(err, &refused) || refused.Op != "append" {
		t.Errorf("the error is %v", err)
	}
}

func TestGoBack(t *testing.T) {
	p := new(memory.Place)
	c := p.Core()
	before := taken(t, c)
	moment := p.Moment()
	for range 2 {
		if _, err := c.Append(t.Context(), one(before)); err != nil {
			t.Fatal(err)
		}
		later := taken(t, c)
		if later.Head != 1 {
			t.Errorf("before it went back it is at %+v", later)
		}
		p.GoBack(moment)
		if got := at(t, c); got != before {
			t.Errorf("it went back to %+v, want %+v", got, before)
		}
		if next := taken(t, c); next.Lease == later.Lease || next.Owner.Incarnation <= later.Owner.Incarnation {
			t.Errorf("after %+v comes %+v", later, next)
		}
		p.GoBack(moment)
	}
}

// A fail-over to a place that had not seen a claim gives neither its lease nor its epoch again, also in the same moment.
func TestGoBackBehindAClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := new(memory.Place)
		c := p.Core()
		was := taken(t, c)
		if err := c.Note(t.Context(), []core.Note{{Lease: was.Lease, Record: core.Record{Session: id, Failover: core.FailoverAuto}}}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Leave(t.Context(), was.Owner); err != nil {
			t.Fatal(err)
		}
		moment := p.Moment()
		leases, epochs := map[core.Lease]bool{was.Lease: true}, map[uint64]bool{was.Epoch: true}
		for range 5 {
			p.GoBack(moment)
			me, err := c.Join(t.Context(), "b")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Beat(t.Context(), me, core.Beat{Lease: time.Minute}); err != nil {
				t.Fatal(err)
			}
			got, err := c.Claim(t.Context(), me, core.Want{})
			if err != nil || len(got.Taken) != 1 {
				t.Fatal(got, err)
			}
			if now := got.Taken[0].At; leases[now.Lease] || epochs[now.Epoch] {
				t.Errorf("claimed %+v behind %v and %v", now, leases, epochs)
			} else {
				leases[now.Lease], epochs[now.Epoch] = true, true
			}
		}
	})
}
