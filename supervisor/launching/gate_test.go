package launching

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestGate: who comes waits for a place in turn; a place is free when an agent is up, once, and after the patience where it is not.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		began := time.Now()
		first, _ := g.enter(NewTurn(t.Context()))
		if _, err := g.enter(NewTurn(t.Context())); err != nil {
			t.Fatal(err)
		}
		var in atomic.Int32
		for range 2 {
			go func() { // ends with the patience of the one before
				if _, err := g.enter(NewTurn(t.Context())); err == nil {
					in.Add(1)
				}
			}()
		}
		synctest.Wait()
		if in.Load() != 0 {
			t.Fatal("there is no place")
		}
		first()
		first()
		synctest.Wait()
		if n := in.Load(); n != 1 {
			t.Fatalf("%d have one place", n)
		}
		time.Sleep(patience)
		synctest.Wait()
		if n := in.Load(); n != 2 || time.Since(began) != patience {
			t.Fatalf("%d have a place after %v", n, time.Since(began))
		}
	})
}

// TestGateHastened: who waits no longer takes no place, and keeps none from others.
func TestGateHastened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		first, _ := g.enter(NewTurn(t.Context()))
		turn := NewTurn(t.Context())
		began := time.Now()
		for range 2 {
			time.AfterFunc(time.Second, turn.Hasten)
		}
		leave, err := g.enter(turn)
		if err != nil || time.Since(began) != time.Second {
			t.Fatalf("after %v: %v", time.Since(began), err)
		}
		leave()
		first()
		if _, err := g.enter(NewTurn(t.Context())); err != nil || time.Since(began) != time.Second {
			t.Fatalf("after %v: %v", time.Since(began), err)
		}
	})
}

// TestGateGivenUp: nobody has a place that has given up, even where one is free.
func TestGateGivenUp(t *testing.T) {
	g := newGate(1)
	turn := NewTurn(t.Context())
	turn.GiveUp()
	for range 100 {
		if _, err := g.enter(turn); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	leave, err := g.enter(NewTurn(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	leave()
}
