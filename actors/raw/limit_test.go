package raw

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// The limit takes the oldest segments, and the numbers of those that are left stay.
func TestLimit(t *testing.T) {
	disk := disktest.New()
	const limit = 2000
	a := inOrder(folder, Options{FS: disk, Roll: 700, Limit: limit, Now: clock()})
	want := session(a, 1, 0, 300)
	a.Close()
	size := 0
	for _, name := range disk.Files() {
		size += len(disk.Bytes(name))
	}
	if size > limit+700 {
		t.Errorf("%d bytes", size)
	}
	all := readAll(t, disk)
	got := said(all)
	if len(got) < 10 || len(got) == len(want) {
		t.Fatalf("%d lines are left", len(got))
	}
	equal(t, got, want[len(want)-len(got):])
	if first := int(all[0].Number); first-2 != len(want)-len(got) {
		t.Errorf("the first record is number %d, with %d of %d lines", first, len(got), len(want))
	}
}
