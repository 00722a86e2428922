package shipper

import (
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// TestAnyHistory: whatever becomes of sessions, of the daemon, of the machine and of Core, in the end Core has what the logs have, byte for byte, and nothing of
// what was deleted.
//
// Proves: I16.4/any-history
func TestAnyHistory(t *testing.T) {
	lives := 1500
	if testing.Short() {
		lives = 200
	}
	for seed := range lives {
		synctest.Test(t, func(t *testing.T) { walk(t, rand.New(rand.NewPCG(uint64(seed), 16))) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func walk(t *testing.T, random *rand.Rand) {
	place := new(corememory.Place)
	n := newNode(t, "a", place)
	if random.IntN(2) == 0 { // many parcels a turn
		n.sizes = sizes{stretch: store.Most{Events: 1 + random.IntN(5), Bytes: 1 << 20}, parcel: 1 + random.IntN(2000), turn: 1 + random.IntN(10_000)}
	}
	n.start()
	moments := []*corememory.Moment{place.Moment()}
	wentBack, made := false, 0
	chance := rand.New(rand.NewPCG(random.Uint64(), 1)) // of the place, which asks one call after another
	fails := func(string) error {
		if chance.IntN(4) == 0 {
			return errors.New("connection reset by peer")
		}
		return nil
	}
	for range 60 {
		ids := n.ids()
		switch pick := random.IntN(100); {
		case pick < 10 || len(ids) == 0:
			n.say(id(made), 1+random.IntN(4))
			made++
		case pick < 50:
			n.say(ids[random.IntN(len(ids))], 1+random.IntN(40))
		case pick < 56:
			if one := ids[random.IntN(len(ids))]; n.logs[one] != nil {
				if err := n.logs[one].Sync(); err != nil {
					t.Fatal(err)
				}
			}
		case pick < 60:
			if one := ids[random.IntN(len(ids))]; n.logs[one] != nil {
				n.rest(one)
			}
		case pick < 63:
			n.remove(ids[random.IntN(len(ids))])
		case pick < 67:
			n.kill()
			n.start()
			n.takeUp(false)
		case pick < 71:
			n.losePower(random)
			n.start()
			n.takeUp(true)
		case pick < 75:
			place.Leave()
		case pick < 78:
			place.FallSilent()
		case pick < 82:
			place.Disturb(nil, fails)
		case pick < 84:
			place.Disturb(fails, nil)
		case pick < 88:
			moments = append(moments, place.Moment())
		case pick < 91:
			place.GoBack(moments[random.IntN(len(moments))])
			wentBack = true
		default:
			place.Return()
			place.Disturb(nil, nil)
		}
		time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond)
	}
	place.Return()
	place.Disturb(nil, nil)
	n.settle()
	time.Sleep(surveyEvery + callTime)
	n.settle()
	n.verify()
	if s := n.ship.State(); s.Waiting != 0 || s.Behind != 0 || len(s.Problems) != 0 {
		t.Errorf("state %+v", s)
	}
	for i := range made {
		if p := n.has(id(i)); p.Session != "" && !n.is(id(i)) && !wentBack { // a Core that goes back has again what was deleted
			t.Errorf("%s was deleted, and Core has it", id(i))
		}
	}
	n.end()
}
