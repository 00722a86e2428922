package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

// session is a small model of the actor above the journal: it publishes what it stands by, recovers, and sends a batch
// again that was refused.
type session struct {
	t         *testing.T
	d         *disktest.Disk
	opt       journal.Options
	j         *journal.Journal
	k         book
	always    bool   // publish after Sync only
	syncEvery int    // batches; 0: never
	published uint64 // what readers may have seen
	synced    uint64 // what Sync has promised
	failures  int
}

// run appends batches, in all modes of durability, through whatever fails.
func (s *session) run(batches int, r *rand.Rand) {
	var err error
	for s.j == nil {
		if s.j, err = journal.Create(dir, s.opt); err != nil {
			s.failed(err)
			for err != nil {
				if err = journal.Remove(dir, s.opt); err != nil {
					s.failed(err)
				}
			}
		}
	}
	for n := 1; len(s.k.ends) < batches; n++ {
		s.append(s.k.next(r))
		if n%17 == 0 && s.j.Release() != nil {
			s.t.Fatal("release failed")
		}
	}
}

func (s *session) append(b journal.Batch) {
	if err := s.j.Append(b); err != nil {
		s.failed(err)
		return
	}
	if !s.always {
		s.publish(b)
	}
	if n := len(s.k.ends) + 1; s.always || s.syncEvery > 0 && n%s.syncEvery == 0 {
		if err := s.j.Sync(); err != nil {
			s.failed(err)
			return
		}
		s.synced = b.First + uint64(b.Count) - 1
	}
	if s.always {
		s.publish(b)
	}
}

func (s *session) publish(b journal.Batch) {
	s.k.add(b)
	s.published = s.k.newest()
}

// failed recovers, and checks that nothing but the published events is left.
func (s *session) failed(err error) {
	as[*journal.WriteError](s.t, err)
	if s.failures++; s.failures > 20 {
		s.t.Fatalf("it does not end: %v", err)
	}
	if s.j == nil {
		return
	}
	if again := s.j.Append(journal.Batch{}); !errors.Is(again, err) && again.Error() != err.Error() {
		s.t.Fatalf("after %v an append says %v", err, again)
	}
	for s.j.Recover(s.published) != nil {
		if s.failures++; s.failures > 20 {
			s.t.Fatal("it does not recover")
		}
	}
	if _, newest := s.j.Log().Bounds(); newest != s.published {
		s.t.Fatalf("recovered to %d, published %d", newest, s.published)
	}
	if got := read(s.t, s.j.Log(), 0, s.published); !bytes.Equal(got, s.k.bytes) {
		s.t.Fatal("recovered to something else than what was published")
	}
}

func modes(opt journal.Options) []session {
	return []session{
		{opt: opt, always: true},
		{opt: opt, syncEvery: 4},
		{opt: opt},
	}
}

// TestEveryFault lets every change on the disk fail once, in three ways: nothing published is lost, nothing refused
// comes back, also not after a restart (P10, P11).
func TestEveryFault(t *testing.T) {
	batches := 40
	if testing.Short() {
		batches = 10
	}
	for mode, kind := range modes(journal.Options{SegmentBytes: 1200}) {
		cases := 0
		for n := 0; ; n++ {
			var count int
			for short, err := range []error{syscall.ENOSPC, syscall.EIO, errors.New("some error")} {
				s := kind
				s.t, s.d = t, disktest.New()
				s.opt.FS = s.d
				s.d.FailAt(n, err, short*40)
				s.run(batches, seeded(uint64(n)))
				if count = s.d.Count(); n < count && s.failures == 0 && !removal(s.d.Ops(n)[0]) {
					t.Fatalf("mode %d: change %d (%v) failed in silence", mode, n, s.d.Ops(n)[0])
				}
				kill := s.d.Kill(s.d.Count())
				same(t, &s.k, mustOpen(t, journal.Options{FS: kill, SegmentBytes: 1200}), s.published)
				if err := s.j.Close(); err != nil {
					as[*journal.WriteError](t, err)
					if n < count {
						t.Fatalf("mode %d: the second failure: %v", mode, err)
					}
				}
				for range 2 {
					same(t, &s.k, mustOpen(t, s.opt), s.published)
				}
				cases++
			}
			if n >= count {
				break
			}
		}
		tally.Count("P10", "journal runs with a fault at one operation", cases, "")
		tally.Count("P10", "published events lost to a fault", 0, "0")
		t.Logf("mode %d: %d runs with one fault each", mode, cases)
	}
}

// removal says that failing does no harm.
func removal(op disktest.Op) bool { return strings.HasPrefix(op.Kind, "remove") }

// TestFaultsInRow lets many changes fail, Recover's own among them.
func TestFaultsInRow(t *testing.T) {
	runs := 400
	if testing.Short() {
		runs = 50
	}
	for seed := range uint64(runs) {
		r := seeded(seed)
		s := modes(journal.Options{SegmentBytes: 900})[seed%3]
		s.t, s.d = t, disktest.New()
		s.opt.FS = s.d
		faults := 0
		s.d.Fail(func(int, disktest.Op) *disktest.Fault {
			if faults < 12 && r.IntN(8) == 0 {
				faults++
				return &disktest.Fault{Err: syscall.EIO, Short: r.IntN(300)}
			}
			return nil
		})
		s.run(30, r)
		for range 2 {
			same(t, &s.k, mustOpen(t, journal.Options{FS: s.d.Kill(s.d.Count()), SegmentBytes: 900}), s.published)
		}
		closed(t, s.d, s.j)
		same(t, &s.k, mustOpen(t, s.opt), s.published)
	}
}

