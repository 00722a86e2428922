package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// followed is what a follower saw.
type followed struct {
	seqs   []uint64
	resets int
	waits  []time.Duration
	at     protocol.Cursor
	err    error
	took   time.Duration
}

// follow reads the fake's session in virtual time, and stops after so many events; 0: not by itself.
func follow(t *testing.T, d *fakeDaemon, since protocol.Cursor, stop int) (f followed) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		for u, err := range d.client().Follow(t.Context(), "s1", since) {
			switch u := u.(type) {
			case nil:
				f.err = err
			case Line:
				if got := string(u.Raw); got != event(u.Event.Seq) {
					t.Errorf("the line is %s", got)
				}
				f.seqs = append(f.seqs, u.Event.Seq)
				f.at = u.At
			case Reset:
				f.resets++
				f.seqs = nil
			case Lost:
				f.waits = append(f.waits, u.Wait)
			}
			if stop > 0 && (len(f.seqs) == stop || len(f.waits) == stop) {
				break
			}
		}
		f.took = time.Since(began)
	})
	return f
}

func upTo(from, to uint64) []uint64 {
	var list []uint64
	for n := from; n <= to; n++ {
		list = append(list, n)
	}
	return list
}

func TestFollowAcrossLostConnections(t *testing.T) {
	d := &fakeDaemon{epoch: 1, log: 20, ended: true, plans: []plan{
		{events: 3},
		{refuse: errCut},
		{events: 0},
		{events: 5, retry: "retry: 2000\n\n"},
		{problem: protocol.NewProblem(protocol.CodeOverloaded, "", "")},
		{events: 2, silent: true},
	}}
	f := follow(t, d, protocol.Cursor{}, 0)
	if f.err != nil || !slices.Equal(f.seqs, upTo(1, 20)) {
		t.Errorf("got %v, %v", f.seqs, f.err)
	}
	if want := []string{"", "3", "3", "3", "8", "8", "10", "20"}; !slices.Equal(d.requests, want) {
		t.Errorf("connections from %q, want %q", d.requests, want)
	}
	if f.waits[3] < 2*time.Second || f.waits[3] > 3*time.Second {
		t.Errorf("the daemon asked for 2 s: %v", f.waits)
	}
	if f.took < silence || f.took > silence+30*time.Second {
		t.Errorf("a silent connection was held for %v", f.took)
	}
}

func TestFollowFromACursor(t *testing.T) {
	d := &fakeDaemon{epoch: 3, log: 9, ended: true, plans: []plan{{events: 2}}}
	f := follow(t, d, protocol.Cursor{Epoch: 3, Seq: 4}, 0)
	if f.err != nil || !slices.Equal(f.seqs, upTo(5, 9)) || f.at.String() != "3.9" {
		t.Errorf("got %v at %v, %v", f.seqs, f.at, f.err)
	}
	if want := []string{"3.4", "3.6", "3.9"}; !slices.Equal(d.requests, want) {
		t.Errorf("connections from %q", d.requests)
	}
}

func TestFollowHonoursAReset(t *testing.T) {
	d := &fakeDaemon{epoch: 2, log: 4, ended: true, plans: []plan{{events: 2}}}
	f := follow(t, d, protocol.Cursor{Epoch: 1, Seq: 7}, 0)
	if f.err != nil || f.resets != 1 || !slices.Equal(f.seqs, upTo(1, 4)) {
		t.Errorf("got %v, %d resets, %v", f.seqs, f.resets, f.err)
	}
}

