package raw

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/raw/block"
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

// A loss of power at any change: whatever is left can be read in order, nothing twice, finished segments as a whole, and
// the archive goes on.
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
			again := said(readAll(t, after))
			if len(again) < len(more) {
				t.Fatalf("crash at %d: %d lines after it", n, len(again))
			}
			equal(t, again[len(again)-len(more):], more)
		}
	}
}

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

// Readers read while the tail is written, rolled and removed under them.
func TestReadWhileWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "raw")
	a := New(dir, Options{Roll: 4000, Limit: 20_000})
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		readers.Go(func() {
			for {
				r, err := Read(dir, nil)
				if err != nil {
					t.Error(err)
					return
				}
				last := uint64(0)
				for l, err := range r.Lines() {
					if err != nil || l.Number <= last || l.Dir == "note" {
						t.Errorf("record %d after %d: %s, %v", l.Number, last, l.Record, err)
						return
					}
					last = l.Number
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	session(a, 1, 0, 3000)
	close(done)
	readers.Wait()
	a.Close()
}

func TestFilesAreForTheirOwnerOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "raw")
	a := New(dir, Options{Roll: 700})
	session(a, 1, 0, 60)
	a.Close()
	count := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if count++; err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil || count < 4 {
		t.Errorf("%d files, %v", count, err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}

func TestElide(t *testing.T) {
	image := make([]byte, 100_000)
	for i := range image {
		image[i] = byte(i * i)
	}
	payload := base64.StdEncoding.EncodeToString(image)
	const mark = "@elided:sha256:"
	for _, c := range []struct {
		name, line string
		marks      int
	}{
		{"an image", `{"type":"prompt","images":[{"data":"` + payload + `","mimeType":"image/png"}],"text":"look"}`, 1},
		{"two images", `{"a":"` + payload + `","b":"` + payload + `"}`, 2},
		{"a data URL", `{"url":"data:image/png;base64,` + payload + `"}`, 1},
		{"a long text", `{"text":"` + strings.Repeat("some words ", 20_000) + `"}`, 0},
		{"a small image", `{"data":"` + payload[:60_000] + `"}`, 0},
		{"no JSON", `"` + payload, 0},
		{"escapes", `{"text":"` + strings.Repeat(`\"`, 50_000) + `"}`, 0},
	} {
		got := string(elide([]byte(c.line)))
		if n := strings.Count(got, mark); n != c.marks || c.marks == 0 && got != c.line {
			t.Errorf("%s: %d marks in %.100q", c.name, n, got)
		}
		if c.marks > 0 && (strings.Contains(got, payload[:100]) || !strings.Contains(got, ":100000") || !strings.HasSuffix(got, c.line[len(c.line)-2:])) {
			t.Errorf("%s: %.300q", c.name, got)
		}
	}
	disk := disktest.New()
	a := inOrder(folder, Options{FS: disk})
	r := a.Record(1, Beginning{})
	line := `{"data":"` + payload + `"}`
	r.In([]byte(line))
	r.Out([]byte(line))
	r.Batch(1)
	a.Close()
	got := said(readAll(t, disk))
	if strings.Contains(got[0], payload) || got[1] != "out "+line {
		t.Error("lines to the agent are elided, lines of the agent are not")
	}
}

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

func flush(a *Archive) { _ = a.Flush(context.Background()) } // nothing ends that context
