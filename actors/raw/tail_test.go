package raw

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
)

// tails has an archive fail to read its tails from one number of reads on up to another, and gives it the lines of a session.
func tails(t *testing.T, dev *failing, opt Options, inc uint32, from, to int) (want []string) {
	t.Helper()
	reads, refused := 0, 0
	dev.open = func(name string) error {
		if !strings.HasSuffix(name, tailSuffix) {
			return nil
		}
		if reads++; reads <= from || reads > to {
			return nil
		}
		refused++
		return syscall.EMFILE
	}
	opt.FS, opt.Now = dev, clock()
	a := inOrder(folder, opt)
	want = session(a, inc, int(inc)*1000, 120)
	a.Close()
	if dev.open = nil; refused == 0 {
		t.Fatalf("no read of a tail failed, of %d", reads)
	}
	return want
}

// TestTailThatCannotBeReadBack: its lines are there, in order, before the next start and after it, whichever reads fail.
func TestTailThatCannotBeReadBack(t *testing.T) {
	for from := range 6 {
		for _, count := range []int{1, 2, 100} {
			t.Run(fmt.Sprint(from, count), func(t *testing.T) {
				dev := &failing{Disk: disktest.New()}
				want := tails(t, dev, Options{Roll: 2000}, 1, from, from+count)
				equal(t, said(readAll(t, dev.Disk)), want)
				for inc := range uint32(3) {
					a := inOrder(folder, Options{FS: dev, Roll: 2000, Now: clock()})
					want = append(want, session(a, inc+2, 10_000, 20)...)
					a.Close()
					equal(t, said(readAll(t, dev.Disk)), want)
				}
			})
		}
	}
}

// TestLimitWithTailsThatStay: where no tail can be read back the limit holds, and what is left are the newest lines, after a start, too.
func TestLimitWithTailsThatStay(t *testing.T) {
	const roll, limit = 2000, 4000
	dev := &failing{Disk: disktest.New()}
	want := tails(t, dev, Options{Roll: roll, Limit: limit}, 1, 5, 1000)
	left := func() {
		t.Helper()
		size := 0
		for _, name := range dev.Files() {
			size += len(dev.Bytes(name))
		}
		got := said(readAll(t, dev.Disk))
		if size > limit+roll || len(got) < 10 {
			t.Errorf("%d bytes with %d lines are kept, of %d", size, len(got), limit)
		}
		equal(t, got, want[len(want)-len(got):])
	}
	left()
	for inc := range uint32(10) {
		a := inOrder(folder, Options{FS: dev, Roll: roll, Limit: limit, Now: clock()})
		want = append(want, session(a, inc+2, 10_000, 12)...)
		a.Close()
		left()
	}
}

// short records lines that are too short to be kept as changes: each can be read without the others.
func short(a *Archive, inc uint32, count int) (list []string) {
	r := a.Record(inc, Beginning{})
	for i := range count {
		line := fmt.Sprintf(`{"incarnation":%d,"a short line with number":%d}`, inc, i)
		r.Out([]byte(line))
		r.Batch(uint64(i + 1))
		flush(a)
		list = append(list, "out "+line)
	}
	r.End(1000, End{})
	flush(a)
	return list
}

// zero overwrites the block of a pack that has a record, or its payload alone, and says where its records end.
func zero(t *testing.T, disk *disktest.Disk, number uint64, head bool) (end uint64) {
	t.Helper()
	for _, name := range disk.Files() {
		if !strings.HasSuffix(name, packSuffix) {
			continue
		}
		file := disk.Bytes(name)
		w := block.Over(bytes.NewReader(file), int64(len(file)))
		for from := int64(0); ; from = w.End() {
			h, more, err := w.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !more {
				break
			}
			if h.First > number || h.End() <= number {
				continue
			}
			if !head {
				from += 36
			}
			clear(file[from:w.End()])
			disk.Put(name, file)
			return h.End()
		}
	}
	t.Fatalf("no pack has record %d", number)
	return 0
}

