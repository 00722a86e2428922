package cold_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold/coldtest"
	"github.com/ringmaster-agents/ringmaster/actors/core/coretest"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/fate"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	objectsmemory "github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/objects/s3"
	"github.com/ringmaster-agents/ringmaster/actors/objects/s3/s3test"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

var errLost = errors.New("the call or its answer was lost")

// TestNobodyCanTell: a Core whose events go into objects all the time is a Core as any other.
//
// Proves: I16.5/byte-equal
func TestNobodyCanTell(t *testing.T) {
	var moved atomic.Int64
	coretest.Run(t, func(*testing.T) *coretest.Place {
		p, objects := new(memory.Place), new(objectsmemory.Place)
		return &coretest.Place{
			Long: !testing.Short(),
			Way:  func(testing.TB) core.Core { return coldtest.Eager(p.Core(), objects.Store(), &moved) },
			Turn: p.Turn,
			Disturb: func(on bool) {
				if p.Disturb(nil, nil); on {
					p.Disturb(fate.Sometimes(1, errLost), fate.Sometimes(2, errLost))
				}
			},
		}
	})
	t.Logf("%d segments were made", moved.Load())
	if moved.Load() < 1000 {
		t.Error("hardly anything was moved")
	}
}

// TestCold holds the Core in memory, and a store in memory, against the contract of moving events.
//
// Proves: I16.5/compactor, I16.5/away
func TestCold(t *testing.T) {
	coldtest.Run(t, func(*testing.T) *coldtest.Place {
		p, o := new(memory.Place), new(objectsmemory.Place)
		return &coldtest.Place{
			Long:  !testing.Short(),
			Way:   func(testing.TB) core.Core { return p.Core() },
			Store: o.Store,
			Turn:  p.Turn,
			Disturb: func(on bool) {
				p.Disturb(nil, nil)
				if o.Disturb(nil, nil); on {
					p.Disturb(fate.Sometimes(1, errLost), fate.Sometimes(2, errLost))
					o.Disturb(fate.Sometimes(3, errLost), fate.Sometimes(4, errLost))
				}
			},
		}
	})
}

// TestColdOnServer holds the Core in memory and a real S3 server against it; each case has a beginning of keys for itself.
func TestColdOnServer(t *testing.T) {
	server := s3test.Start(t)
	cases := 0
	coldtest.Run(t, func(t *testing.T) *coldtest.Place {
		cases++
		p := new(memory.Place)
		o := s3.Options{
			Bucket: s3test.Bucket, Endpoint: server.Endpoint(), Region: s3test.Region, Prefix: fmt.Sprintf("case/%d/", cases),
			Keys: func() (s3.Keys, error) { return s3.Keys{ID: s3test.ID, Secret: s3test.Secret}, nil },
		}
		return &coldtest.Place{
			Way: func(testing.TB) core.Core { return p.Core() },
			Store: func() objects.Store {
				s, err := s3.Open(o)
				if err != nil {
					t.Fatal(err)
				}
				return s
			},
			Turn: p.Turn,
			Disturb: func(on bool) {
				if p.Disturb(nil, nil); on {
					p.Disturb(fate.Sometimes(1, errLost), fate.Sometimes(2, errLost))
				}
			},
		}
	})
}

// moving is a Core with sessions that have an event each, and a store, in virtual time.
type moving struct {
	*testing.T
	place  *memory.Place
	bucket *objectsmemory.Place
	core   core.Core
	told   *observer.ObservedLogs
	at     []core.Position
}

func begun(t *testing.T, sessions int) *moving {
	t.Helper()
	runtime.GC() // the encoders and decoders that are kept for whoever is next are of another test's bubble; the second one takes them
	runtime.GC()
	m := &moving{T: t, place: new(memory.Place), bucket: new(objectsmemory.Place)}
	m.core = m.place.Core()
	owner, err := m.core.Join(t.Context(), "a")
	m.must(err)
	for n := range sessions {
		at, err := m.core.Take(t.Context(), owner, []core.Record{{Session: fmt.Sprintf("0199a7a0-0000-7000-8000-%012x", n)}})
		m.must(err)
		m.at = append(m.at, at[0])
		m.say(n)
	}
	return m
}

