package raw

import (
	"bytes"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// Rot in a finished segment costs that segment, and a note.
func TestRot(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Roll: 700, Now: clock()})
	want := session(a, 1, 0, 120)
	a.Close()
	name := disk.Files()[1]
	disk.Flip(name, len(disk.Bytes(name))*4)
	all := readAll(t, disk)
	notes := 0
	for i := range all {
		if all[i].Dir == "note" {
			notes++
		}
	}
	if got := said(all); notes != 1 || len(got) >= len(want) || got[len(got)-1] != want[len(want)-1] {
		t.Fatalf("%d notes, %d lines", notes, len(got))
	}
}

// Rot in the newest segment: its numbers are not given again.
func TestRotAtTheEnd(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Roll: 1, Now: clock()})
	session(a, 1, 0, 3)
	a.Close()
	name := disk.Files()[len(disk.Files())-1]
	disk.Flip(name, len(disk.Bytes(name))*4)
	b := inOrder(folder, Options{FS: disk, Roll: 700, Now: clock()})
	more := session(b, 2, 3, 3)
	b.Close()
	got := said(readAll(t, disk))
	equal(t, got[len(got)-3:], more)
}

// TestRotAtTheEndIsNotForgotten: nor are they given again where the first start after it is cut off, wherever that is.
func TestRotAtTheEndIsNotForgotten(t *testing.T) {
	for _, roll := range []int64{1, 100_000} { // the newest file is a pack, or a tail
		for n := range 12 {
			disk := disktest.New()
			a := inOrder(folder, Options{FS: disk, Roll: roll, Now: clock()})
			session(a, 1, 0, 7)
			a.Close()
			all := readAll(t, disk)
			last := all[len(all)-1].Number
			name := disk.Files()[len(disk.Files())-1]
			file, begins := disk.Bytes(name), int64(0)
			w := block.Over(bytes.NewReader(file), int64(len(file)))
			for end := int64(0); ; end = w.End() {
				if _, more, _ := w.Next(); !more {
					break
				}
				begins = end
			}
			disk.Flip(name, int(begins)*8)
			begun := disk.Count()
			disk.Fail(func(at int, _ disktest.Op) *disktest.Fault {
				if at < begun+n {
					return nil
				}
				return &disktest.Fault{Err: syscall.EIO}
			})
			b := inOrder(folder, Options{FS: disk, Roll: roll, Now: clock()})
			session(b, 2, 100, 3)
			b.Close()
			disk.Fail(nil)
			for inc := range uint32(2) { // once more changes nothing
				c := inOrder(folder, Options{FS: disk, Roll: roll, Now: clock()})
				more := session(c, inc+3, 200, 3)
				c.Close()
				all = readAll(t, disk)
				got := said(all)
				equal(t, got[len(got)-len(more):], more)
			}
			for _, l := range all {
				if l.Incarnation > 1 && l.Number <= last || l.Number > last+mostRecords+50 {
					t.Fatalf("cut off at %d: after %d records number %d is given to %s", n, last, l.Number, l.Record)
				}
			}
		}
	}
}