// TestFollowOverflows: what a text has beyond its log is told in its place, and is no line.
func TestFollowOverflows(t *testing.T) {
	frame := func(seq uint64) string { return fmt.Sprintf("id: %d\ndata: %s\n\n", seq, event(seq)) }
	d := &fakeDaemon{epoch: 1, log: 2, ended: true, plans: []plan{{
		frames: frame(1) + `data: {"type":"overflow","entryId":"e1","ts":5,"offset":7,"delta":{"op":"text_append","text":"more"}}` + "\n\n" + frame(2),
	}}}
	synctest.Test(t, func(t *testing.T) {
		var got []string
		for u, err := range d.client().Follow(t.Context(), "s1", protocol.Cursor{}) {
			switch u := u.(type) {
			case nil:
				t.Fatal(err)
			case Line:
				got = append(got, strconv.FormatUint(u.Event.Seq, 10))
			case Overflow:
				got = append(got, fmt.Sprintf("%s at %d: %s", u.EntryID, u.Offset, u.Delta.(*protocol.TextAppend).Text))
			}
		}
		if want := []string{"1", "e1 at 7: more", "2"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestFollowStops(t *testing.T) {
	f := follow(t, &fakeDaemon{epoch: 1, log: 20}, protocol.Cursor{}, 5)
	if f.err != nil || !slices.Equal(f.seqs, upTo(1, 5)) {
		t.Errorf("got %v, %v", f.seqs, f.err)
	}
}

func TestFollowEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		d := &fakeDaemon{epoch: 1, log: 2, plans: []plan{{events: 3, silent: true}}}
		time.AfterFunc(time.Second, func() { cancel(why) })
		var last error
		for _, err := range d.client().Follow(ctx, "s1", protocol.Cursor{}) {
			last = err
		}
		if !errors.Is(last, why) {
			t.Errorf("got %v", last)
		}
	})
}

func TestFollowRefusesGapsAndRepetitions(t *testing.T) {
	for name, seqs := range map[string][]int{"gap": {1, 3}, "again": {1, 2, 2}, "back": {1, 2, 1}} {
		var b strings.Builder
		for _, n := range seqs {
			fmt.Fprintf(&b, "id: %d\ndata: %s\n\n", n, event(uint64(n)))
		}
		f := follow(t, &fakeDaemon{epoch: 1, log: 9, plans: []plan{{frames: b.String()}}}, protocol.Cursor{}, 0)
		if !errors.Is(f.err, ErrGap) {
			t.Errorf("%s: %v", name, f.err)
		}
	}
}

func TestFollowHeartbeatsKeepTheConnection(t *testing.T) {
	beat := "id: 1\ndata: {\"type\":\"heartbeat\",\"seq\":1,\"ts\":5}\n\n"
	d := &fakeDaemon{epoch: 1, log: 2, ended: true, plans: []plan{{frames: "id: 1\ndata: " + event(1) + "\n\n" + beat + beat}}}
	f := follow(t, d, protocol.Cursor{}, 0)
	if f.err != nil || !slices.Equal(f.seqs, upTo(1, 2)) || d.requests[1] != "1" {
		t.Errorf("got %v, connections from %q, %v", f.seqs, d.requests, f.err)
	}
}

// A daemon that stays away is asked again and again, ever more rarely. One that was never there is not waited for, and what it refuses is final.
func TestFollowKeepsTrying(t *testing.T) {
	away := slices.Repeat([]plan{{refuse: errCut}}, 100)
	f := follow(t, &fakeDaemon{epoch: 1, log: 9, plans: append([]plan{{events: 1}}, away...)}, protocol.Cursor{}, 50)
	if f.err != nil || len(f.waits) != 50 || f.waits[0] != 0 || f.waits[1] < 125*time.Millisecond || f.waits[1] > 250*time.Millisecond ||
		f.waits[49] < 15*time.Second || f.waits[49] > 30*time.Second {
		t.Errorf("%v: waits %v", f.err, f.waits)
	}
	var gone *Unreachable
	f = follow(t, &fakeDaemon{plans: away}, protocol.Cursor{}, 0)
	if !errors.As(f.err, &gone) || f.took != 0 {
		t.Errorf("no daemon from the beginning, after %v: %v", f.took, f.err)
	}
	no := protocol.NewProblem(protocol.CodeSessionNotFound, "", "")
	f = follow(t, &fakeDaemon{plans: []plan{{problem: no}}}, protocol.Cursor{}, 0)
	if !errors.Is(f.err, no) {
		t.Errorf("no such session: %v", f.err)
	}
}

// Connections that bring a sign of life and nothing else do not make a client ask without a pause; one that has held for a while does not count against the next.
func TestFollowForgetsAfterQuiet(t *testing.T) {
	beat := "data: {\"type\":\"heartbeat\",\"seq\":1,\"ts\":5}\n\n"
	f := follow(t, &fakeDaemon{epoch: 1, log: 1, plans: slices.Repeat([]plan{{frames: beat}}, 100)}, protocol.Cursor{Epoch: 1, Seq: 1}, 20)
	if f.took < time.Minute {
		t.Errorf("20 connections in %v: %v", f.took, f.waits)
	}
	f = follow(t, &fakeDaemon{epoch: 1, log: 1, plans: slices.Repeat([]plan{{frames: beat, late: 11 * time.Second}}, 100)}, protocol.Cursor{Epoch: 1, Seq: 1}, 20)
	if slices.Max(f.waits) != 0 {
		t.Errorf("after quiet: %v", f.waits)
	}
}