func (m *moving) must(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

// say appends an event to a session.
func (m *moving) say(n int) {
	m.Helper()
	st := store.Stretch{First: m.at[n].Head + 1, Epoch: 1, Sources: []store.Made{{Count: 1}}, Lines: []byte("{}\n")}
	a, err := m.core.Append(m.Context(), []core.Batch{{Session: m.at[n].Session, Lease: m.at[n].Lease, Stretch: st}})
	if m.must(err); !a[0].Taken {
		m.Fatal(a)
	}
	m.at[n] = a[0].At
}

func (m *moving) remove(n int) {
	m.Helper()
	gone, err := m.core.Remove(m.Context(), m.at[n].Session, m.at[n].Lease)
	if m.must(err); !gone {
		m.Fatal("it is there still")
	}
}

// begin has a Mover begin, whose store is that of the place as through sees it.
func (m *moving) begin(through func(s objects.Store) objects.Store) *cold.Mover {
	log, told := observer.New(zap.InfoLevel)
	m.told = told
	return cold.Begin(cold.Config{
		Connect: func(context.Context) (core.Core, error) { return m.place.Core(), nil },
		Open:    func() (objects.Store, error) { return through(m.bucket.Store()), nil },
		Log:     zap.New(log),
	})
}

func as(s objects.Store) objects.Store { return s }

// later waits, and expects so many warnings until then. It gives how many objects the session has.
func (m *moving) later(by time.Duration, session, warnings int) (objects int) {
	m.Helper()
	<-time.After(by)
	synctest.Wait()
	if n := m.told.FilterLevelExact(zap.WarnLevel).Len(); n != warnings {
		m.Errorf("%d warnings, want %d: %v", n, warnings, m.told.All())
	}
	return m.stored(session)
}

func (m *moving) stored(session int) (n int) {
	s := m.bucket.Store()
	defer s.Close()
	for _, err := range s.List(m.Context(), objects.SessionPrefix(m.at[session].Session), "") {
		m.must(err)
		n++
	}
	return n
}

// TestMover: see its parts. They are in one bubble of time, since compressors are used again.
//
// Proves: I16.5/mover
func TestMover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, part := range []func(t *testing.T){moverWaits, moverIsFull, moverIsSlow} {
			part(t)
		}
	})
}

// moverWaits: what rests moves within a minute behind an hour, also where Core was away before, and what nobody names goes a day later.
func moverWaits(t *testing.T) {
	m := begun(t, 1)
	defer m.core.Close()
	m.place.Leave()
	mover := m.begin(as)
	defer mover.Close()
	if n := m.later(2*time.Hour, 0, 1); n != 0 { // one warning of one outage
		t.Errorf("%d objects while Core is away", n)
	}
	if works, moved := mover.Stands(); works || moved != 0 {
		t.Errorf("while Core is away it is told that it works: %t, %d moved", works, moved)
	}
	m.place.Return()
	if n := m.later(time.Minute, 0, 1); n != 1 {
		t.Errorf("%d objects", n)
	}
	if works, moved := mover.Stands(); !works || moved == 0 {
		t.Errorf("once events move it is told that it works: %t, %d moved", works, moved)
	}
	m.remove(0)
	if n := m.later(23*time.Hour, 0, 1); n != 1 {
		t.Error("its object went too early")
	}
	if n := m.later(2*time.Hour+time.Minute, 0, 1); n != 0 {
		t.Error("its object is there still")
	}
}

// moverIsFull: what is to go from a store that has no room goes, so that there is some.
func moverIsFull(t *testing.T) {
	const sessions = 20 // of which one is always to be tried, though what has failed is left for a while
	m := begun(t, sessions)
	defer m.core.Close()
	mover := m.begin(as)
	defer mover.Close()
	if n := m.later(time.Hour+2*time.Minute, 0, 0); n != 1 {
		t.Errorf("%d objects", n)
	}
	m.bucket.Disturb(func(op string) error {
		if op == "put" {
			return &objects.FullError{Op: op, Err: errLost}
		}
		return nil
	}, nil)
	m.remove(0)
	for n := 1; n < sessions; n++ {
		m.say(n)
	}
	if n := m.later(26*time.Hour, 0, 1); n != 0 {
		t.Error("nothing goes from a store that is full")
	}
}

