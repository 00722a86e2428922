package shipper

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// TestCarries: what sessions show is in Core a moment later, byte for byte, of sessions at rest as well, and behind a restart nothing is sent twice.
//
// Proves: I16.4/carries, 002.9.1/post
func TestCarries(t *testing.T) {
	inTime(t, func(t *testing.T) {
		n := newNode(t, "a", new(corememory.Place))
		n.start()
		for i := range 700 { // more than one statement takes
			n.say(id(i), 1+i%7)
		}
		synctest.Wait()
		time.Sleep(10 * interval)
		n.verify()
		if s := n.ship.State(); s.Behind != 0 || s.Waiting != 0 || s.Lag != 0 || !s.Up || s.Events == 0 {
			t.Errorf("state %+v", s)
		}
		n.say(id(3), 5000) // more than goes at once
		n.settle()
		n.verify()
		sent := n.ship.State().Events
		n.end()

		n.start() // of which nobody shows anything
		n.settle()
		if s := n.ship.State(); s.Events != 0 {
			t.Errorf("%d events were sent again, of %d", s.Events, sent)
		}
		n.say(id(3), 2)
		n.settle()
		n.verify()
		n.end()
	})
}

// TestAtWork: whether a session is at work behind its newest events comes with these, whatever is told of it besides, and behind an outage as well.
//
// Proves: I16.6/at-work
func TestAtWork(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		n := newNode(t, "a", place)
		n.start()
		is := func(want bool) {
			t.Helper()
			if got, ok := n.told.Load(id(1)); !ok || got != want {
				t.Errorf("Core has it at work: %v, want %t", got, want)
			}
		}
		n.works = true
		n.say(id(1), 3)
		n.settle()
		is(true)
		n.works = false
		n.say(id(1), 2)
		n.settle()
		is(false)
		place.Leave()
		n.say(id(1), 2)
		n.works = true
		n.say(id(1), 2)
		time.Sleep(longestWait)
		place.Return()
		n.settle()
		is(true)
		n.end()
	})
}

// TestNobodyIsNoOwner: a session that nobody has is not claimed for this node between two of its lives, when it is nobody itself.
//
// Proves: I16.4/goes-back
func TestNobodyIsNoOwner(t *testing.T) {
	b := newBook()
	b.Told(id(1), func() core.Record { return core.Record{Session: id(1)} })
	items := b.take(false)
	items[0].known, items[0].at = true, core.Position{Session: id(1), Epoch: 7, Head: 3}
	b.release(items, nil, false)
	if epoch, is := b.claimed[id(1)]; is {
		t.Errorf("nobody's session is claimed as of epoch %d", epoch)
	}
}

// TestCoreIsAway: a Core that is away, silent, or fails behind its work costs nothing but time; what was shown meanwhile comes, once, also of sessions that nobody
// takes up any more.
//
// Proves: I16.4/away
func TestCoreIsAway(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		n := newNode(t, "a", place)
		place.Leave()
		n.start()
		for i := range 5 {
			n.say(id(i), 3)
		}
		if ok := n.ship.Await(t.Context(), id(0), 3); ok {
			t.Error("Core has what it cannot have")
		}
		time.Sleep(time.Hour)
		if s := n.ship.State(); s.Up || s.Behind != 15 || s.Waiting != 5 || s.Lag < time.Hour || s.Err == nil {
			t.Errorf("state %+v", s)
		}
		place.Return()
		n.settle()
		n.verify()

		place.FallSilent()
		n.say(id(1), 10)
		time.Sleep(2 * callTime)
		place.Return()
		n.settle()
		n.verify()

		failures := 0
		place.Disturb(nil, func(string) error { // it is done, and nobody hears of it
			if failures++; failures%2 == 1 {
				return errors.New("connection reset by peer")
			}
			return nil
		})
		for i := range 20 {
			n.say(id(i), 4)
			time.Sleep(interval)
		}
		n.settle()
		n.settle()
		place.Disturb(nil, nil)
		n.settle()
		n.verify()

		place.Leave()
		n.say(id(2), 7)
		n.end()
		place.Return()
		n.start()
		n.settle()
		n.verify()
		n.end()
	})
}

// read notes up to where a log was read.
type read struct {
	Log
	upTo uint64
}

func (r *read) Stretch(since, upTo uint64, most store.Most) (store.Stretch, error) {
	s, err := r.Log.Stretch(since, upTo, most)
	r.upTo = s.Last()
	return s, err
}

