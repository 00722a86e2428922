package raw

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// TestQuietArchiveRests: a while after the last line it has no file open and no buffers, not while lines come, and it goes on where it was.
// Proves: I15.6/archive
func TestQuietArchiveRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := disktest.New()
		a := New(folder, Options{FS: disk, Linger: 250 * time.Millisecond})
		r := a.Record(1, Beginning{})
		say := func(batch uint64) {
			r.Out([]byte(`{"text":"a word"}`))
			r.Batch(batch)
		}
		resting := func(want bool) {
			t.Helper()
			synctest.Wait()
			a.mu.Lock()
			defer a.mu.Unlock()
			if got := a.files.to == nil && a.files.buf == nil && a.files.out == nil && a.spare.text == nil && a.queue.text == nil; got != want {
				t.Fatalf("resting is %v, want %v", got, want)
			}
		}
		for batch := range uint64(20) { // longer than the rest takes to come
			say(batch + 1)
			time.Sleep(time.Second)
			resting(false)
		}
		time.Sleep(2 * calmAfter)
		resting(true)
		say(21)
		time.Sleep(time.Second)
		resting(false)
		if all := readAll(t, disk); len(all) != 22 {
			t.Errorf("%d lines, want 22", len(all))
		}
		say(22)
		a.Close()
		time.Sleep(4 * calmAfter)
		if all := readAll(t, disk); len(all) != 23 {
			t.Errorf("%d lines in the end, want 23", len(all))
		}
	})
}
