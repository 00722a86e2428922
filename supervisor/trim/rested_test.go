package trim_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/trim"
)

// TestRest takes up one session after another, those alone that are too large, and keeps each until nothing is wanted of it any more: it was made, forgotten,
// or the daemon ends.
//
// Proves: I15.2/bound
func TestRest(t *testing.T) {
	for _, end := range []string{"made", "forgotten", "closed"} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			b.stop = "sync"
			took, left := []string{}, []string{}
			done := make(chan struct{})
			go func() { // ends with the sessions
				defer close(done)
				b.Rest(t.Context(), []string{"small", "a", "gone", "b", "trimmed"}, trim.Rested{
					Most: 1000,
					Bytes: func(id string) int64 {
						if id == "small" {
							return 1000
						}
						return 1001
					},
					TakeUp: func(_ context.Context, id string) (store.Log, func(), error) {
						took = append(took, id)
						oldest := uint64(1)
						switch id {
						case "gone":
							return nil, nil, errors.New("it has gone")
						case "trimmed":
							oldest = 95
						default:
							b.want(t, id, 1, 90)
						}
						return logged(t, id, oldest), func() { left = append(left, id) }, nil
					},
				})
			}()
			<-b.at
			synctest.Wait()
			if !slices.Equal(took, []string{"a"}) || len(left) > 0 {
				t.Errorf("%s: while the first is trimmed %v were taken up and %v left", end, took, left)
			}
			b.stop = ""
			ends := make(chan struct{})
			go func() { // ends with the bench
				defer close(ends)
				switch end {
				case "forgotten":
					b.Forget("a")
				case "closed":
					b.Close()
				}
			}()
			synctest.Wait()
			close(b.goOn)
			<-done
			<-ends
			if !slices.Equal(took, []string{"a", "gone", "b", "trimmed"}) || !slices.Equal(left, []string{"a", "b", "trimmed"}) {
				t.Errorf("%s: %v were taken up and %v left", end, took, left)
			}
			b.Close()
		})
	}
}

// TestRestEnds with its context.
//
// Proves: I15.2/bound
func TestRestEnds(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	b.Rest(ctx, []string{"a", "b", "c"}, trim.Rested{
		Bytes: func(string) int64 { return 1 },
		TakeUp: func(_ context.Context, id string) (store.Log, func(), error) {
			if id == "b" {
				t.Error("it goes on")
			}
			return logged(t, id, 1), cancel, nil
		},
	})
	b.Close()
}

// TestRestGoesOn past a session that is deleted while another one is being trimmed.
//
// Proves: I15.2/bound
func TestRestGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.stop = "sync"
		b.want(t, "c", 1, 90)
		<-b.at
		done := make(chan struct{})
		go func() { // ends with the session
			defer close(done)
			b.Rest(t.Context(), []string{"a"}, trim.Rested{
				Bytes: func(string) int64 { return 1 },
				TakeUp: func(_ context.Context, id string) (store.Log, func(), error) {
					b.want(t, id, 1, 90)
					return logged(t, id, 1), func() {}, nil
				},
			})
		}()
		synctest.Wait()
		b.Forget("a")
		<-done
		close(b.goOn)
		b.Close()
	})
}

// stats is a store that is asked how large its logs are.
type stats struct {
	store.Store
	info  store.Info
	asked int
}

func (s *stats) Stat(string) (store.Info, error) { s.asked++; return s.info, nil }

// TestOf: a log in one file is not taken up at every start, since nothing of it could go, and of a session that is awake the disk is not asked.
//
// Proves: I15.2/bound
func TestOf(t *testing.T) {
	s := &stats{info: store.Info{Bytes: 5000, Segments: 1}}
	of := trim.Of(s, 1000, func(id string) bool { return id == "awake" }, nil)
	if n := of.Bytes("a"); n != 0 {
		t.Errorf("of one file: %d", n)
	}
	s.info.Segments = 2
	if n := of.Bytes("a"); n != 5000 {
		t.Errorf("of two files: %d", n)
	}
	if n := of.Bytes("awake"); n != 0 || s.asked != 2 {
		t.Errorf("of one that is awake: %d, the disk was asked %d times", n, s.asked)
	}
}