// TestReadsAhead: while Core takes a part of a log, the next part is read, and no more than that.
//
// Proves: I16.4/reads-ahead
func TestReadsAhead(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		n := newNode(t, "a", place)
		n.sizes, n.gate = sizes{stretch: store.Most{Events: 10, Bytes: 1 << 20}, parcel: 1, turn: 1 << 20}, make(chan struct{})
		n.start()
		place.Leave()
		for range 5 {
			n.say(id(1), 10)
		}
		log := &read{Log: n.logs[id(1)].Log()}
		n.ship.Shown(id(1), log, 50, false)
		place.Return()
		time.Sleep(longestWait)
		for has := uint64(0); has < 50; has += 10 {
			synctest.Wait()
			if p := n.has(id(1)); p.Head != has || log.upTo != min(has+20, 50) {
				t.Fatalf("Core has %d events of the log, and it was read up to %d: want %d and %d", p.Head, log.upTo, has, min(has+20, 50))
			}
			n.gate <- struct{}{}
		}
		n.settle()
		n.verify()
		if s := n.ship.State(); s.Events != 50 || s.WentBack != 0 {
			t.Errorf("state %+v", s)
		}
		n.end()
	})
}

// TestNotTakenOnTheWay: Core has lost what it had of a log, and does not take the part that is on its way. The parts behind it, which were read meanwhile, are not
// sent, and it counts as having gone back once.
//
// Proves: I16.4/reads-ahead
func TestNotTakenOnTheWay(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		n := newNode(t, "a", place)
		n.sizes = sizes{stretch: store.Most{Events: 10, Bytes: 1 << 20}, parcel: 1, turn: 1 << 20}
		n.gate = make(chan struct{})
		n.start()
		n.say(id(1), 1)
		n.gate <- struct{}{}
		n.settle()
		before := place.Moment()
		n.say(id(1), 10)
		n.gate <- struct{}{}
		n.settle()
		place.Leave()
		for range 5 {
			n.say(id(1), 10)
		}
		place.Return()
		time.Sleep(longestWait)
		synctest.Wait()
		place.GoBack(before)
		n.gate <- struct{}{}
		synctest.Wait()
		if sent := n.sent.Load(); sent != 2+1 {
			t.Errorf("%d batches were sent by then", sent)
		}
		close(n.gate)
		n.settle()
		n.verify()
		if s, sent := n.ship.State(), n.sent.Load(); s.WentBack != 1 || sent != 2+1+6 {
			t.Errorf("%d batches were sent; state %+v", sent, s)
		}
		n.end()
	})
}

// TestCoreGoesBack: a Core that has lost what it had taken gets it again, also of sessions that say nothing any more, and a session whose registration it has lost.
//
// Proves: I16.4/goes-back
func TestCoreGoesBack(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		n := newNode(t, "a", place)
		n.start()
		n.say(id(0), 5)
		n.say(id(1), 5)
		n.settle()
		then := place.Moment()
		n.say(id(0), 5)
		n.say(id(1), 5)
		n.say(id(2), 5)
		n.settle()
		place.GoBack(then)
		n.say(id(0), 1)
		n.settle()
		if p := n.has(id(0)); p.Head != 11 {
			t.Errorf("head %d", p.Head)
		}
		if n.ship.State().WentBack == 0 {
			t.Error("nobody was told that Core went back")
		}
		time.Sleep(2 * surveyLeast) // the others say nothing
		n.settle()
		n.verify()
		n.end()
	})
}

// TestCoreGoesBackWhileNobodySpeaks: a Core that may have gone back gets what it has lost within seconds, also where no session says anything: behind an outage
// that a call has met, and where somebody else has found out. However often that is said, the sessions are not gone through all the time.
//
// Proves: I16.4/goes-back
func TestCoreGoesBackWhileNobodySpeaks(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		n := newNode(t, "a", place)
		n.start()
		n.say(id(0), 5)
		n.settle()
		then := place.Moment()
		n.say(id(0), 5)
		n.settle()
		time.Sleep(time.Minute)

		place.GoBack(then)
		n.ship.Doubt()
		n.settle()
		n.verify()

		place.Leave()
		n.say(id(1), 1) // which cannot be sent
		time.Sleep(time.Minute)
		place.GoBack(then)
		place.Return()
		time.Sleep(longestWait + surveyLeast)
		n.settle()
		n.verify()

		asked := n.surveys.Load()
		for range 600 {
			n.ship.Doubt()
			time.Sleep(100 * time.Millisecond)
		}
		if is := n.surveys.Load() - asked; is > int64(time.Minute/surveyLeast)+1 || is < 10 {
			t.Errorf("in a minute the sessions are gone through %d times", is)
		}
		n.end()
	})
}

