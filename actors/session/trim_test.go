package session

import (
	"fmt"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

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
			h.say(adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: fmt.Sprintf("number %d of a flood that does not end\n", n)}})
			if n > 0 {
				h.sync() // of the one before
			}
			h.mu.Lock()
			trims := h.trims
			h.trims = nil
			h.mu.Unlock()
			for _, m := range trims {
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
