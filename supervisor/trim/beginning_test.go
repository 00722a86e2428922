package trim_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"github.com/ringmaster-agents/ringmaster/supervisor/trim"
)

// TestJudgeOfNoEvents: where nothing is left of a log, as a kill leaves one that had begun a file when all others were dropped, no line asks for what is
// missing. Without a snapshot up to its end it is not taken up all the same, and with one it is.
//
// Proves: I15.2/snapshot
func TestJudgeOfNoEvents(t *testing.T) {
	damaged := &store.DamageError{File: record.SnapshotFile, Hint: store.HintSnapshot}
	for _, x := range []struct {
		name string
		told uint64
		err  error
		bad  bool
	}{{"all", 100, nil, false}, {"less", 99, nil, true}, {"no snapshot", 0, nil, true}, {"a damaged one", 0, damaged, true}} {
		w, err := new(memory.Store).Create("a")
		if err != nil {
			t.Fatal(err)
		}
		begun := trim.Begin(func() ([]byte, error) {
			if x.told == 0 {
				return nil, x.err
			}
			return []byte("state"), nil
		}, session.Replay{Start: func([]byte) (uint64, error) { return x.told, nil }})
		_, err = begun.Judge(w, &store.Recovery{Oldest: 101, Newest: 100}, nil)
		if session.Damaged(err) != x.bad {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}
