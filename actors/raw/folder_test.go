package raw

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

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

// TestFolderGoesElsewhere: of an archive whose folder is renamed while it is read a reader gives an error, and not what it has in memory as if that were all.
func TestFolderGoesElsewhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "raw")
	a := New(dir, Options{Roll: 4000})
	defer a.Close()
	session(a, 1, 0, 300)
	if err := a.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := Read(dir, nil)
	if err != nil || len(r.segments) < 2 || len(r.tail) == 0 {
		t.Fatalf("%d files, %d bytes in the tail: %v", len(r.segments), len(r.tail), err)
	}
	if err := os.Rename(dir, dir+".aside"); err != nil {
		t.Fatal(err)
	}
	for l, err := range r.Lines() {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("line %d is given: %v", l.Number, err)
		}
	}
	for l, err := range r.From(r.Finished() + 1) {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("line %d is given: %v", l.Number, err)
		}
	}
}
