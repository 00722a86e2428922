package memory_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/objects/objectstest"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// TestStore holds the store in memory against the contract.
func TestStore(t *testing.T) {
	objectstest.Run(t, func(testing.TB) *objectstest.Place {
		p := new(memory.Place)
		return &objectstest.Place{Long: true, Way: func(testing.TB) objects.Store { return p.Store() }}
	})
}

var (
	errLost = errors.New("connection lost")
	digest  = objects.Bytes(nil).SHA256
	key     = objects.ImageKey("0199a7a0-0000-7000-8000-000000000001", digest)
)

func away(t *testing.T, err, reason error) {
	t.Helper()
	var is *objects.AwayError
	if !errors.As(err, &is) || reason != nil && !errors.Is(err, reason) {
		t.Errorf("the error is %v", err)
	}
}

func TestAwayAndBack(t *testing.T) {
	p := new(memory.Place)
	s := p.Store()
	if fresh, err := s.Put(t.Context(), key, objects.Bytes([]byte("picture"))); !fresh || err != nil {
		t.Fatal(fresh, err)
	}
	r, err := s.Get(t.Context(), key, 0, objects.Whole)
	if err != nil {
		t.Fatal(err)
	}
	p.Leave()
	_, err = s.Stat(t.Context(), key)
	away(t, err, nil)
	_, err = r.Read(make([]byte, 1))
	away(t, err, nil)
	p.Return()
	if b, err := io.ReadAll(r); err != nil || string(b) != "picture" {
		t.Errorf("read %q, %v", b, err)
	}
}

// A call that fails behind its work has happened.
func TestFailsBehindItsWork(t *testing.T) {
	p := new(memory.Place)
	s := p.Store()
	p.Disturb(nil, func(op string) error {
		if op == "put" {
			return errLost
		}
		return nil
	})
	fresh, err := s.Put(t.Context(), key, objects.Bytes([]byte("picture")))
	away(t, err, errLost)
	p.Disturb(func(op string) error { return &objects.AccessError{Op: op, Err: errLost} }, nil)
	var access *objects.AccessError
	if _, err := s.Stat(t.Context(), key); !errors.As(err, &access) {
		t.Errorf("the error is %v", err)
	}
	p.Disturb(nil, nil)
	if info, err := s.Stat(t.Context(), key); fresh || err != nil || info.Size != 7 {
		t.Errorf("%v, %+v, %v", fresh, info, err)
	}
	if fresh, err := s.Put(t.Context(), key, objects.Bytes([]byte("picture"))); fresh || err != nil {
		t.Errorf("put again: %v, %v", fresh, err)
	}
}

func TestSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := new(memory.Place)
		s := p.Store()
		p.FallSilent()
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, err := s.Stat(ctx, key)
		away(t, err, context.DeadlineExceeded)
		if waited := time.Since(began); waited != 3*time.Second {
			t.Errorf("waited for %v", waited)
		}
		time.AfterFunc(time.Second, p.Return)
		if err := s.Delete(t.Context(), key); err != nil || time.Since(began) != 4*time.Second {
			t.Errorf("deleted after %v, %v", time.Since(began), err)
		}
		p.FallSilent()
		time.AfterFunc(time.Second, s.Close)
		away(t, s.Delete(t.Context(), key), nil)
	})
}
