package raw

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
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

// TestAFloodIsCompressedFast: of blocks that follow one another within a second all but the first are, and none of others.
func TestAFloodIsCompressedFast(t *testing.T) {
	for _, flood := range []bool{false, true} {
		disk, now := disktest.New(), clock()
		if flood {
			now = func() time.Time { return time.UnixMilli(1_795_000_000_000) }
		}
		a := inOrder(folder, Options{FS: disk, Roll: 3000, Now: now})
		short(a, 1, 100)
		a.Close()
		file, fast, from := disk.Bytes(disk.Files()[0]), []bool(nil), int64(0)
		for w := block.Over(bytes.NewReader(file), int64(len(file))); ; from = w.End() {
			if _, more, err := w.Next(); err != nil || !more {
				break
			}
			fast = append(fast, block.Coding(file[from+4]) == block.Fast)
		}
		if len(fast) < 2 || fast[0] || slices.Contains(fast[1:], !flood) {
			t.Errorf("flood %v: %v", flood, fast)
		}
	}
}