// TestDiskFull: the disk fills up, the journal refuses with a hint, and goes on by itself when there is space (P10).
func TestDiskFull(t *testing.T) {
	s := session{t: t, d: disktest.New()}
	s.opt.FS = s.d
	s.d.Limit(1 << 16)
	r := seeded(1)
	var err error
	if s.j, err = journal.Create(dir, s.opt); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		b := s.k.next(r)
		if err = s.j.Append(b); err == nil {
			s.publish(b)
		}
	}
	e := as[*journal.WriteError](t, err)
	if !errors.Is(e, syscall.ENOSPC) || !strings.Contains(e.Hint, "full") {
		t.Fatalf("%v", e)
	}
	for range 10 {
		if err := s.j.Recover(s.published); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("recovered on a full disk: %v", err)
		}
	}
	if files := s.d.Files(); len(files) != 2 {
		t.Errorf("attempts left files: %v", files)
	}
	// A restart in the meantime repairs what it can without space.
	restarted := s.d.Kill(s.d.Count())
	restarted.Limit(1 << 16)
	same(t, &s.k, mustOpen(t, journal.Options{FS: restarted}), s.published)

	s.d.Limit(0)
	if err := s.j.Recover(s.published); err != nil {
		t.Fatal(err)
	}
	s.append(s.k.next(r))
	closed(t, s.d, s.j)
	same(t, &s.k, mustOpen(t, s.opt), s.k.newest())
}

// TestRepairFails: when the disk refuses the repair the log can be read, and the next Open tries again; or Recover goes on behind what could be read.
func TestRepairFails(t *testing.T) {
	for name, spoil := range map[string]func(d *disktest.Disk){
		"torn":     func(d *disktest.Disk) { d.Put(data1, d.Bytes(data1)[:len(d.Bytes(data1))-3]) },
		"index":    func(d *disktest.Disk) { d.Delete(index1) },
		"index, 3": func(d *disktest.Disk) { d.Flip(index1, 8*(journal.HeaderSize+3*journal.RecordSize)) },
	} {
		for n := 0; ; n++ {
			refused := func() (*disktest.Disk, *book, opened) {
				d, k := written(t, 2000)
				if spoil(d); name == "torn" {
					k.cut(k.ends[len(k.ends)-2])
				}
				d.FailAt(d.Count()+n, syscall.ENOSPC, 10)
				return d, k, open(journal.Options{FS: d})
			}
			d, k, o := refused()
			if o.err == nil {
				if n == 0 {
					t.Fatalf("%s: nothing to repair", name)
				}
				break
			}
			as[*journal.WriteError](t, o.err)
			same(t, k, o, k.newest())
			if err := o.j.Append(k.next(seeded(1))); !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("%s: append after a failed repair: %v", name, err)
			}
			d.Fail(nil)
			same(t, k, mustOpen(t, journal.Options{FS: d}), k.newest())
			again(t, d, k, k.newest())

			d, k, o = refused()
			d.Fail(nil)
			if err := o.j.Recover(k.newest()); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			k.fill(t, o.j, 3000, seeded(1))
			if got := read(t, o.j.Log(), 0, k.newest()); !bytes.Equal(got, k.bytes) {
				t.Fatalf("%s: %d bytes are not the log (%d bytes)", name, len(got), len(k.bytes))
			}
			closed(t, d, o.j)
			same(t, k, mustOpen(t, journal.Options{FS: d}), k.newest())
			again(t, d, k, k.newest())
		}
	}
}

// TestReadFaults: a disk that does not read gives an error, and no repair.
func TestReadFaults(t *testing.T) {
	d, k := written(t, 3000)
	for n := 0; ; n++ {
		ops := d.Count()
		fs := &unreadable{Disk: d, left: n}
		o := open(journal.Options{FS: fs})
		if len(d.Ops(ops)) != 0 {
			t.Fatal("something was changed")
		}
		if o.err == nil {
			same(t, k, o, k.newest())
			break
		}
		if e := as[*journal.ReadError](t, o.err); o.j != nil || !errors.Is(e, syscall.EIO) {
			t.Fatalf("%d: %v", n, e)
		}
		if d.OpenFiles() != 0 {
			t.Fatalf("%d: files left open", n)
		}
	}
}

// unreadable fails after so many reads.
type unreadable struct {
	*disktest.Disk
	left int
}

type badReader struct {
	disk.Reader
	fs *unreadable
}

func (u *unreadable) Open(name string) (disk.Reader, error) {
	f, err := u.Disk.Open(name)
	return badReader{f, u}, err
}

func (b badReader) ReadAt(p []byte, at int64) (int, error) {
	if b.fs.left--; b.fs.left < 0 {
		return 0, fmt.Errorf("read: %w", syscall.EIO)
	}
	return b.Reader.ReadAt(p, at)
}
