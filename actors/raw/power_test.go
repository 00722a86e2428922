package raw

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// The end of the process at any change of the disk: all that was written is there once, and the archive goes on.
func TestKilledAnywhere(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Roll: 700, Now: clock()})
	want := session(a, 1, 0, 60)
	a.Close()
	numbers := readAll(t, disk)
	rolls := 0
	for n := range disk.Count() + 1 {
		after := disk.Kill(n)
		wrote, end := 0, uint64(0)
		for _, op := range disk.Ops(0)[:n] {
			if op.Kind == "write" {
				h, _, _ := block.Over(bytes.NewReader(op.Data), int64(len(op.Data))).Next()
				end = max(end, h.End())
			}
			if op.Kind == "sync" {
				rolls++
			}
		}
		for _, l := range numbers {
			if l.Dir == "out" && l.Number < end {
				wrote++
			}
		}
		equal(t, said(readAll(t, after)), want[:wrote])
		b := inOrder(folder, Options{FS: after, Roll: 700, Now: clock()})
		more := session(b, 2, 1000, 10)
		b.Close()
		all := readAll(t, after)
		equal(t, said(all), append(slices.Clone(want[:wrote]), more...))
		if last := all[len(all)-1].Number; last != uint64(len(all)) {
			t.Fatalf("killed at %d: %d records, the last is number %d", n, len(all), last)
		}
		for _, name := range after.Files()[:len(after.Files())-1] {
			if !strings.HasSuffix(name, packSuffix) {
				t.Fatalf("killed at %d: %q is left", n, after.Files())
			}
		}
	}
	if rolls == 0 {
		t.Fatal("the tail was never rolled")
	}
}

// A torn line at the end of the tail is not read, and cut.
func TestTornLine(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Now: clock()})
	want := session(a, 1, 0, 5)
	a.Close()
	name := folder + "/00000001.tail"
	whole := disk.Bytes(name)
	for cut := 1; cut < 60; cut += 7 {
		disk.Put(name, append(slices.Clone(whole), whole[:cut]...))
		equal(t, said(readAll(t, disk)), want)
	}
	b := inOrder(folder, Options{FS: disk, Now: clock()})
	equal(t, said(readAll(t, disk)), want)
	want = append(want, session(b, 2, 5, 5)...)
	b.Close()
	equal(t, said(readAll(t, disk)), want)
}

// A loss of power at any change: whatever is left can be read in order, nothing twice, and the archive goes on: what could be read still can.
func TestPowerLost(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Roll: 700, Now: clock()})
	want := session(a, 1, 0, 60)
	a.Close()
	for n := range disk.Count() + 1 {
		for seed := range uint64(8) {
			after := disk.Crash(n, rand.New(rand.NewPCG(uint64(n), seed)))
			got := said(readAll(t, after))
			at := 0
			for _, line := range got {
				i := slices.Index(want[at:], line)
				if i < 0 {
					t.Fatalf("crash at %d: %q is none of the lines that follow", n, line)
				}
				at += i + 1
			}
			b := inOrder(folder, Options{FS: after, Roll: 700, Now: clock()})
			more := session(b, 2, 1000, 10)
			b.Close()
			equal(t, said(readAll(t, after)), append(got, more...))
		}
	}
}