// TestClaimsOutliveWays: of more sessions than are remembered while nothing is to be sent, it is remembered that Core has called them this node's, until they are
// another one's.
//
// Proves: I16.4/goes-back
func TestClaimsOutliveWays(t *testing.T) {
	b := newBook()
	b.life = core.Owner{Node: "a", Incarnation: 3}
	const many = maxKnown + 100
	var items []*item
	for n := range many {
		w := b.way(id(n))
		items = append(items, &item{way: w, at: core.Position{Session: w.id, Owner: b.life, Epoch: 7}, known: true, checked: true})
	}
	b.release(items, nil, false)
	if len(b.ways) > maxKnown {
		t.Fatalf("%d are remembered", len(b.ways))
	}
	owns := func(epoch uint64) (n int) {
		for _, i := range items {
			if b.Owns(core.Position{Session: i.way.id, Owner: core.Owner{Node: "b", Incarnation: 1}, Epoch: epoch}) {
				n++
			}
		}
		return n
	}
	if n := owns(6); n != many {
		t.Errorf("Core went back, and of %d sessions %d are this node's", many, n)
	}
	if n := owns(8); n != 0 {
		t.Errorf("another node has claimed them, and %d are this node's", n)
	}
	for _, i := range items {
		b.Forget(i.way.id)
	}
	if n := owns(6); n != 0 || len(b.claimed) > 0 {
		t.Errorf("they are another node's, and %d are this one's", n)
	}
}

// TestCoreGoesBackToWhatWasLost: Core has gone back to events that the log has lost, and others have so much to be sent that it is not the turn of that session
// at once.
//
// Proves: I16.4/goes-back
func TestCoreGoesBackToWhatWasLost(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		n := newNode(t, "a", place)
		n.sizes.turn = 1
		n.start()
		n.say(id(0), 5)
		n.say(id(1), 2)
		for i := range 2 {
			if err := n.logs[id(i)].Sync(); err != nil {
				t.Fatal(err)
			}
		}
		n.say(id(1), 12)
		n.settle()
		then := place.Moment()
		n.losePower(nil)
		n.start()
		n.takeUp(true)
		n.say(id(0), 5)
		n.settle()
		n.verify()
		place.GoBack(then)
		time.Sleep(surveyEvery)
		n.settle()
		n.verify()
		n.end()
	})
}

// TestClaimOfWhatIsHere: a node has claimed a session that it has already, since Core went back to where another node had it, which was lost. The log goes on as it is.
//
// Proves: I16.4/goes-back, I16.6/forgotten-claim
func TestClaimOfWhatIsHere(t *testing.T) {
	for name, loses := range map[string]int{"as it was": 0, "with an epoch that Core has forgotten": 1, "with two of them": 2} {
		t.Run(name, func(t *testing.T) { claimsWhatIsHere(t, loses) })
	}
}

