package raw

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// TestLongestBase: a line that has become too long to be compared with is whole, as is the one after it.
func TestLongestBase(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Now: clock()})
	r := a.Record(1, Beginning{})
	text := strings.Repeat("0123456789abcdef", maxBase/16)
	var want []string
	for i, n := range []int{maxBase - 10, maxBase, maxBase + 100, maxBase - 10, maxBase - 5} {
		line := `{"n":"` + (text + text)[:n-8] + `"}`
		r.Out([]byte(line))
		r.Batch(uint64(i + 1))
		want = append(want, "out "+line)
		flush(a)
	}
	a.Close()
	got := said(readAll(t, disk))
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d: %d bytes, want %d", i, len(got[i]), len(want[i]))
		}
	}
}

// TestLimitHoldsWithoutBases: a connection that began with a line to compare with, and has no room for one any more, finishes packs all the same.
func TestLimitHoldsWithoutBases(t *testing.T) {
	disk := disktest.New()
	const roll, limit = 700, 2000
	a := inOrder(folder, Options{FS: disk, Now: clock(), Roll: roll, Limit: limit})
	r := a.Record(1, Beginning{})
	var agent repeating
	talk(a, r, &agent, 0, 3)
	held.Add(maxBases)
	defer held.Add(-maxBases)
	for i := range 300 {
		r.Out([]byte(strings.Repeat(agent.line(i), 1+i%7)))
		r.Batch(uint64(i + 10))
		flush(a)
	}
	size := int64(0)
	for _, name := range disk.Files() {
		size += int64(len(disk.Bytes(name)))
	}
	if size > limit+2*roll {
		t.Errorf("%d bytes are kept, of %d", size, limit)
	}
	a.Close()
}

// TestManyConnections: one that is still ending is read to its end, however many have begun since.
func TestManyConnections(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Now: clock()})
	var agents [7]repeating
	var recorders [7]*Recorder
	for i := range agents {
		recorders[i] = a.Record(uint32(i+1), Beginning{})
		for n := range 3 {
			recorders[i].Out([]byte(agents[i].line(n + 20)))
			if i > 0 { // the one before ends meanwhile
				recorders[i-1].Out([]byte(agents[i-1].line(10 + n)))
			}
		}
		recorders[i].Batch(uint64(i + 1))
		if i > 0 {
			recorders[i-1].Batch(uint64(i + 10))
		}
		flush(a)
	}
	for i, r := range recorders {
		r.End(100, End{})
		if flush(a); len(a.files.chains) > len(agents)-1-i {
			t.Errorf("%d connections have ended, and lines of %v may be changes", i+1, a.files.chains)
		}
	}
	if disk.OpenFiles() != 0 {
		t.Errorf("all connections have ended, and %d files are open", disk.OpenFiles())
	}
	a.Close()
	for _, l := range readAll(t, disk) {
		if l.Dir == "note" {
			t.Fatalf("record %d is %s", l.Number, l.Record)
		}
	}
}
