package submission

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/api/submission/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func now() time.Time { return time.UnixMilli(1_767_225_600_000) }

func call(key, content string) core.Submission {
	return core.Submission{Key: core.Key{By: "ann", Name: key}, Operation: "end", Sum: content, LookAt: "/sessions/s"}
}

func opened(t *testing.T, d *disktest.Disk) *Submissions {
	t.Helper()
	s, err := Open(".", d, now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func submit(t *testing.T, s *Submissions, sub core.Submission) (*Running, core.Verdict) {
	t.Helper()
	running, v, err := s.Submit(t.Context(), sub)
	if err != nil {
		t.Fatal(err)
	}
	return running, v
}

// promise is how far a call had come at which change of the disk.
type promise struct {
	accepted, answered int // changes before; -1: never
	body               string
}

// TestCrashes lets power fail behind every change of the disk, and the daemon be killed: what was said to be accepted is known, what was said to be answered has that
// answer, and an answer that was never given is not made up.
//
// Proves: I13.4/crashes
func TestCrashes(t *testing.T) {
	d := disktest.New()
	var promises []promise
	random := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		s := opened(t, d)
		for range 12 {
			p := promise{-1, -1, fmt.Sprintf("%d: ", len(promises)) + strings.Repeat("é", random.IntN(40))}
			running, v := submit(t, s, call(fmt.Sprint(len(promises)), "a"))
			if running == nil {
				t.Fatalf("a new key is %+v", v)
			}
			p.accepted = len(d.Ops(0))
			switch random.IntN(4) {
			case 0:
				running.Refused(core.Answer{Status: 409})
				p.accepted = -1 // it may come again
			case 1:
				running.Unsure()
			default:
				running.Done(core.Answer{Status: 200, Type: "t", Location: "l", Body: p.body})
				p.answered = len(d.Ops(0))
			}
			promises = append(promises, p)
		}
		s.Close()
		crash(t, d, promises)
		d = again(t, d, promises)
	}
}

// crash looks at what could be left at each change of a life; what was promised in earlier ones holds at all of them.
func crash(t *testing.T, d *disktest.Disk, promises []promise) {
	t.Helper()
	states, r := 0, d.Replay()
	for n := 0; ; n++ {
		for choice := range 6 {
			left := r.Kill()
			if choice > 0 {
				left = r.Crash(rand.New(rand.NewPCG(uint64(n), uint64(choice))))
			}
			held(t, left, promises, n, fmt.Sprintf("after %d changes, choice %d", n, choice))
			states++
		}
		if _, more := r.Next(); !more {
			t.Logf("%d states of the disk", states)
			return
		}
	}
}

// again is a disk after a kill, on which everything that was promised holds from the start.
func again(t *testing.T, d *disktest.Disk, promises []promise) *disktest.Disk {
	t.Helper()
	left := d.Kill(len(d.Ops(0)))
	for i := range promises {
		promises[i].accepted, promises[i].answered = min(promises[i].accepted, 0), min(promises[i].answered, 0)
	}
	return left
}

func held(t *testing.T, left *disktest.Disk, promises []promise, changes int, when string) {
	t.Helper()
	s := opened(t, left)
	defer s.Close()
	for i, p := range promises {
		running, v := submit(t, s, call(fmt.Sprint(i), "a"))
		accepted, answered := p.accepted >= 0 && p.accepted <= changes, p.answered >= 0 && p.answered <= changes
		switch {
		case running != nil:
			if accepted {
				t.Fatalf("%s: call %d is done twice", when, i)
			}
			running.Unsure()
		case v.Kind == core.Repeated && v.Answer != (core.Answer{Status: 200, Type: "t", Location: "l", Body: p.body}):
			t.Fatalf("%s: call %d has the answer %+v", when, i, v.Answer)
		case answered && v.Kind != core.Repeated:
			t.Fatalf("%s: the answer of call %d is lost: %+v", when, i, v)
		}
	}
}

// TestFullDisk: what the disk does not take is not carried out, and may be tried again with its key.
//
// Proves: I13.4/full
func TestFullDisk(t *testing.T) {
	d := disktest.New()
	s := opened(t, d)
	defer s.Close()
	done, _ := submit(t, s, call("before", "a"))
	done.Done(core.Answer{Status: 200, Body: "ok"})
	d.Fail(func(int, disktest.Op) *disktest.Fault { return &disktest.Fault{Err: syscall.ENOSPC, Short: 3} })
	running, v := submit(t, s, call("k", "a"))
	if p := NotKept(v.Err); running != nil || v.Kind != core.Unkept || p.Code != protocol.CodeReadOnly || p.Hint == "" {
		t.Fatalf("on a full disk: %+v", v)
	}
	if _, v := submit(t, s, call("before", "a")); v.Kind != core.Repeated {
		t.Errorf("what was answered before is %+v", v)
	}
	d.Fail(nil)
	running, v = submit(t, s, call("k", "a"))
	if running == nil {
		t.Fatalf("with room again: %+v", v)
	}
	d.Fail(func(int, disktest.Op) *disktest.Fault { return &disktest.Fault{Err: syscall.ENOSPC, Short: 3} })
	running.Done(core.Answer{Status: 200, Body: "late"})
	if _, v := submit(t, s, call("k", "a")); v.Kind != core.Repeated || v.Answer.Body != "late" {
		t.Errorf("an answer that the disk did not take: %+v", v)
	}
	d.Fail(nil)
	next, _ := submit(t, s, call("l", "a"))
	next.Unsure()
	s.Close()
	later := opened(t, d)
	defer later.Close()
	for key, kind := range map[string]core.Kind{"before": core.Repeated, "k": core.Repeated, "l": core.Uncertain} {
		if _, v := submit(t, later, call(key, "a")); v.Kind != kind {
			t.Errorf("%s in the next life: %+v", key, v)
		}
	}
}

// TestRepeatsWait: a repeat waits for the first one's answer, and no longer than it wants.
//
// Proves: I13.4/waits
func TestRepeatsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(time.Now)
		running, _ := submit(t, s, call("k", "a"))
		impatient, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("enough"))
		defer cancel()
		if _, _, err := s.Submit(impatient, call("k", "a")); err == nil || err.Error() != "enough" {
			t.Errorf("the impatient got %v", err)
		}
		got := make(chan core.Verdict, 3)
		for range cap(got) {
			go func() {
				_, v, err := s.Submit(context.Background(), call("k", "a"))
				if err != nil {
					t.Error(err)
				}
				got <- v
			}()
		}
		synctest.Wait()
		if len(got) > 0 {
			t.Fatalf("a repeat did not wait: %+v", <-got)
		}
		running.Done(core.Answer{Status: 202, Body: "ok"})
		for range cap(got) {
			if v := <-got; v.Kind != core.Repeated || v.Answer.Body != "ok" {
				t.Errorf("a repeat got %+v", v)
			}
		}
		if len(s.tickets)+len(s.numbers) > 0 {
			t.Errorf("%d tickets are left, %d wait", len(s.tickets), len(s.numbers))
		}
	})
}