// TestTailOfALostBlock: a loss of power may leave a tail and, of the block of the pack that has its records, the head or nothing; also where blocks behind it
// are there. What the tail has is read before the next start, and after it.
func TestTailOfALostBlock(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Roll: 3000, Now: clock()})
	short(a, 1, 120)
	a.Close()
	tried := 0
	for n, op := range disk.Ops(0) {
		if op.Kind != "remove" || !strings.HasSuffix(op.Name, tailSuffix) {
			continue
		}
		tail := disk.Kill(n).Bytes(op.Name)
		first, _, _ := parseName(strings.TrimPrefix(op.Name, folder+"/"))
		for _, last := range []int{n, disk.Count()} {
			for _, head := range []bool{false, true} {
				after := disk.Kill(last)
				after.Put(op.Name, tail)
				all := readAll(t, after)
				end := first
				for w := block.Over(bytes.NewReader(tail), int64(len(tail))); ; {
					h, more, err := w.Next()
					if err != nil || !more {
						break
					}
					end = h.End()
				}
				lost := zero(t, after, first, head)
				want := said(slices.DeleteFunc(all, func(l Line) bool { return l.Number >= end && l.Number < lost }))
				equal(t, said(readAll(t, after)), want)
				for inc := range uint32(2) {
					b := inOrder(folder, Options{FS: after, Roll: 3000, Now: clock()})
					want = append(want, short(b, inc+2, 30)...)
					b.Close()
					equal(t, said(readAll(t, after)), want)
				}
				tried++
			}
		}
	}
	if tried < 8 {
		t.Errorf("only %d were tried", tried)
	}
}

// TestTailThatAPackHas goes at the next start, where the pack gives its records back.
func TestTailThatAPackHas(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Roll: 3000, Now: clock()})
	session(a, 1, 0, 120)
	a.Close()
	for n, op := range disk.Ops(0) {
		if op.Kind != "remove" || !strings.HasSuffix(op.Name, tailSuffix) {
			continue
		}
		after := disk.Kill(n)
		b := inOrder(folder, Options{FS: after, Roll: 3000, Now: clock()})
		b.Record(2, Beginning{})
		b.Close()
		if slices.Contains(after.Files(), op.Name) {
			t.Errorf("%s is left beside %v", op.Name, after.Files())
		}
	}
}

// TestLimitTakesAPackBeforeItsTail: where the records of a tail are not in the pack before it, the pack goes first.
func TestLimitTakesAPackBeforeItsTail(t *testing.T) {
	const roll = 3000
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Roll: roll, Now: clock()})
	short(a, 1, 60)
	a.Close()
	tried := 0
	for n, op := range disk.Ops(0) {
		first, suffix, _ := parseName(strings.TrimPrefix(op.Name, folder+"/"))
		if op.Kind != "remove" || suffix != tailSuffix || first == 1 {
			continue
		}
		tried++
		after := disk.Kill(n)
		zero(t, after, first, false)
		want := said(readAll(t, after))
		left := len(want)
		for inc := range uint32(12) {
			b := inOrder(folder, Options{FS: after, Roll: roll, Limit: roll + 500, Now: clock()})
			want = append(want, short(b, inc+2, 10)...)
			b.Close()
			got := said(readAll(t, after))
			equal(t, got, want[len(want)-len(got):])
			left = len(got)
		}
		if left == len(want) {
			t.Error("the limit has taken nothing")
		}
	}
	if tried == 0 {
		t.Error("none was tried")
	}
}

// TestListedWhileItChanges: a folder that was listed while a pack was made is listed again.
func TestListedWhileItChanges(t *testing.T) {
	dev := &failing{Disk: disktest.New()}
	a := inOrder(folder, Options{FS: dev, Roll: 3000, Now: clock()})
	want := short(a, 1, 60)
	a.Close()
	if files := dev.Files(); len(files) < 2 || !strings.HasSuffix(files[len(files)-1], tailSuffix) {
		t.Fatal(files)
	}
	times := 0
	dev.list = func(list []disk.Entry) []disk.Entry {
		if times++; times > 1 {
			return list
		}
		return slices.DeleteFunc(list, func(e disk.Entry) bool { return strings.HasSuffix(e.Name, packSuffix) })
	}
	r, err := Read(folder, dev)
	if err != nil {
		t.Fatal(err)
	}
	var got []Line
	for l, err := range r.Lines() {
		if err != nil {
			t.Fatal(err)
		}
		l.native = slices.Clone(l.native)
		got = append(got, l)
	}
	equal(t, said(got), want)
}
