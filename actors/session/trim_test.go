package session

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// flood is one piece of a text without end.
func (h *house) flood(n int) {
	h.say(adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: fmt.Sprintf("number %d of a flood that does not end\n", n)}})
}

// wanted takes the snapshots that were asked for since the last call.
func (h *house) wanted() []Trim {
	h.mu.Lock()
	defer h.mu.Unlock()
	trims := h.trims
	h.trims = nil
	return trims
}

// TestFloodIsTrimmed: an agent that never pauses, on a disk that is behind it, has events that wait for their sync at every moment; its log is trimmed all the
// same. Nothing goes that was not shown, and a disk that fails then takes back nothing.
//
// Proves: I15.2/bound
func TestFloodIsTrimmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newBounded(t, true, 8000)
		defer h.close()
		h.say(adapters.Ready{NativeSessionID: "n"})
		h.say(adapters.TurnBegan{}, text(1))
		h.sync()
		h.sync()
		r := h.join()
		trimmed := 0
		for n := range 200 {
			h.flood(n)
			if n > 0 {
				h.sync() // of the one before
			}
			for _, m := range h.wanted() {
				if m.UpTo > r.Ring.Head() {
					t.Fatalf("events up to %d are to go, and %d were shown", m.UpTo, r.Ring.Head())
				}
				h.ref.Send(&Trimmed{Seq: m.UpTo})
				synctest.Wait()
				trimmed++
			}
			if most := int64(8000 + 2*1000); r.Log.Bytes() > most {
				t.Fatalf("after %d the log has %d bytes, at most %d are kept", n, r.Log.Bytes(), most)
			}
			if oldest, newest := r.Log.Bounds(); newest <= r.Ring.Head() {
				t.Fatalf("nothing waits: %d to %d, %d is shown", oldest, newest, r.Ring.Head())
			}
		}
		if trimmed < 5 {
			t.Errorf("trimmed %d times", trimmed)
		}
		shown := r.Ring.Head()
		h.disk.Fail(func(int, disktest.Op) *disktest.Fault { return &disktest.Fault{Err: syscall.EIO} })
		h.sync()
		h.disk.Fail(nil)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		for range 3 {
			h.sync()
		}
		if sum, _ := h.state(); sum.ReadOnly || r.Ring.Head() <= shown {
			t.Errorf("behind a failure: %+v, %d is shown, and %d was before", sum.ReadOnly, r.Ring.Head(), shown)
		}
	})
}

// TestTrimsBehindAFailure: a snapshot that could not be made is wanted again once the log has grown by a quarter more; when one was made, the bound is the
// log's own again.
//
// Proves: I15.2/bound
func TestTrimsBehindAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newBounded(t, false, 8000)
		defer h.close()
		h.say(adapters.Ready{NativeSessionID: "n"})
		h.say(adapters.TurnBegan{}, text(1))
		r := h.join()
		var wanted []int64 // bytes of the log when its beginning was to go
		for n := range 300 {
			h.flood(n)
			for _, m := range h.wanted() {
				wanted = append(wanted, r.Log.Bytes())
				answer := &Trimmed{Seq: m.UpTo}
				if len(wanted) == 1 {
					answer = &Trimmed{Err: errors.New("no room")}
				}
				h.ref.Send(answer)
				synctest.Wait()
			}
		}
		if len(wanted) < 5 || wanted[0] > 9000 || wanted[1] < 10_000 {
			t.Fatalf("the log had %d bytes when it was to be trimmed", wanted)
		}
		for _, n := range wanted[2:] {
			if n > 9000 {
				t.Fatalf("the log had %d bytes when it was to be trimmed, behind one failure", wanted)
			}
		}
	})
}