// TestClosed: after Close nothing is written any more, for the file may be another daemon's.
func TestClosed(t *testing.T) {
	d := disktest.New()
	s := opened(t, d)
	late, _ := submit(t, s, call("late", "a"))
	s.Close()
	changes := len(d.Ops(0))
	late.Done(core.Answer{Status: 200})
	if running, v := submit(t, s, call("new", "a")); running != nil || NotKept(v.Err).Code != protocol.CodeUnavailable {
		t.Errorf("a new one is %+v", v)
	}
	if n := len(d.Ops(0)); n != changes {
		t.Errorf("%d changes of the disk behind the end", n-changes)
	}
	next := opened(t, d)
	defer next.Close()
	if _, v := submit(t, next, call("late", "a")); v.Kind != core.Uncertain {
		t.Errorf("what was at work at the end is %+v", v)
	}
}

// TestBounded: the file does not grow with what does not count any more, neither with calls that were refused nor with long answers that were forgotten.
func TestBounded(t *testing.T) {
	limits := core.Usual
	limits.Bytes = 2 << 20
	long := core.Answer{Status: 200, Body: strings.Repeat("x", limits.Body)}
	for what, row := range map[string]struct {
		calls int
		end   func(*Running)
		most  int64
	}{
		"refused":   {7000, func(r *Running) { r.Refused(core.Answer{Status: 409}) }, slack + 4<<10},
		"forgotten": {150, func(r *Running) { r.Done(long) }, 2*int64(limits.Bytes) + slack + 1<<20},
	} {
		d := disktest.New()
		s := opened(t, d)
		s.core = core.New(limits)
		most := int64(0)
		for i := range row.calls {
			running, _ := submit(t, s, call(fmt.Sprint(i), "a"))
			row.end(running)
			f, err := d.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			info, err := f.Stat()
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, info.Size())
			_ = f.Close()
		}
		s.Close()
		if most > row.most {
			t.Errorf("%s: the file had %d bytes, more than %d", what, most, row.most)
		}
	}
}
