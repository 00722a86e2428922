package journal_test

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

// released are lives of journals, as the release that is named first in testdata/released left them on the disk.
var released = map[string]func(t *testing.T, s *session){
	"clean": func(t *testing.T, s *session) {
		s.run(5, seeded(1))
		closed(t, s.d, s.j)
	},
	"killed": func(_ *testing.T, s *session) { s.run(3, seeded(0)) },
	"torn": func(_ *testing.T, s *session) {
		s.run(5, seeded(2))
		s.d.Put(data1, s.d.Bytes(data1)[:len(s.d.Bytes(data1))-9])
	},
	"segments": func(t *testing.T, s *session) { // an epoch, a segment that was passed over, and a retention
		s.opt.SegmentBytes = 600
		s.run(8, seeded(3))
		s.d.FailAt(s.d.Count()+1, syscall.ENOSPC, 40)
		s.run(12, seeded(4))
		if err := s.j.NewEpoch(2); err != nil {
			t.Fatal(err)
		}
		s.run(16, seeded(5))
		if err := s.j.DropBefore(s.published - 20); err != nil {
			t.Fatal(err)
		}
		closed(t, s.d, s.j)
	},
}

// TestReleased opens the journals that released versions wrote: what they hold is what was found at the time of the release, and they can be
// continued. -update writes those of the present version where there is none; one that is there is never written again (P25).
func TestReleased(t *testing.T) {
	for name, live := range released {
		folder := filepath.Join("testdata", "released", "v1", name)
		if _, err := os.Stat(folder); *update && err != nil {
			write(t, folder, live)
		}
	}
	samples, err := filepath.Glob("testdata/released/*/*")
	if err != nil || len(samples) < len(released) {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	for _, sample := range samples {
		t.Run(strings.TrimPrefix(filepath.ToSlash(sample), "testdata/released/"), func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join(sample, "found.txt"))
			if err != nil {
				t.Fatal(err)
			}
			copied := filepath.Join(t.TempDir(), dir)
			if err := os.CopyFS(copied, os.DirFS(sample)); err != nil {
				t.Fatal(err)
			}
			var log []byte
			j, rec, err := journal.Open(copied, journal.Options{}, func(line []byte) error {
				log = append(append(log, line...), '\n')
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(rec, log); got != string(want) {
				t.Errorf("found\n%s, and the release found\n%s", got, want)
			}
			if err := j.Append(batch(rec.Newest+1, 2, "", journal.Source{})); err != nil {
				t.Fatal(err)
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			if _, again, err := journal.Open(copied, journal.Options{}, nil); err != nil || again.Newest != rec.Newest+2 || !again.Clean {
				t.Errorf("continued: %+v, %v", again, err)
			}
			tally.Count("P25", "journals of releases opened", 1, "")
		})
	}
}

func describe(rec journal.Recovery, log []byte) string {
	return fmt.Sprintf("%+v\n%d bytes, checksum %08x\n", rec, len(log), crc32.ChecksumIEEE(log))
}

// write makes a sample.
func write(t *testing.T, folder string, live func(*testing.T, *session)) {
	s := &session{t: t, d: disktest.New()}
	s.opt.FS = s.d
	live(t, s)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range s.d.Files() {
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(name)), s.d.Bytes(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := mustOpen(t, journal.Options{FS: s.d})
	if err := os.WriteFile(filepath.Join(folder, "found.txt"), []byte(describe(o.rec, o.log)), 0o644); err != nil {
		t.Fatal(err)
	}
}