// TestPassEnds: a pass is not as long as there are sessions where the store takes nothing, or hardly a row can be read.
func TestPassEnds(t *testing.T) {
	m := begun(t, 30)
	defer m.core.Close()
	s := m.bucket.Store()
	defer s.Close()
	tried := 0
	fails := func(of string, err error) func(op string) error {
		return func(op string) error {
			if op != of {
				return nil
			}
			tried++
			return err
		}
	}
	for _, c := range []struct {
		disturb func(before, after func(op string) error)
		before  func(op string) error
		want    int
	}{
		{m.bucket.Disturb, fails("put", &objects.FullError{Op: "put", Err: errLost}), 1},
		{m.bucket.Disturb, fails("put", &objects.RefusedError{Op: "put", Err: errLost}), 10},
		{m.place.Disturb, fails("stretches", errLost), 10},
	} {
		tried = 0
		c.disturb(c.before, nil)
		_, err := (&cold.Compactor{Core: m.core, Store: s, Rest: time.Nanosecond}).Pass(t.Context())
		c.disturb(nil, nil)
		if err == nil || tried != c.want {
			t.Errorf("%d were tried, want %d: %v", tried, c.want, err)
		}
		m.place.Turn(core.Busy + time.Second)
	}
}

// TestStrays: what Core has never heard of is told once it is a day old by the store's clock, and nothing else is.
func TestStrays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := begun(t, 1)
		defer m.core.Close()
		s := m.bucket.Store()
		defer s.Close()
		put := func(n uint64) string {
			k := objects.Attempt(objects.LogKey(m.at[0].Session, n, n, objects.Digest{}))
			if _, err := s.Put(t.Context(), k, objects.Bytes([]byte("x"))); err != nil {
				t.Fatal(err)
			}
			return k
		}
		var want, got []string
		for n := range objects.Page + 2 {
			want = append(want, put(uint64(n+1)))
		}
		known := put(objects.Page + 9)
		if ok, err := m.core.Intend(t.Context(), m.at[0].Session, known); err != nil || !ok {
			t.Fatal(ok, err)
		}
		<-time.After(core.Forsaken)
		put(objects.Page + 10) // which is young
		for info, err := range (&cold.Compactor{Core: m.core, Store: s}).Strays(t.Context()) {
			m.must(err)
			got = append(got, info.Key)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d strays, want %d", len(got), len(want))
		}
	})
}

// TestManySmallRows: no transaction takes more rows than some thousands, however small they are.
func TestManySmallRows(t *testing.T) {
	m := begun(t, 1)
	defer m.core.Close()
	for range 10_000 {
		m.say(0)
	}
	s := m.bucket.Store()
	defer s.Close()
	r, err := (&cold.Compactor{Core: m.core, Store: s, Rest: time.Nanosecond}).Pass(t.Context())
	if err != nil || r.Segments != 2 || r.Events != 10_001 {
		t.Errorf("the pass has done %+v, %v", r, err)
	}
}

// slow is a store that takes its time.
type slow struct{ objects.Store }

func (s *slow) Put(ctx context.Context, key string, body objects.Body) (bool, error) {
	select {
	case <-ctx.Done():
		return false, &objects.AwayError{Op: "put", Err: ctx.Err()}
	case <-time.After(3 * time.Minute):
		return s.Store.Put(ctx, key, body)
	}
}

// moverIsSlow: where there is more to move than a pass has time for, the next ones go on. That is nothing to warn of, and what is to go goes meanwhile.
func moverIsSlow(t *testing.T) {
	m := begun(t, 1000)
	defer m.core.Close()
	mover := m.begin(func(s objects.Store) objects.Store { return &slow{s} })
	defer mover.Close()
	if n := m.later(2*time.Hour, 0, 0); n != 1 {
		t.Errorf("%d objects", n)
	}
	m.remove(0)
	if n := m.later(26*time.Hour, 0, 0); n != 0 {
		t.Error("nothing goes while there is more to move")
	}
	if m.stored(1) != 1 || m.stored(999) != 0 {
		t.Error("the store is not slow, or nothing moves")
	}
}
