package raw

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// Every change of the disk fails once: the lines that it took are there, the others are counted and noted.
func TestDiskFailsAnywhere(t *testing.T) {
	run := func(disk *disktest.Disk, c *Counters) []string {
		a := inOrder(folder, Options{FS: disk, Roll: 700, Now: clock(), Counters: c})
		defer a.Close()
		want := append(session(a, 1, 0, 40), session(a, 2, 40, 20)...)
		disk.Fail(nil)
		return append(want, session(a, 3, 60, 1)...)
	}
	healthy := disktest.New()
	run(healthy, new(Counters))
	for n := range healthy.Count() {
		for _, short := range []int{0, 100} {
			disk := disktest.New()
			disk.FailAt(n, syscall.ENOSPC, short)
			c := new(Counters)
			want := run(disk, c)
			all := readAll(t, disk)
			got := said(all)
			at := 0
			for _, line := range got {
				i := slices.Index(want[at:], line)
				if i < 0 {
					t.Fatalf("fault at %d: %q is none of the lines that follow", n, line)
				}
				at += i + 1
			}
			gaps := 0
			for i := range all {
				if all[i].Dir == "note" {
					gaps++
				}
			}
			if int(c.Gaps.Load()) != gaps {
				t.Fatalf("fault at %d: %d gaps, %d noted", n, c.Gaps.Load(), gaps)
			}
			const metas = 6
			if kept, lost := len(all)-gaps, int(c.Lost.Load()); kept+lost != len(want)+metas || lost > 0 != (gaps > 0) {
				t.Fatalf("fault at %d: %d kept, %d lost, %d gaps of %d", n, kept, lost, gaps, len(want))
			}
			if disk.OpenFiles() != 0 {
				t.Fatalf("fault at %d: %d files are open", n, disk.OpenFiles())
			}
		}
	}
}

// A full disk is tried again once a second at most, and told about once.
func TestFullDisk(t *testing.T) {
	disk := disktest.New()
	var mu sync.Mutex
	now, told := time.UnixMilli(1_795_000_000_000), 0
	c := new(Counters)
	a := inOrder(folder, Options{
		FS: disk, Counters: c,
		Now: func() time.Time { mu.Lock(); defer mu.Unlock(); return now },
		Failed: func(err error) {
			if !errors.Is(err, syscall.ENOSPC) {
				t.Error(err)
			}
			told++
		},
	})
	defer a.Close()
	r := a.Record(1, Beginning{})
	say := func(text string) {
		r.Out([]byte(text))
		r.Batch(1)
		flush(a)
	}
	say("before")
	disk.Limit(1)
	before := disk.Count()
	for range 100 {
		say("lost")
	}
	if tries := disk.Count() - before; tries != 1 {
		t.Errorf("%d tries at once", tries)
	}
	disk.Limit(0)
	mu.Lock()
	now = now.Add(retryAfter)
	mu.Unlock()
	say("after")
	all := readAll(t, disk)
	equal(t, said(all), []string{"out before", "out after"})
	if gap := all[2]; !strings.HasPrefix(string(gap.Data), `{"event":"gap","lines":100,`) {
		t.Errorf("the gap is told as %s", gap.Record)
	}
	if told != 1 || c.Gaps.Load() != 1 || c.Lost.Load() != 100 {
		t.Errorf("told %d times, %d gaps, %d lost", told, c.Gaps.Load(), c.Lost.Load())
	}
}
