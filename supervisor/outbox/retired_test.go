package outbox

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

func retiredOn(d *disktest.Disk) *retired {
	r := readRetired("", d, zap.NewNop())
	r.few = -1
	return r
}

// TestRetiredOutlivesAnything: what was noted is known behind a kill and a loss of power at any moment, and behind a disk that fails at any; of what is under way
// the next life knows what was before, or what it was to be.
//
// Proves: I16.6/retired
func TestRetiredOutlivesAnything(t *testing.T) {
	id := func(i int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", i) }
	steps := []func(r *retired) error{}
	for i := range 5 {
		steps = append(steps, func(r *retired) error { return r.put(id(i), protocol.Cursor{Epoch: 1, Seq: uint64(i + 1)}) })
	}
	steps = append(steps,
		func(r *retired) error { return r.drop(id(1)) },
		func(r *retired) error { return r.put(id(2), protocol.Cursor{Epoch: 7, Seq: 9}) },
		func(r *retired) error { return r.keep(func(x string) bool { return x == id(2) || x == id(4) }) },
		func(r *retired) error { return r.put(id(5), protocol.Cursor{Epoch: 1, Seq: 3}) },
	)
	whole := disktest.New()
	r := retiredOn(whole)
	known, ends := []map[string]protocol.Cursor{{}}, []int{whole.Count()}
	for _, step := range steps {
		if err := step(r); err != nil {
			t.Fatal(err)
		}
		known, ends = append(known, maps.Clone(r.at)), append(ends, whole.Count())
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range whole.Count() + 1 {
		k := 0
		for k+1 < len(ends) && ends[k+1] <= n {
			k++
		}
		for how, left := range map[string]*disktest.Disk{"a kill": whole.Kill(n), "a loss of power": whole.Crash(n, random)} {
			found := retiredOn(left)
			if !maps.Equal(found.at, known[k]) && (k+1 == len(known) || !maps.Equal(found.at, known[k+1])) {
				t.Errorf("%s behind %d operations, step %d: %v, want %v", how, n, k, found.at, known[k])
			}
			if err := found.put(id(9), protocol.Cursor{Epoch: 1, Seq: 1}); err != nil {
				t.Fatal(err)
			}
			if again := retiredOn(left); !maps.Equal(again.at, found.at) {
				t.Errorf("%s behind %d operations: then %v, want %v", how, n, again.at, found.at)
			}
		}
	}
	for n := range whole.Count() {
		for short := range 50 { // of a line
			d := disktest.New()
			d.FailAt(n, syscall.ENOSPC, short)
			r := retiredOn(d)
			for _, step := range steps {
				err := step(r)
				switch {
				case errors.Is(err, syscall.ENOSPC): // the daemon ends behind it, and another one begins
					r = retiredOn(d)
				case err != nil:
					t.Errorf("operation %d: %v", n, err)
				}
			}
			if err := r.put(id(9), protocol.Cursor{Epoch: 1, Seq: 1}); err != nil {
				t.Errorf("behind a failure of operation %d: %v", n, err)
			}
			if again := retiredOn(d); !maps.Equal(again.at, r.at) {
				t.Errorf("behind a failure of operation %d: %v, want %v", n, again.at, r.at)
			}
		}
	}
}

// TestGoingDoesNotReturn: a session whose folder retention is removing does not come back before that is done.
//
// Proves: I16.6/retired
func TestGoingDoesNotReturn(t *testing.T) {
	const one = "00000000-0000-4000-8000-000000000001"
	r := retiredOn(disktest.New())
	o, at, told := &Outbox{retired: r}, protocol.Cursor{Epoch: 1, Seq: 3}, ""
	o.OnRetired(func(id string) { told = id })
	r.goes(one, true)
	if err := r.put(one, at); err != nil {
		t.Fatal(err)
	}
	if o.MayReturn(one, at) || !o.IsRetired(one, at) || told != "" {
		t.Error("it is being removed, and may come back")
	}
	if o.Retired(one); !o.MayReturn(one, at) || told != one {
		t.Errorf("it has gone, and may not come back; told of %q", told)
	}
}

// TestRetiredThatMakesNoSense: lines that somebody has written over cost what they said, and nothing else.
//
// Proves: I16.6/retired
func TestRetiredThatMakesNoSense(t *testing.T) {
	d := disktest.New()
	f, err := d.Create(retiredFile)
	if err != nil {
		t.Fatal(err)
	}
	const good = "00000000-0000-4000-8000-000000000001"
	if _, err := f.Write([]byte("\x00\x00\n" + good + " 5\n" + good + " five\n../x 3\n00000000-0000-4000-8000-0000")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	r := retiredOn(d)
	if want := map[string]protocol.Cursor{good: {Epoch: 1, Seq: 5}}; !maps.Equal(r.at, want) || !r.torn {
		t.Errorf("%v, torn: %t", r.at, r.torn)
	}
}
