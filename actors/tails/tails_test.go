package tails_test

import (
	"errors"
	"fmt"
	"reflect"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/tails"
)

// filled is a folder with one file of so many commits, each with a tail of two logs.
func filled(t *testing.T, commits int) (*disktest.Disk, *tails.Folder, *tails.File, map[tails.Log][]store.Tail) {
	t.Helper()
	files := disktest.New()
	in := tails.In("tails", files)
	f, err := in.Begin()
	if err != nil {
		t.Fatal(err)
	}
	want := map[tails.Log][]store.Tail{}
	for n := range commits {
		for _, id := range []string{"a", "bb"} {
			x := store.Tail{Segment: 7, At: int64(100 + n), Before: []byte("before\n"), Lines: fmt.Appendf(nil, "%s %d\n", id, n)}
			f.Add(id, &x)
			l := tails.Log{ID: id, Segment: 7}
			want[l] = append(want[l], x)
		}
		if err := f.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	return files, in, f, want
}

// TestFile: what was committed is read, in its order, and a file that ends anywhere gives what is whole before its end.
func TestFile(t *testing.T) {
	files, in, f, want := filled(t, 3)
	if got, err := in.Read(f.Name()); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("read %v, %v", got, err)
	}
	whole := files.Bytes("tails/" + f.Name())
	before := 0
	for size := range len(whole) + 1 {
		files.Put("tails/"+f.Name(), whole[:size])
		got, err := in.Read(f.Name())
		n := 0
		for l, list := range got {
			if n += len(list); !reflect.DeepEqual(list, want[l][:len(list)]) {
				t.Fatalf("of %d bytes: %v", size, list)
			}
		}
		if err != nil || n < before || n > before+1 {
			t.Fatalf("of %d bytes: %d tails, %v; %d of one byte less", size, n, err, before)
		}
		before = n
	}
	if before != 6 {
		t.Errorf("%d tails of the whole file", before)
	}
}

// TestRefused: what a refused commit has written is not among the bytes that survive, although it can be read.
func TestRefused(t *testing.T) {
	files, in, f, want := filled(t, 2)
	kept := f.Kept()
	for _, l := range []string{"a", "bb"} {
		f.Add(l, &store.Tail{Segment: 7, At: 102, Before: []byte("before\n"), Lines: []byte("refused\n")})
	}
	files.FailAt(files.Count()+1, syscall.EIO, 0) // its sync
	if f.Commit() == nil {
		t.Fatal("no failure")
	}
	if got, err := in.Read(f.Name()); err != nil || reflect.DeepEqual(got, want) || f.Kept() != kept || f.Size() <= kept {
		t.Fatalf("%v, %v; %d bytes of %d", got, err, f.Kept(), f.Size())
	}
	if got, err := in.ReadTo(f.Name(), f.Kept()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestRot: a bit that has rotted ends a file there, and what is before it counts.
func TestRot(t *testing.T) {
	files, in, f, want := filled(t, 2)
	name := "tails/" + f.Name()
	for bit := range 8 * len(files.Bytes(name)) {
		files.Flip(name, bit)
		got, err := in.Read(f.Name())
		if bit/8 == 7 && errors.Is(err, tails.ErrVersion) {
			files.Flip(name, bit)
			continue
		}
		n := 0
		for l, list := range got {
			if n += len(list); !reflect.DeepEqual(list, want[l][:min(len(list), len(want[l]))]) {
				t.Fatalf("bit %d: %v", bit, list)
			}
		}
		if err != nil || n > 3 {
			t.Fatalf("bit %d: %d tails, %v", bit, n, err)
		}
		files.Flip(name, bit)
	}
}

// TestLaterVersion: a file of a later build is not passed over.
func TestLaterVersion(t *testing.T) {
	files, in, f, _ := filled(t, 1)
	b := files.Bytes("tails/" + f.Name())
	b[7]++
	files.Put("tails/"+f.Name(), b)
	if got, err := in.Read(f.Name()); !errors.Is(err, tails.ErrVersion) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestNumbers: files are named by numbers that no earlier one had.
func TestNumbers(t *testing.T) {
	files, in, f, _ := filled(t, 1)
	second, err := in.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Close(), second.Close(), in.Remove(f.Name()), in.Remove(f.Name())); err != nil {
		t.Fatal(err)
	}
	later := tails.In("tails", files)
	left, err := later.Left()
	if err != nil || !reflect.DeepEqual(left, []string{second.Name()}) {
		t.Fatalf("left %v, %v", left, err)
	}
	third, err := later.Begin()
	if err != nil || third.Name() <= second.Name() {
		t.Errorf("%v, %v", third, err)
	}
	if got, err := later.Read(third.Name()); err != nil || len(got) != 0 {
		t.Errorf("a new file has %v, %v", got, err)
	}
}
