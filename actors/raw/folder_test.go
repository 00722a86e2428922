package raw

import (
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