// claimsWhatIsHere: loses is how often the log had lost its newest events to the machine, of which Core has forgotten.
func claimsWhatIsHere(t *testing.T, loses int) {
	inTime(t, func(t *testing.T) {
		n := newNode(t, "a", new(corememory.Place))
		n.start()
		n.say(id(0), 5)
		if err := n.logs[id(0)].Sync(); err != nil {
			t.Fatal(err)
		}
		if loses > 0 {
			n.say(id(0), 7)
		}
		n.settle()
		then := n.place.Moment()
		for range loses {
			n.losePower(nil)
			n.start()
			n.takeUp(true)
			n.say(id(0), 2)
			if err := n.logs[id(0)].Sync(); err != nil {
				t.Fatal(err)
			}
			n.say(id(0), 3)
			n.settle()
		}
		ctx, c := t.Context(), n.place.Core()
		defer c.Close()
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		life, _ := n.ship.Life()
		lost, err := c.Join(ctx, "lost")
		must(err)
		if loses > 0 {
			n.kill()
			n.place.GoBack(then)
			life, err = c.Join(ctx, n.name)
			must(err)
			_, err = c.Take(ctx, life, []core.Record{{Session: id(0)}})
			must(err)
		}
		_, err = c.Beat(ctx, life, core.Beat{Lease: core.MaxLease})
		must(err)
		_, err = c.Beat(ctx, lost, core.Beat{Lease: core.MaxLease})
		must(err)
		p := n.has(id(0))
		_, err = c.Release(ctx, life, []core.Handed{{Session: id(0), Lease: p.Lease, Head: p.Head}})
		must(err)
		_, err = c.Claim(ctx, lost, core.Want{Sessions: []string{id(0)}})
		must(err)
		_, err = c.Leave(ctx, lost)
		must(err)
		got, err := c.Claim(ctx, life, core.Want{Sessions: []string{id(0)}, Revive: true})
		must(err)
		if at := n.has(id(0)); len(got.Taken) != 1 || at.Owner != life || at.Epoch <= p.Epoch || at.Head != p.Head {
			t.Fatalf("%+v, %+v", got, at)
		}
		if loses > 0 {
			n.start()
			n.takeUp(false)
		}
		n.say(id(0), 7)
		n.settle()
		n.verify()
		if log, err := n.store.Look(id(0)); err != nil || n.problem(id(0)) != nil || n.has(id(0)).Epoch != log.Epoch() {
			t.Errorf("%+v, and Core has %+v, %v", n.problem(id(0)), n.has(id(0)), err)
		}
		n.end()
	})
}

// TestLossOfPower: events that Core has and the log has lost are put aside there, and the log's own are in their places.
//
// Proves: I16.4/loss-of-power
func TestLossOfPower(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		n := newNode(t, "a", place)
		n.start()
		n.say(id(0), 5)
		if err := n.logs[id(0)].Sync(); err != nil {
			t.Fatal(err)
		}
		n.say(id(0), 5)
		n.settle()
		n.losePower(nil)
		n.start()
		n.takeUp(true)
		n.settle()
		if p := n.has(id(0)); p.Head != 5 || p.Epoch != 2 {
			t.Errorf("position %+v", p)
		}
		n.say(id(0), 8)
		n.settle()
		n.verify()
		c := place.Core()
		defer c.Close()
		lost := uint64(0)
		for s, err := range c.Superseded(t.Context(), id(0)) {
			if err != nil {
				t.Fatal(err)
			}
			lost += uint64(s.Count())
		}
		if lost != 5 {
			t.Errorf("%d events are aside", lost)
		}
		epochs, err := c.Epochs(t.Context(), id(0))
		if upTo, known := epochs.Agree(1); err != nil || !known || upTo != 5 {
			t.Errorf("epochs %v, %v", epochs, err)
		}
		n.end()
	})
}

// TestWhatTheLogCannotExplain: of a session that Core has otherwise nothing is sent, nothing is overwritten, and the state says why; others go on.
//
// Proves: I16.4/stuck
func TestWhatTheLogCannotExplain(t *testing.T) {
	for _, c := range []struct {
		name string
		kind Kind
		make func(n *node)
	}{
		{"the data folder comes out of a backup and goes on", KindDiffers, func(n *node) {
			backup := n.store.Kill()
			n.say(id(0), 3)
			n.settle()
			n.kill()
			n.store = backup
			n.words.Uint64() // what comes is other than what was
			n.start()
			n.say(id(0), 9)
		}},
		{"the data folder comes out of a backup", KindAhead, func(n *node) {
			backup := n.store.Kill()
			n.say(id(0), 3)
			n.settle()
			n.kill()
			n.store = backup
			n.start()
			n.takeUp(false)
		}},
		{"its epochs come out of a backup", KindAhead, func(n *node) {
			backup := n.store.Kill()
			n.losePower(nil)
			n.start()
			n.takeUp(true)
			n.say(id(0), 3)
			n.settle()
			n.kill()
			n.store = backup
			n.start()
			n.say(id(0), 30)
		}},
		{"the log has dropped what Core lacks", KindGap, func(n *node) {
			n.place.Leave()
			n.say(id(0), 3)
			n.say(id(0), 3)
			if err := n.logs[id(0)].DropBefore(10); err != nil {
				n.t.Fatal(err)
			}
			n.place.Return()
		}},
		{"another node has it", KindFenced, func(n *node) {
			n.kill()
			n.name = "b"
			n.start()
			n.say(id(0), 1)
		}},
		{"a daemon that was started later has its identity", KindFollowed, func(n *node) {
			copied := newNode(n.t, n.name, n.place)
			copied.store, copied.all = n.store.Kill(), n.all
			copied.start()
			copied.say(id(0), 1)
			copied.settle()
			copied.end()
			n.say(id(0), 1)
		}},
		{"the log cannot be read", KindUnread, func(n *node) {
			n.place.Leave()
			n.say(id(0), 1)
			n.store.Damage(id(0), 6)
			n.place.Return()
		}},
		{"Core refuses it", KindRefused, func(n *node) { n.ship.Shown(id(0), spoiled{n.logs[id(0)].Log()}, 6, false) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				n := newNode(t, "a", new(corememory.Place))
				n.start()
				n.say(id(0), 5)
				n.settle()
				before := n.has(id(0))
				c.make(n)
				n.settle()
				if p := n.problem(id(0)); p == nil || p.Kind != c.kind {
					t.Errorf("problem %+v, want %s", p, c.kind)
				}
				if s := n.ship.State(); s.Problems[c.kind] != 1 || s.Waiting != 0 {
					t.Errorf("state %+v", s)
				}
				if now := n.has(id(0)); now.Head < before.Head {
					t.Errorf("Core has up to %d, and had %d", now.Head, before.Head)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if n.ship.Await(ctx, id(0), 1000) {
					t.Error("Core has what it cannot have")
				}
				n.say(id(1), 4)
				n.settle()
				if p := n.has(id(1)); p.Head != 4 && c.kind != KindFollowed {
					t.Errorf("the other session has head %d in Core", p.Head)
				}
				n.end()
			})
		})
	}
}

