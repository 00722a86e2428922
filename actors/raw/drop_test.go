package raw

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// say records lines, as an agent of an incarnation.
func say(a *Archive, incarnation uint32, lines ...string) {
	r := a.Record(incarnation, Beginning{Cwd: "/work"})
	for i, l := range lines {
		r.Out([]byte(l))
		r.Batch(uint64(i + 1))
	}
	r.End(99, End{Status: "exit 0"})
}

func manyLines(n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf(`{"n":%d,"text":%q}`, i, strings.Repeat("x", 40)))
	}
	return lines
}

// A dropped archive has no lines, and what comes later goes on with the numbers, also in the archive of another daemon.
// Proves: I15.2/lines
func TestDrop(t *testing.T) {
	for _, anew := range []bool{false, true} {
		disk := disktest.New()
		a := New(folder, Options{FS: disk, Roll: 500, Now: clock()})
		if err := a.Drop(); err != nil || len(disk.Folders()) > 1 {
			t.Fatalf("an archive that is not there: %v, %v", err, disk.Folders())
		}
		say(a, 1, manyLines(100)...)
		if err := a.Drop(); err != nil {
			t.Fatal(err)
		}
		r, err := Read(folder, disk)
		if err != nil || r.First() != 103 { // 100 lines between beginning and end
			t.Fatalf("the first record is %d, %v", r.First(), err)
		}
		if all := readAll(t, disk); len(all) != 0 {
			t.Fatalf("%d records are left", len(all))
		}
		for _, f := range disk.Files() {
			if n := len(disk.Bytes(f)); n > 0 {
				t.Errorf("%s has %d bytes", f, n)
			}
		}
		if anew {
			a.Close()
			a = New(folder, Options{FS: disk, Roll: 500, Now: clock()})
		}
		if err := a.Drop(); err != nil { // once more changes nothing
			t.Fatal(err)
		}
		say(a, 2, "later")
		a.Close()
		all := readAll(t, disk)
		equal(t, said(all), []string{"out later"})
		if all[0].Number != 103 {
			t.Errorf("record %d follows 102", all[0].Number)
		}
	}
}

// Wherever a removal is interrupted, by an error of the disk, a kill or a loss of power, another one ends it, what is left is whole and the newest, and no
// number is given twice.
// Proves: I15.2/lines
func TestDropIsInterrupted(t *testing.T) {
	fill := func() *disktest.Disk {
		disk := disktest.New()
		if err := disk.Mkdir(folder); err != nil || disk.SyncDir(".") != nil {
			t.Fatal(err)
		}
		a := New(folder, Options{FS: disk, Roll: 1, Now: clock()})
		for i := range uint32(6) { // each in a pack of its own
			say(a, i+1, manyLines(10)...)
		}
		a.Close()
		return disk
	}
	disk := fill()
	before := disk.Count()
	if err := New(folder, Options{FS: disk}).Drop(); err != nil {
		t.Fatal(err)
	}
	ops := disk.Count() - before
	if ops < 10 {
		t.Fatalf("%d operations are too few", ops)
	}
	named := 0 // changes until the name of what stays is safe
	for i, op := range disk.Ops(before) {
		if op.Kind == "syncdir" && named == 0 {
			named = i + 1
		}
	}
	if named == 0 || named >= ops {
		t.Fatal("nothing is synced before the first is removed")
	}
	check := func(t *testing.T, disk *disktest.Disk) {
		t.Helper()
		left := readAll(t, disk)
		for i := range left {
			if want := uint64(72 - len(left) + 1 + i); left[i].Number != want {
				t.Fatalf("record %d of %d that are left has number %d, want %d", i, len(left), left[i].Number, want)
			}
		}
		a := New(folder, Options{FS: disk, Roll: 500, Now: clock()})
		if err := a.Drop(); err != nil {
			t.Fatal(err)
		}
		say(a, 9, "later")
		a.Close()
		all := readAll(t, disk)
		if equal(t, said(all), []string{"out later"}); all[0].Number < 73 {
			t.Fatalf("number %d is given again", all[0].Number)
		}
	}
	for n := range ops {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			failing := fill()
			failing.FailAt(before+n, syscall.EIO, 0)
			_ = New(folder, Options{FS: failing}).Drop() // it may have done without
			failing.Fail(nil)
			check(t, failing)
			check(t, disk.Kill(before+n))
			for seed := range uint64(4) {
				crashed := disk.Crash(before+n, rand.New(rand.NewPCG(seed, uint64(n))))
				a := New(folder, Options{FS: crashed, Roll: 500, Now: clock()})
				if err := a.Drop(); err != nil {
					t.Fatal(err)
				}
				if all := readAll(t, crashed); len(all) > 0 {
					t.Fatalf("%d records are left", len(all))
				}
				say(a, 9, "later")
				a.Close()
				// Records that were never synced may be gone, and their numbers are then free, until the first is removed.
				if all := readAll(t, crashed); n >= named && all[0].Number < 73 {
					t.Fatalf("number %d is given again", all[0].Number)
				}
			}
		})
	}
}

// TestDropTakesItsTime: what an archive holds goes afterwards, also where nothing comes any more.
func TestDropTakesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := held.Load()
		disk := disktest.New()
		a := inOrder(folder, Options{FS: disk, Linger: 250 * time.Millisecond})
		var agent repeating
		r := a.Record(1, Beginning{})
		talk(a, r, &agent, 0, 300)
		disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
			if op.Kind == "remove" {
				time.Sleep(2 * calmAfter)
			}
			return nil
		})
		if err := a.Drop(); err != nil || held.Load() == before {
			t.Fatalf("%d bytes are held, %v", held.Load()-before, err)
		}
		time.Sleep(4 * calmAfter)
		if n := held.Load() - before; n != 0 {
			t.Errorf("%d bytes are held while the agent is quiet", n)
		}
		a.mu.Lock()
		if a.files.holds() || a.spare.holds() {
			t.Error("buffers are held")
		}
		a.mu.Unlock()
		r.End(1, End{})
		a.Close()
	})
}
