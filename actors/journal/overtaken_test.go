package journal_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

// slow is a disk on which something happens while a sync is under way.
type slow struct {
	*disktest.Disk
	during func() error // nil: nothing; an error is what the sync says
}

type slowWriter struct {
	disk.Writer
	disk *slow
}

func (s *slow) Create(name string) (disk.Writer, error) {
	w, err := s.Disk.Create(name)
	return &slowWriter{w, s}, err
}

func (w *slowWriter) Sync() error {
	if f := w.disk.during; f != nil {
		w.disk.during = nil
		if err := f(); err != nil {
			return err
		}
	}
	return w.Writer.Sync()
}

// TestSyncOvertaken: whatever the owner does during a Sync of another goroutine, nil means synced.
func TestSyncOvertaken(t *testing.T) {
	broken := errors.New("the disk is broken")
	for _, c := range []struct {
		name   string
		during func(s *slow, j *journal.Journal) error
		want   error
	}{
		{"by nothing", nil, nil},
		{"by release", func(_ *slow, j *journal.Journal) error { return j.Release() }, nil},
		{"by a new segment", func(_ *slow, j *journal.Journal) error { return j.NewEpoch(2) }, nil},
		{"by an append", func(_ *slow, j *journal.Journal) error { return j.Append(batch(4, 1, "", journal.Source{})) }, nil},
		{"by a failure", func(s *slow, j *journal.Journal) error {
			s.FailAt(s.Count(), syscall.EIO, 0)
			if j.Append(batch(4, 1, "", journal.Source{})) == nil {
				return errors.New("no failure")
			}
			return nil
		}, syscall.EIO},
		{"by a failure and recovery", func(s *slow, j *journal.Journal) error {
			s.FailAt(s.Count(), syscall.EIO, 0)
			j.Append(batch(4, 1, "", journal.Source{}))
			return j.Recover(0)
		}, journal.ErrForgotten},
		{"by a new segment, and failed", func(_ *slow, j *journal.Journal) error {
			return errors.Join(j.NewEpoch(2), broken)
		}, broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &slow{Disk: disktest.New()}
			opt := journal.Options{FS: s}
			j := create(t, opt)
			for _, b := range []journal.Batch{batch(1, 1, "", journal.Source{}), batch(2, 2, "", journal.Source{})} { // the first is synced by itself
				if err := j.Append(b); err != nil {
					t.Fatal(err)
				}
			}
			if c.during != nil {
				s.during = func() error { return c.during(s, j) }
			}
			if err := j.Sync(); !errors.Is(err, c.want) {
				t.Fatalf("sync: %v, want %v", err, c.want)
			}
			if c.want != nil {
				if c.want == broken && !errors.Is(j.Append(batch(4, 1, "", journal.Source{})), broken) {
					t.Error("the journal has not failed")
				}
				return
			}
			if o := mustOpen(t, journal.Options{FS: s.Crash(s.Count(), nil)}); o.rec.Newest < 3 {
				t.Errorf("synced to %d", o.rec.Newest)
			}
			closed(t, s.Disk, j)
		})
	}
}

// TestClosedFile: the system's own error for a file that Release closed is one that Sync knows.
func TestClosedFile(t *testing.T) {
	f, err := disk.OS().Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if err := f.Sync(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("sync after close: %v", err)
	}
}
