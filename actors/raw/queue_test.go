package raw

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// TestFlush waits until what was recorded is written, or its caller waits no more.
func TestFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk, open := disktest.New(), make(chan struct{})
		disk.Fail(func(int, disktest.Op) *disktest.Fault {
			<-open
			return nil
		})
		a := inOrder(folder, Options{FS: disk, Now: clock()})
		a.Record(1, Beginning{})
		ctx, cancel := context.WithCancel(t.Context())
		told := make(chan error, 1)
		go func() { told <- a.Flush(ctx) }() // ends with its context
		synctest.Wait()
		select {
		case err := <-told:
			t.Fatalf("nothing is written: %v", err)
		default:
		}
		cancel()
		if err := <-told; err != context.Canceled {
			t.Errorf("cancelled: %v", err)
		}
		close(open)
		if err := a.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		if n := len(readAll(t, disk)); n != 1 {
			t.Errorf("%d lines are written", n)
		}
		a.Close()
	})
}

// TestManySmallLinesWait: the queue is bounded also where lines are changes of a few bytes.
func TestManySmallLinesWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk, open := disktest.New(), make(chan struct{})
		disk.Fail(func(int, disktest.Op) *disktest.Fault {
			<-open
			return &disktest.Fault{Err: syscall.EIO} // none is compressed: what compressing needs is shared with tests outside of this bubble
		})
		a := inOrder(folder, Options{FS: disk, Now: clock()})
		r, line := a.Record(1, Beginning{}), []byte(`{"text":"`+strings.Repeat("the same once more ", 8)+`"}`)
		synctest.Wait() // the disk has the beginning, and nothing more comes to it
		const most = 200_000
		said := make(chan int)
		go func() { // ends when the disk has refused them
			n := 0
			for ; n < most; n++ {
				r.Out(line)
				r.Batch(1)
				r.Wait()
			}
			said <- n
		}()
		synctest.Wait()
		a.mu.Lock()
		count, text := len(a.queue.items), len(a.queue.text)
		a.mu.Unlock()
		if size := int(unsafe.Sizeof(item{})); size != itemSize || count*size+text > maxQueued+2*len(line) || count < 1000 {
			t.Errorf("%d lines wait, with %d bytes each and %d of text", count, size, text)
		}
		close(open)
		<-said
		r.End(1, End{})
		a.Close()
	})
}

// TestCloseWaitsForTheSync of a finished pack.
func TestCloseWaitsForTheSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := disktest.New()
		a := New(folder, Options{FS: disk, Roll: 700})
		synced := false
		a.files.apart = func(do func()) {
			go func() { // ends before Close does
				time.Sleep(time.Minute)
				synced = true
				do()
			}()
		}
		a.files.packed = time.Now() // then it is compressed by what is not shared with tests outside of this bubble
		for inc := uint32(1); a.files.syncing == nil; inc++ {
			short(a, inc, 10)
			synctest.Wait()
		}
		a.Close()
		if !synced {
			t.Error("it did not wait")
		}
	})
}