// spoiled is a log that gives lines which are none.
type spoiled struct{ Log }

func (spoiled) Stretch(since, _ uint64, _ store.Most) (store.Stretch, error) {
	return store.Stretch{First: since + 1, Epoch: 1, Sources: []store.Made{{Count: 2}}, Lines: []byte("one\n")}, nil
}

// TestRemoved: a session that was deleted goes in Core, also one that Core never had, and one that was deleted while Core was away.
//
// Proves: I16.4/removed
func TestRemoved(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		n := newNode(t, "a", place)
		n.start()
		n.say(id(0), 5)
		n.say(id(1), 5)
		n.settle()
		n.remove(id(0))
		place.Leave()
		n.say(id(2), 5)
		n.remove(id(1))
		n.remove(id(2))
		n.settle()
		place.Return()
		n.settle()
		for i := range 3 {
			if p := n.has(id(i)); p.Session != "" {
				t.Errorf("Core has %+v", p)
			}
		}
		if len(n.gone) != 3 {
			t.Errorf("removed: %v", n.gone)
		}
		n.end()
	})
}

// TestAwait: a receipt waits until Core has what it is about, and no longer than its context.
//
// Proves: I16.4/receipts
func TestAwait(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		n := newNode(t, "a", place)
		n.start()
		n.settle()
		n.say(id(0), 5)
		began := time.Now()
		if !n.ship.Await(t.Context(), id(0), 5) || n.has(id(0)).Head != 5 {
			t.Error("Core has it, and nobody is told")
		}
		if took := time.Since(began); took >= interval {
			t.Errorf("it took %v, with somebody who waits", took)
		}
		place.FallSilent()
		n.say(id(0), 1)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if began = time.Now(); n.ship.Await(ctx, id(0), 6) || time.Since(began) != 300*time.Millisecond {
			t.Errorf("it waited for %v", time.Since(began))
		}
		n.ship.book.mu.Lock()
		if left := len(n.ship.book.ways[id(0)].awaiting); left != 0 {
			t.Errorf("%d waiters are left", left)
		}
		n.ship.book.mu.Unlock()
		place.Return()
		n.settle()
		n.end()
	})
}

// TestCloseDoesNotHang: a daemon that ends waits for a silent Core as long as it was told, and for one that answers until it has everything.
func TestCloseDoesNotHang(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		n := newNode(t, "a", place)
		n.start()
		n.settle()
		place.FallSilent()
		n.say(id(0), 5)
		time.Sleep(time.Second)
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		n.ship.Close(ctx)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("it took %v", took)
		}
		place.Return()
		n.rest(id(0))
		n.start()
		n.say(id(1), 5000)
		n.end() // at once
		n.verify()
	})
}

