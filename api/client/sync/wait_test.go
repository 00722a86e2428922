package sync_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Waits grow, are never longer than 30 s unless the server asks for more, and never shorter than what it asks for.
func TestBackoff(t *testing.T) {
	for try := range 2000 {
		for _, asked := range []time.Duration{0, time.Second, time.Minute} {
			low, high := sync.Backoff(try, asked, 0), sync.Backoff(try, asked, 0.999999)
			if low < asked || high > max(30*time.Second, asked*3/2, low*2) || low > high || low%time.Millisecond != 0 {
				t.Fatalf("try %d, asked %v: from %v to %v", try, asked, low, high)
			}
			if try > 1 && low < 125*time.Millisecond {
				t.Fatalf("try %d waits %v", try, low)
			}
		}
	}
}

// Nothing that a server does makes the machine ask more than three times without a pause: here, everything that begins well and is wrong.
//
// Proves: I13.7/pauses
func TestNoStorms(t *testing.T) {
	bad := map[string][]sync.Input{
		"gaps":          {sync.Connected{}, frame(1, 1), frame(1, 3)},
		"other epochs":  {sync.Connected{}, frame(2, 1), frame(2, 2), frame(3, 2)},
		"old epochs":    {sync.Connected{}, frame(2, 1), frame(1, 2)},
		"resets":        {sync.Connected{}, sync.Reset{Epoch: 1, Oldest: 1}, frame(1, 1), sync.Lost{}},
		"rewinds":       {sync.Connected{}, frame(1, 1), frame(1, 2), sync.Tick{}, sync.Reset{Epoch: 2, Oldest: 1, Common: 1}},
		"answers 410":   {sync.Answer{Status: 410}},
		"answers 500":   {sync.Answer{Status: 500}},
		"empty streams": {sync.Connected{}, sync.Lost{}},
		"repetitions":   {sync.Connected{}, frame(1, 1), frame(1, 1), sync.Lost{}},
		"far beats":     {sync.Connected{}, frame(1, 1), sync.Heartbeat{At: &protocol.Cursor{Epoch: 1, Seq: 9}}},
	}
	for name, inputs := range bad {
		t.Run(name, func(t *testing.T) {
			var s sync.State
			asked, waits := 0, 0
			s.Step(sync.Open{Cached: true}, 0)
			for range 50 {
				for _, in := range inputs {
					for _, e := range s.Step(in, 0) {
						switch e.(type) {
						case sync.Connect:
							asked++
						case sync.Wait:
							asked = 0
							waits++
						}
					}
					if asked > 4 {
						t.Fatalf("asked %d times without a pause", asked)
					}
				}
				if s.Phase() == sync.PhaseWaiting {
					s.Step(sync.Due{}, 0)
					asked = 1
				}
			}
			if waits < 10 {
				t.Errorf("%d pauses in 50 connections", waits)
			}
		})
	}
}

func frame(epoch, seq uint64) sync.Frame {
	return sync.Frame{At: protocol.Cursor{Epoch: epoch, Seq: seq}, Seq: seq, Line: []byte(`{}`)}
}

// Lines that are shown and not stored are bounded without a tick.
func TestPendingIsBounded(t *testing.T) {
	var s sync.State
	s.Step(sync.Open{Cached: true}, 0)
	s.Step(sync.Connected{}, 0)
	line, stored, pending := bytes.Repeat([]byte("x"), 1000), 0, 0
	for seq := range uint64(500) {
		pending++
		for _, e := range s.Step(sync.Frame{At: protocol.Cursor{Epoch: 1, Seq: seq + 1}, Seq: seq + 1, Line: line}, 0) {
			if st, is := e.(sync.Store); is {
				stored += len(st.Lines)
				pending = 0
			}
		}
		if pending*1001 > sync.StoreBytes {
			t.Fatalf("%d lines are pending", pending)
		}
	}
	if stored < 400 {
		t.Errorf("%d lines were stored", stored)
	}
}

func BenchmarkFrame(b *testing.B) {
	var s sync.State
	s.Step(sync.Open{Cached: true}, 0)
	s.Step(sync.Connected{}, 0)
	line := bytes.Repeat([]byte("x"), 160)
	b.ReportAllocs()
	for seq := uint64(1); b.Loop(); seq++ {
		s.Step(sync.Frame{At: protocol.Cursor{Epoch: 1, Seq: seq}, Seq: seq, Line: line}, 0)
	}
}
