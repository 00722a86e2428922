package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

func in(d *disktest.Disk, segment int64) *journal.Store {
	return journal.In(func(id string) string { return id }, journal.Options{FS: d, SegmentBytes: segment})
}

// carried are all stretches of a log, each as long as most says; the last one has no events.
func carried(log store.Log, most func() store.Most) iter.Seq2[store.Stretch, error] {
	return func(yield func(store.Stretch, error) bool) {
		oldest, newest := log.Bounds()
		for since := oldest - 1; ; {
			st, err := log.Stretch(since, newest, most())
			if !yield(st, err) || err != nil || st.Count() == 0 {
				return
			}
			since = st.Last()
		}
	}
}

func few() store.Most { return store.Most{Events: 9, Bytes: 1 << 20} }

// varied is the log of a random life: batches with a source and without, epochs, restarts, writes that fail, retention.
func varied(t *testing.T, d *disktest.Disk, segment int64, r *rand.Rand) {
	t.Helper()
	opt := journal.Options{FS: d, SegmentBytes: segment}
	j := create(t, opt)
	var k book
	for n := range 60 + r.IntN(60) {
		b := k.next(r)
		if r.IntN(3) == 0 {
			b.Source = journal.Source{}
		} else if n > 40 {
			b.Source.Incarnation = 2
		}
		fault := r.IntN(15) == 0
		if fault {
			d.FailAt(d.Count()+r.IntN(2), syscall.EIO, r.IntN(200))
		}
		err := j.Append(b)
		if d.Fail(nil); err != nil {
			if !fault {
				t.Fatal(err)
			}
			if err := j.Recover(k.newest()); err != nil {
				t.Fatal(err)
			}
			continue
		}
		k.add(b)
		switch r.IntN(30) {
		case 0:
			err = j.NewEpoch(j.Log().Epoch() + 1 + r.Uint64N(3))
		case 1:
			err = j.DropBefore(k.newest() - min(k.newest(), 40))
		case 2:
			if err = j.Close(); err == nil {
				j, _, err = journal.Open(dir, opt, nil)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	closed(t, d, j)
}

// TestCarriedLogs: whatever a log has been through, one that is made of its stretches has its bytes, epochs, spans and newest source.
func TestCarriedLogs(t *testing.T) {
	runs := uint64(300)
	if testing.Short() || raceEnabled {
		runs = 40
	}
	for seed := range runs {
		r := seeded(seed)
		segment := int64(300 + r.IntN(4000))
		from, to := disktest.New(), disktest.New()
		varied(t, from, segment, r)
		was := mustOpen(t, journal.Options{FS: from, SegmentBytes: segment})
		most := func() store.Most { return store.Most{Events: r.IntN(40), Bytes: r.Int64N(6000)} }
		other := in(to, int64(300+r.IntN(4000)))
		if err := other.Adopt(dir, carried(was.j.Log(), most), nil); err != nil {
			t.Fatalf("%d: %v", seed, err)
		}
		is := mustOpen(t, journal.Options{FS: to.Crash(to.Count(), nil), PowerLoss: true})
		if !bytes.Equal(is.log, was.log) || !slices.Equal(is.j.Log().Epochs(), was.j.Log().Epochs()) {
			t.Fatalf("%d: %d bytes in epochs %v, want %d in %v", seed, len(is.log), is.j.Log().Epochs(), len(was.log), was.j.Log().Epochs())
		}
		is.rec.RebuiltIndex, is.rec.Last = is.rec.RebuiltIndex || is.rec.Last != was.rec.Last, was.rec.Last
		if want := (journal.Recovery{
			Oldest: was.rec.Oldest, Newest: was.rec.Newest, Epoch: was.rec.Epoch, Last: was.rec.Last, Clean: true,
		}); is.rec != want {
			t.Fatalf("%d: %+v, want %+v", seed, is.rec, want)
		}
		var spans [2][]journal.Span
		for i, s := range []*journal.Store{in(from, 0), other} {
			for span, err := range s.Spans(dir) {
				if err != nil {
					t.Fatal(err)
				}
				spans[i] = append(spans[i], span)
			}
		}
		if !slices.Equal(spans[0], spans[1]) {
			t.Fatalf("%d: spans %v, want %v", seed, spans[1], spans[0])
		}
		looked, err := other.Look(dir)
		if err != nil || !bytes.Equal(read(t, looked, is.rec.Oldest-1, is.rec.Newest), was.log) {
			t.Fatalf("%d: a look shows another log, %v", seed, err)
		}
		closed(t, to, is.j)
		closed(t, from, was.j)
	}
}

// carriedFrom is a log of a few segments and two epochs, and what it is.
func carriedFrom(t *testing.T) (log store.Log, want []byte) {
	t.Helper()
	d := disktest.New()
	j := create(t, journal.Options{FS: d, SegmentBytes: 700})
	var k book
	k.fill(t, j, 1500, seeded(5))
	if err := j.NewEpoch(4); err != nil {
		t.Fatal(err)
	}
	k.fill(t, j, 2500, seeded(6))
	closed(t, d, j)
	return j.Log(), k.bytes
}

// none wants a disk to have no log; whole one that has all of it, which was closed in order.
func none(d *disktest.Disk, id string) bool {
	_, err := in(d, 700).Stat(id)
	return errors.Is(err, fs.ErrNotExist)
}

func whole(d *disktest.Disk, id string, want []byte, powerLoss bool) error {
	var got []byte
	w, rec, err := in(d, 700).Open(id, store.Opening{PowerLoss: powerLoss}, func(l []byte) error {
		got = append(append(got, l...), '\n')
		return nil
	})
	switch {
	case err != nil:
		return err
	case !bytes.Equal(got, want) || rec.Epoch != 4 || !rec.Clean || rec.RebuiltIndex || rec.TornBytes > 0:
		return fmt.Errorf("%d of %d bytes: %+v", len(got), len(want), rec)
	}
	return w.Close()
}

// anywhere ends the process, or takes the power, behind every change that a disk has seen since so many.
func anywhere(d *disktest.Disk, since int, check func(n int, left *disktest.Disk, powerLoss bool)) {
	past := d.Replay()
	for n := 0; ; n++ {
		if n >= since {
			check(n, past.Kill(), false)
			for choice := range 6 {
				check(n, past.Crash(choose(n, choice)), true)
			}
		}
		if _, more := past.Next(); !more {
			return
		}
	}
}

// TestAdoptAnywhere: whatever change of the disk is an adoption's last one, there is no log, and it can be adopted then, or the whole one, as after
// the last change of all. A start finds what is left by its name alone.
func TestAdoptAnywhere(t *testing.T) {
	log, want := carriedFrom(t)
	for _, before := range []string{"nothing", "half an adoption", "a log that was never begun"} {
		d := disktest.New()
		s := in(d, 700)
		switch before {
		case "half an adoption":
			d.Fail(func(n int, _ disktest.Op) *disktest.Fault {
				if n < 30 {
					return nil
				}
				return &disktest.Fault{Err: syscall.EIO}
			})
			if err := s.Adopt("s2", carried(log, few), nil); !errors.Is(err, syscall.EIO) {
				t.Fatal(err)
			}
			d.Fail(nil)
			if !slices.Contains(d.Folders(), "s2"+journal.AdoptingSuffix) {
				t.Fatalf("nothing is left of half an adoption: %v", d.Folders())
			}
		case "a log that was never begun":
			j, err := journal.Create("s2", journal.Options{FS: d})
			if err != nil {
				t.Fatal(err)
			}
			d.FailAt(d.Count()+1, syscall.EIO, 20)
			if err := j.Append(batch(1, 3, "", journal.Source{})); err == nil {
				t.Fatal("the append did not fail")
			}
			d.Fail(nil)
			if err := j.CloseUnclean(); err != nil {
				t.Fatal(err)
			}
		}
		since := d.Count()
		if err := s.Adopt("s2", carried(log, few), noting(d)); err != nil {
			t.Fatalf("%s: %v", before, err)
		}
		states, there := 0, 0
		anywhere(d, since, func(n int, left *disktest.Disk, powerLoss bool) {
			for _, name := range left.Folders() {
				if name != "s2" && !strings.HasSuffix(name, journal.AdoptingSuffix) && !strings.HasSuffix(name, journal.RemovedSuffix) {
					t.Fatalf("%s, after %d changes: a start takes %s for a session", before, n, name)
				}
			}
			info, err := in(left, 700).Stat("s2")
			if err == nil && info.Records == 0 { // the loss of power has taken the append that failed, and with it the sign that it never counted
				if err := in(left, 700).Remove("s2"); err != nil {
					t.Fatal(err)
				}
			}
			if states++; err != nil || info.Records < 2 {
				if n == d.Count() {
					t.Fatalf("%s: there is no log when Adopt has returned", before)
				}
				if err := in(left, 700).Adopt("s2", carried(log, few), nil); err != nil {
					t.Fatalf("%s, after %d changes: adopted again: %v", before, n, err)
				}
				left = left.Crash(left.Count(), nil)
			} else if there++; string(left.Bytes("s2/note")) != "noted" {
				t.Fatalf("%s, after %d changes, loss of power %v: there is a log, and what was to be beside it is not", before, n, powerLoss)
			}
			if err := whole(left, "s2", want, powerLoss); err != nil {
				t.Fatalf("%s, after %d changes, loss of power %v: %v", before, n, powerLoss, err)
			}
		})
		t.Logf("%s: %d states, %d of them with a log", before, states, there)
		if there < 8 {
			t.Errorf("%s: %d states have a log", before, there)
		}
	}
}

// noting puts a file beside a log, safe.
func noting(d *disktest.Disk) func(dir string) error {
	return func(dir string) error {
		f, err := d.Create(filepath.Join(dir, "note"))
		if err == nil {
			_, err = f.Write([]byte("noted"))
		}
		if err == nil {
			err = errors.Join(f.Sync(), f.Close(), d.SyncDir(dir))
		}
		return err
	}
}

// TestAdoptWithout: where what is to be beside a log cannot be put there, there is no log.
func TestAdoptWithout(t *testing.T) {
	log, _ := carriedFrom(t)
	d, failure := disktest.New(), errors.New("no")
	if err := in(d, 700).Adopt("s2", carried(log, few), func(string) error { return failure }); !errors.Is(err, failure) {
		t.Error(err)
	}
	if !none(d, "s2") || len(d.Files()) > 0 || d.OpenFiles() > 0 {
		t.Errorf("there are %v", d.Files())
	}
}

// TestAdoptFaults lets every change of an adoption fail once: it is told, leaves no log and no file open, and the next one is whole.
func TestAdoptFaults(t *testing.T) {
	log, want := carriedFrom(t)
	for n := 0; ; n++ {
		d := disktest.New()
		d.FailAt(n, syscall.ENOSPC, 20)
		err := in(d, 700).Adopt("s2", carried(log, few), nil)
		if err == nil {
			if n < d.Count() && d.Ops(n)[0].Kind != "removeall" {
				t.Fatalf("change %d (%v) failed in silence", n, d.Ops(n)[0])
			}
			if n < d.Count() {
				continue
			}
			t.Logf("%d changes", n)
			return
		}
		if e := as[*journal.WriteError](t, err); !errors.Is(e, syscall.ENOSPC) || e.Hint == "" || d.OpenFiles() != 0 || !none(d, "s2") || len(d.Files()) > 0 {
			t.Fatalf("change %d: %v; %d files are open, and there are %v", n, err, d.OpenFiles(), d.Files())
		}
		if err := in(d, 700).Adopt("s2", carried(log, few), nil); err != nil {
			t.Fatalf("change %d: adopted again: %v", n, err)
		}
		if err := whole(d.Crash(d.Count(), nil), "s2", want, true); err != nil {
			t.Fatalf("change %d: %v", n, err)
		}
	}
}

// TestSetAsideAnywhere: whatever change is the last one, the log is there or set aside, whole, with what was kept beside it; asked again, it is set aside for good.
func TestSetAsideAnywhere(t *testing.T) {
	log, want := carriedFrom(t)
	begin := func() *disktest.Disk {
		d := disktest.New()
		if err := in(d, 700).Adopt("s2", carried(log, few), nil); err != nil {
			t.Fatal(err)
		}
		f, err := d.Create(filepath.Join("s2", "session.json"))
		if err == nil {
			err = errors.Join(f.Sync(), f.Close(), d.SyncDir("s2"))
		}
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	is := func(d *disktest.Disk) (here, there bool) {
		aside, err := in(d, 700).Aside("s2", "lost")
		if there = err == nil; there {
			oldest, newest := aside.Bounds()
			if !bytes.Equal(read(t, aside, oldest-1, newest), want) || !slices.Equal(aside.Epochs(), log.Epochs()) {
				t.Fatal("what was set aside is another log")
			}
			if !slices.Contains(d.Files(), filepath.Join("s2"+journal.AsideSuffix, "lost", "session.json")) {
				t.Fatalf("what was kept beside the log is gone: %v", d.Files())
			}
		}
		return !none(d, "s2"), there
	}
	d := begin()
	since := d.Count()
	if err := in(d, 700).SetAside("s2", "lost"); err != nil {
		t.Fatal(err)
	}
	anywhere(d, since, func(n int, left *disktest.Disk, powerLoss bool) {
		here, there := is(left)
		if here == there || here && n == d.Count() {
			t.Fatalf("after %d changes, loss of power %v: here %v, set aside %v", n, powerLoss, here, there)
		}
		if err := in(left, 700).SetAside("s2", "lost"); err != nil {
			t.Fatalf("after %d changes: set aside again: %v", n, err)
		}
		if here, there := is(left.Crash(left.Count(), nil)); here || !there {
			t.Fatalf("after %d changes: set aside again, it is here %v, set aside %v", n, here, there)
		}
	})
	for n := 0; ; n++ {
		d := begin()
		since := d.Count()
		d.FailAt(since+n, syscall.EIO, 0)
		err := in(d, 700).SetAside("s2", "lost")
		if err == nil {
			if since+n < d.Count() {
				t.Fatalf("change %d (%v) failed in silence", n, d.Ops(since + n)[0])
			}
			break
		}
		as[*journal.WriteError](t, err)
		if here, there := is(d); here == there {
			t.Fatalf("change %d failed: here %v, set aside %v", n, here, there)
		}
		if err := in(d, 700).SetAside("s2", "lost"); err != nil {
			t.Fatalf("change %d failed: set aside again: %v", n, err)
		}
		if here, there := is(d.Crash(d.Count(), nil)); here || !there {
			t.Fatalf("change %d failed: set aside again, it is here %v, set aside %v", n, here, there)
		}
	}
}

// TestRemoveWithAsideAnywhere: an interrupted removal leaves the log, or what can be told from one by its name; it never leaves a log that was set aside
// without the session whose removal can be asked for again.
func TestRemoveWithAsideAnywhere(t *testing.T) {
	log, want := carriedFrom(t)
	d := disktest.New()
	s := in(d, 700)
	err := errors.Join(s.Adopt("s2", carried(log, few), nil), s.SetAside("s2", "lost"), s.Adopt("s2", carried(log, few), nil))
	since := d.Count()
	if err = errors.Join(err, s.Remove("s2")); err != nil {
		t.Fatal(err)
	}
	anywhere(d, since, func(n int, left *disktest.Disk, powerLoss bool) {
		_, err := in(left, 700).Aside("s2", "lost")
		switch gone := none(left, "s2"); {
		case gone && err == nil:
			t.Fatalf("after %d changes a log that was set aside has outlived its session", n)
		case !gone && n == d.Count():
			t.Fatal("the log is there when Remove has returned")
		case !gone:
			if err := whole(left, "s2", want, powerLoss); err != nil {
				t.Fatalf("after %d changes: %v", n, err)
			}
		}
		if err := in(left, 700).Remove("s2"); err != nil || len(left.Files()) > 0 {
			t.Fatalf("after %d changes: removed again, %v is left, %v", n, left.Files(), err)
		}
	})
}

// TestCarryOnTheSystem: adoptions and logs set aside on the system's own files, also where something else has their place.
func TestCarryOnTheSystem(t *testing.T) {
	log, want := carriedFrom(t)
	root := t.TempDir()
	s := journal.In(func(id string) string { return filepath.Join(root, id) }, journal.Options{SegmentBytes: 700})
	names := func() (names []string) {
		entries, err := os.ReadDir(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	if err := s.SetAside("s2", "lost"); err != nil || len(names()) > 0 {
		t.Errorf("of no log, %v is set aside, %v", names(), err)
	}
	if err := errors.Join(os.Mkdir(filepath.Join(root, "s2"), 0o700), os.WriteFile(filepath.Join(root, "s2", "session.json"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := as[*journal.WriteError](t, s.Adopt("s2", carried(log, few), nil)); !errors.Is(err, fs.ErrExist) || !slices.Equal(names(), []string{"s2"}) {
		t.Errorf("in the place of something else: %v; there are %v", err, names())
	}
	images := filepath.Join(root, "s2", "images")
	if err := errors.Join(os.Remove(filepath.Join(root, "s2", "session.json")), os.Mkdir(images, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := as[*journal.WriteError](t, s.Adopt("s2", carried(log, few), nil)); !errors.Is(err, fs.ErrExist) || !slices.Equal(names(), []string{"s2"}) {
		t.Errorf("in the place of pictures: %v; there are %v", err, names())
	}
	if err := os.Remove(images); err != nil {
		t.Fatal(err)
	}
	if err := s.Adopt("s2", carried(log, few), nil); err != nil { // in an empty folder's place
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "s2", "session.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.SetAside("s2", "lost"); err != nil || !slices.Equal(names(), []string{"s2" + journal.AsideSuffix}) {
			t.Fatalf("there are %v, %v", names(), err)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "s2"+journal.AsideSuffix, "lost", "session.json")); err != nil {
		t.Error(err)
	}
	aside, err := s.Aside("s2", "lost")
	if err != nil {
		t.Fatal(err)
	}
	if _, newest := aside.Bounds(); !bytes.Equal(read(t, aside, 0, newest), want) {
		t.Error("what was set aside is another log")
	}
	if err := s.Adopt("s2", carried(aside, few), nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove("s2"); err != nil || len(names()) > 0 {
		t.Errorf("%v is left, %v", names(), err)
	}
}