// TestRefusedContent: a batch that Core refuses, with all that is sent in the same call, does not keep the others from it: it is found out, told, and left.
//
// Proves: I16.4/refused
func TestRefusedContent(t *testing.T) {
	inTime(t, func(t *testing.T) {
		n := newNode(t, "a", new(corememory.Place))
		n.refuses = id(3)
		n.start()
		for i := range 9 {
			n.say(id(i), 2)
		}
		n.settle()
		for i := range 9 {
			if p := n.has(id(i)); (p.Head == 2) == (i == 3) {
				t.Errorf("session %d: %+v", i, p)
			}
		}
		if p := n.problem(id(3)); p == nil || p.Kind != KindRefused {
			t.Errorf("problem %+v", p)
		}
		if s := n.ship.State(); !s.Up || s.Waiting != 0 {
			t.Errorf("state %+v", s)
		}
		n.say(id(1), 2)
		synctest.Wait()
		time.Sleep(2 * interval)
		if p := n.has(id(1)); p.Head != 4 {
			t.Errorf("head %d: it waits for the one that is refused", p.Head)
		}
		n.end()
	})
}

// TestProblemOutlivesFailure: what is found out about a session counts also where the turn that finds it out fails at another one.
func TestProblemOutlivesFailure(t *testing.T) {
	inTime(t, func(t *testing.T) {
		place := new(corememory.Place)
		a := newNode(t, "a", place)
		a.start()
		a.say(id(0), 2)
		a.settle()
		a.end()
		place.Disturb(func(op string) error {
			if op == "take" {
				return errors.New("connection reset by peer")
			}
			return nil
		}, nil)
		b := newNode(t, "b", place)
		b.start()
		b.settle()
		b.say(id(0), 2)
		b.say(id(1), 2)
		b.settle()
		if p := b.problem(id(0)); p == nil || p.Kind != KindFenced {
			t.Errorf("problem %+v", p)
		}
		if s := b.ship.State(); s.Up || s.Waiting != 1 || s.Problems[KindFenced] != 1 {
			t.Errorf("state %+v", s)
		}
		place.Disturb(nil, nil)
		b.settle()
		if p := b.has(id(1)); p.Head != 2 {
			t.Errorf("the other session has head %d in Core", p.Head)
		}
		b.end()
	})
}

// TestProblemIsOver: a session with a problem that has shown something since is tried again soon, though it says nothing more.
func TestProblemIsOver(t *testing.T) {
	inTime(t, func(t *testing.T) {
		n := newNode(t, "a", new(corememory.Place))
		n.start()
		n.say(id(0), 10)
		n.settle()
		whole := n.logs[id(0)].Log()
		n.ship.Shown(id(0), spoiled{whole}, 11, false)
		synctest.Wait()
		time.Sleep(2 * interval)
		if p := n.problem(id(0)); p == nil {
			t.Fatal("there is no problem")
		}
		n.say(id(0), 3) // while nothing is tried
		time.Sleep(2 * retryAfter)
		if p := n.has(id(0)); p.Head != 13 || n.problem(id(0)) != nil {
			t.Errorf("head %d, problem %+v", p.Head, n.problem(id(0)))
		}
		n.end()
	})
}

// TestRecordCannotBeRead: a session of which the record cannot be read has a problem, which is tried again now and then, and over with the record. One that was told is
// enough.
//
// Proves: I16.4/stuck
func TestRecordCannotBeRead(t *testing.T) {
	inTime(t, func(t *testing.T) {
		n := newNode(t, "a", new(corememory.Place))
		n.lost.Store(true)
		n.start()
		n.say(id(0), 5)
		time.Sleep(time.Minute)
		if p := n.problem(id(0)); p == nil || p.Kind != KindUnread {
			t.Errorf("problem %+v", p)
		}
		if asked := n.asked.Load(); asked > 20 {
			t.Errorf("Core was asked %d times within a minute", asked)
		}
		n.say(id(1), 3)
		n.ship.Told(id(1), func() core.Record {
			return core.Record{Session: id(1), Root: id(1), Agent: "scripted", State: "idle", Workspace: "node:a"}
		})
		n.settle()
		if p := n.has(id(1)); p.Head != 3 {
			t.Errorf("of the session that has told, Core has %d events", p.Head)
		}
		n.lost.Store(false)
		time.Sleep(surveyEvery + callTime)
		if p := n.has(id(0)); p.Head != 5 || n.problem(id(0)) != nil {
			t.Errorf("Core has %d events, and the problem is %+v", p.Head, n.problem(id(0)))
		}
		n.end()
	})
}
