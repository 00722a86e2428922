package raw

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

const folder = "raw"

// clock goes on by a second with each look, so that no failure of the disk is left alone for long.
func clock() func() time.Time {
	var n atomic.Int64
	return func() time.Time { return time.UnixMilli(1_795_000_000_000 + 1000*n.Add(1)) }
}

// inOrder makes an archive that does everything in order, for which its goroutine waits.
func inOrder(dir string, opt Options) *Archive {
	a := New(dir, opt)
	a.files.apart = func(do func()) { do() }
	return a
}

// readAll gives the records of an archive; the numbers must grow.
func readAll(t testing.TB, disk *disktest.Disk) []Line {
	t.Helper()
	r, err := Read(folder, disk)
	if err != nil {
		t.Fatal(err)
	}
	var all []Line
	for l, err := range r.Lines() {
		if err != nil {
			t.Fatal(err)
		}
		if n := len(all); n > 0 && l.Number <= all[n-1].Number {
			t.Fatalf("record %d follows %d", l.Number, all[n-1].Number)
		}
		l.Data, l.Record, l.native = slices.Clone(l.Data), slices.Clone(l.Record), slices.Clone(l.native)
		all = append(all, l)
	}
	if len(all) > 0 && all[0].Number != r.First() {
		t.Fatalf("the first record is %d, not %d", all[0].Number, r.First())
	}
	return all
}

// said are the native lines both ways, without meta and notes.
func said(all []Line) []string {
	var list []string
	for i := range all {
		if d := all[i].Dir; d == "out" || d == "in" {
			list = append(list, d+" "+string(all[i].Native()))
		}
	}
	return list
}

func equal(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("line %d is %.80q, want %.80q", i+1, got[i], want[i])
		}
	}
}

// What is read back is what was written, whatever it is, however often the archive is opened anew and the tail rolled.
// Proves: 002.9.3/local
func TestReadBackIsWhatWasWritten(t *testing.T) {
	text := rapid.OneOf(
		rapid.Map(rapid.String(), func(s string) string { return strings.ReplaceAll(s, "\n", "") }),
		rapid.SampledFrom([]string{
			`{"type":"x"}`, `{"a" : 1 , "b":"\u2028"}`, ` {"spaces":1}`, `{"cut":`, `"a string"`, `[1,2]`, `17`, "", "null", "}{", `{"nul":"` + "\x00" + `"}`,
		}),
		rapid.Map(rapid.IntRange(1, 3000), func(n int) string { return `{"long":"` + strings.Repeat("é", n) + `"}` }),
	)
	rapid.Check(t, func(t *rapid.T) {
		disk := disktest.New()
		var want []string
		for inc := range rapid.IntRange(1, 4).Draw(t, "incarnations") {
			a := inOrder(folder, Options{FS: disk, Roll: int64(rapid.IntRange(1, 5000).Draw(t, "roll")), Now: clock()})
			r := a.Record(uint32(inc+1), Beginning{Cwd: "/work"})
			for batch := range rapid.IntRange(0, 20).Draw(t, "batches") {
				for range rapid.IntRange(0, 5).Draw(t, "lines") {
					line := text.Draw(t, "line")
					if rapid.Bool().Draw(t, "in") {
						r.In([]byte(line))
						want = append(want, "in "+line)
					} else {
						r.Out([]byte(line))
						want = append(want, "out "+line)
					}
				}
				r.Batch(uint64(batch + 1))
			}
			r.End(99, End{Status: "exit 0"})
			a.Close()
		}
		rd, err := Read(folder, disk)
		if err != nil {
			t.Fatal(err)
		}
		n, number := 0, uint64(0)
		for l, err := range rd.Lines() {
			if number++; err != nil || l.Number != number {
				t.Fatalf("record %d: number %d, %v", number, l.Number, err)
			}
			if since := time.Duration(l.Time-1_795_000_000_000) * time.Millisecond; since <= 0 || since > 24*time.Hour {
				t.Fatalf("record %d is of %d", number, l.Time)
			}
			if l.Dir != "out" && l.Dir != "in" {
				continue
			}
			if n == len(want) || l.Dir+" "+string(l.Native()) != want[n] || l.Batch == 0 {
				t.Fatalf("line %d is %s %q of batch %d", n+1, l.Dir, l.Native(), l.Batch)
			}
			n++
		}
		if n != len(want) {
			t.Fatalf("%d lines, want %d", n, len(want))
		}
		if disk.OpenFiles() != 0 {
			t.Fatalf("%d files are open", disk.OpenFiles())
		}
	})
}

func TestRecord(t *testing.T) {
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk, Now: clock()})
	r := a.Record(2, Beginning{Cwd: "/work", Resume: true})
	r.Out([]byte(`{"type":"x"}`))
	r.In([]byte(`plain`))
	r.Batch(7)
	r.TooLong(9 << 20)
	r.End(8, End{Status: "signal: killed", Requested: true, Stderr: []string{"{}", "why"}})
	a.Close()
	want := []string{
		`{"t_ms":1795000001000,"dir":"meta","incarnation":2,"data":{"event":"spawn","cwd":"/work","resume":true}}`,
		`{"t_ms":1795000002000,"dir":"out","incarnation":2,"batch":7,"data":{"type":"x"}}`,
		`{"t_ms":1795000002000,"dir":"in","incarnation":2,"batch":7,"data":"plain"}`,
		`{"t_ms":1795000003000,"dir":"note","incarnation":2,"data":{"event":"line_too_long","bytes":9437184}}`,
		`{"t_ms":1795000003000,"dir":"err","incarnation":2,"data":"{}"}`,
		`{"t_ms":1795000003000,"dir":"err","incarnation":2,"data":"why"}`,
		`{"t_ms":1795000003000,"dir":"meta","incarnation":2,"data":{"event":"stdin_closed"}}`,
		`{"t_ms":1795000003000,"dir":"meta","incarnation":2,"data":{"event":"exit","status":"signal: killed"}}`,
	}
	all := readAll(t, disk)
	if len(all) != len(want) {
		t.Fatalf("%d records", len(all))
	}
	for i, l := range all {
		if l.Incarnation != 2 || string(l.Record) != want[i] || l.Time < 1_795_000_000_000 {
			t.Errorf("record %d is read as %+v", i+1, l)
		}
	}
}

// A nil archive records nothing and does not mind.
func TestNoArchive(*testing.T) {
	r := (*Archive)(nil).Record(1, Beginning{})
	r.Out([]byte("x"))
	r.In([]byte("x"))
	r.TooLong(1)
	r.Batch(1)
	r.Wait()
	r.End(1, End{})
}

// session records lines of a fixed size and gives what was recorded.
func session(a *Archive, inc uint32, from, count int) []string {
	var list []string
	r := a.Record(inc, Beginning{})
	for i := from; i < from+count; i++ {
		line := fmt.Sprintf(`{"type":"message_update","usage":{"input":0,"output":0,"cost":0},"n":%d,"text":"%s"}`, i, strings.Repeat("x", i%50))
		r.Out([]byte(line))
		list = append(list, "out "+line)
		if i%3 == 0 {
			r.Batch(uint64(i + 1))
			flush(a)
		}
	}
	r.End(uint64(from+count+1), End{Status: "exit 0"})
	flush(a)
	return list
}

func flush(a *Archive) { _ = a.Flush(context.Background()) } // nothing ends that context
