package record

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// unsynced is a disk on which nothing is safe: what these tests look at needs no loss of power.
type unsynced struct{ disk.FS }

func (f unsynced) Create(name string) (disk.Writer, error) { return lazy(f.FS.Create(name)) }
func (f unsynced) Append(name string) (disk.Writer, error) { return lazy(f.FS.Append(name)) }
func (unsynced) SyncDir(string) error                      { return nil }

type lazyWriter struct{ disk.Writer }

func (lazyWriter) Sync() error { return nil }

func lazy(w disk.Writer, err error) (disk.Writer, error) {
	if err != nil {
		return nil, err
	}
	return lazyWriter{w}, nil
}

// yard is a data folder with sessions at rest, and daemons that follow one another in it.
type yard struct {
	t     *testing.T
	dir   string
	files disk.FS
	boot  string
	names []string
	slack int64
	up    string // a session that was taken up
}

func newYard(t *testing.T, names ...string) *yard {
	y := &yard{t: t, dir: t.TempDir(), files: unsynced{disk.OS()}, boot: "b1", names: names}
	for _, id := range names {
		if err := os.MkdirAll(filepath.Dir(y.path(id)), 0o700); err != nil {
			t.Fatal(err)
		}
		y.write(y.lines(id), []byte("a line\n"))
	}
	return y
}

func (y *yard) path(id string) string { return filepath.Join(y.dir, "sessions", id, "session.json") }

func (y *yard) lines(id string) string {
	return filepath.Join(filepath.Dir(y.path(id)), "000001.ndjson")
}
func (y *yard) file() string { return filepath.Join(y.dir, RestingFile) }

// locked has a daemon, of whatever build, take the folder: the stamp of the lock before and since.
func (y *yard) locked() (was, is disk.Stamp) {
	lock := filepath.Join(y.dir, "lock")
	was, _ = y.files.Stamp(lock, false)
	if err := os.WriteFile(lock, []byte("1\n"), 0o600); err != nil {
		y.t.Fatal(err)
	}
	is, err := y.files.Stamp(lock, true)
	if err != nil {
		y.t.Fatal(err)
	}
	return was, is
}

// open is the start of a daemon that knows the file.
func (y *yard) open() (*Resting, []*Record) {
	was, is := y.locked()
	return y.openAs(was, is)
}

// openAs has each session's folder asked whether its copy counts.
func (y *yard) openAs(was, is disk.Stamp) (*Resting, []*Record) {
	r, copies := OpenResting(RestingConfig{
		Dir: y.dir, Path: y.path,
		Lines: func(id string) (string, error) { return filepath.Base(y.lines(id)), nil },
		Files: y.files, Log: zap.NewNop(), Boot: y.boot, Was: was, Lock: is, Slack: y.slack,
	}, y.names)
	found := make([]*Record, len(copies))
	for i, c := range copies {
		if c.Record != nil && r.Holds(y.names[i], &c.Proof) {
			found[i] = c.Record
		}
	}
	return r, found
}

func (y *yard) recorder(r *Resting) *Recorder { return NewRecorder(y.path, y.files, r, zap.NewNop()) }

func rested(id string, seq uint64) Record {
	at := time.UnixMilli(1_800_000_000_000).UTC()
	return Record{
		Version: Version, Rests: true, Synced: seq,
		Summary: &Summary{ID: id, Agent: "pi", Cwd: "/work", Title: "of " + id, Seq: seq, Epoch: 1, Created: at, Updated: at, Labels: map[string]string{"k": "v"}},
	}
}

// written has a daemon write sessions at rest, and end in order.
func (y *yard) written(seq uint64) {
	r, _ := y.open()
	w := y.recorder(r)
	for _, id := range y.names {
		w.Put(id, rested(id, seq))
	}
	w.Close()
	r.Close(true)
}

// truthful fails where a record is told that is not what the session's session.json says.
func (y *yard) truthful(found []*Record) (told int) {
	y.t.Helper()
	for i, rec := range found {
		if rec == nil {
			continue
		}
		told++
		is, err := Read(y.files, y.path(y.names[i]))
		if err != nil || !reflect.DeepEqual(*rec, is) || y.names[i] == y.up {
			y.t.Fatalf("session %s: %+v is told, and there is %+v, %v", y.names[i], rec, is, err)
		}
	}
	return told
}

func (y *yard) read(name string) []byte {
	y.t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		y.t.Fatal(err)
	}
	return b
}

func (y *yard) write(name string, b []byte) {
	y.t.Helper()
	if err := os.WriteFile(name, b, 0o600); err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) wants(found []*Record, want int) {
	y.t.Helper()
	if n := y.truthful(found); n != want {
		y.t.Fatalf("%d sessions are told of, want %d", n, want)
	}
}

// TestRestingIsRead: after an end in order, after kill -9, and again.
func TestRestingIsRead(t *testing.T) {
	y := newYard(t, "a", "b", "c")
	y.written(7)
	left := filepath.Join(filepath.Dir(y.path("b")), Fresh)
	y.write(left, []byte("half of one"))
	y.open() // killed
	_, found := y.open()
	y.wants(found, 3)
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what a killed daemon was writing is left: %v", err)
	}
	r, found := y.open()
	y.wants(found, 3)
	r.Close(true)
	y.boot = "b2"
	r, found = y.open()
	y.wants(found, 3)
	if n := bytes.Count(y.read(y.file()), []byte("\n")); n != 3+5+2 {
		t.Errorf("%d lines:\n%s", n, y.read(y.file()))
	}
	r.Close(true)
}

// TestRestingAfterALossOfPower: what a daemon did that has not ended in order may be gone, and nothing is believed.
func TestRestingAfterALossOfPower(t *testing.T) {
	y := newYard(t, "a", "b")
	y.written(7)
	r, _ := y.open()
	r.Close(false)
	y.boot = "b2"
	_, found := y.open()
	y.wants(found, 0)
	y.boot = ""
	if _, found = y.open(); y.truthful(found) != 0 { // a system that does not say which boot it is
		t.Error("believed")
	}
}

// TestRestingAndOtherBuilds: one that does not know the file, and one that writes another form of it.
func TestRestingAndOtherBuilds(t *testing.T) {
	y := newYard(t, "a", "b")
	y.written(7)
	y.locked()
	_, found := y.open()
	y.wants(found, 0)
	y.written(8)
	y.write(y.file(), bytes.ReplaceAll(y.read(y.file()), []byte(`"version":1,"boot"`), []byte(`"version":2,"boot"`)))
	_, found = y.open()
	y.wants(found, 0)
	y.written(9)
	line, err := restingLine("", restLine{Begun: &restLife{2, y.boot, disk.Stamp{}}})
	if err != nil {
		t.Fatal(err)
	}
	was, is := y.locked()
	life, err := restingLine("", restLine{Begun: &restLife{2, y.boot, was}})
	if err != nil {
		t.Fatal(err)
	}
	y.write(y.file(), append(append(y.read(y.file()), line...), life...))
	_, found = y.openAs(was, is)
	y.wants(found, 0)
}

// TestRestingAndWhatBecameOfSessions: whatever was done to a session's folder is seen, and costs the others nothing.
func TestRestingAndWhatBecameOfSessions(t *testing.T) {
	for name, do := range map[string]func(*yard) (told int){
		"removed": func(y *yard) int {
			if err := os.RemoveAll(filepath.Dir(y.path("a"))); err != nil {
				y.t.Fatal(err)
			}
			return 1
		},
		"back from a backup, the same bytes": func(y *yard) int {
			dir := filepath.Dir(y.path("a"))
			b := y.read(y.path("a"))
			if err := errors.Join(os.Rename(dir, dir+"-old"), os.Mkdir(dir, 0o700)); err != nil {
				y.t.Fatal(err)
			}
			y.write(y.path("a"), b)
			y.write(y.lines("a"), []byte("a line\n"))
			return 1
		},
		"back from a backup, in place": func(y *yard) int {
			y.write(y.path("a"), bytes.ReplaceAll(y.read(y.path("a")), []byte(`"Seq":7`), []byte(`"Seq":6`)))
			return 1
		},
		"taken up": func(y *yard) int {
			w := y.recorder(&Resting{cfg: RestingConfig{Log: zap.NewNop()}})
			w.Withdraw("a")
			w.Close()
			y.up = "a"
			return 1
		},
		"session.json is gone": func(y *yard) int {
			if err := os.Remove(y.path("a")); err != nil {
				y.t.Fatal(err)
			}
			return 1
		},
		"lines are lost": func(y *yard) int {
			if err := os.Truncate(y.lines("a"), 2); err != nil {
				y.t.Fatal(err)
			}
			return 1
		},
		"all lines are lost": func(y *yard) int {
			if err := os.Remove(y.lines("a")); err != nil {
				y.t.Fatal(err)
			}
			return 1
		},
		"nothing": func(*yard) int { return 2 },
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t, "a", "b")
			y.written(7)
			want := do(y)
			_, found := y.open()
			y.wants(found, want)
		})
	}
}

// TestRestingOfAnotherTime: a file that came back from a backup, of the same daemon, does not have a session count that was taken up since.
func TestRestingOfAnotherTime(t *testing.T) {
	y := newYard(t, "a", "b")
	y.written(7)
	r, _ := y.open()
	w := y.recorder(r)
	old := y.read(y.file())
	w.Withdraw("a")
	y.up = "a"
	w.Put("b", rested("b", 8))
	w.Close()
	r.Close(true)
	y.write(y.file(), old)
	_, found := y.open()
	y.wants(found, 0)
}

// spoiled is a file with a session that was taken up since, one that is there in two versions, and one that is not touched.
func spoiled(t *testing.T) (y *yard, text []byte, was disk.Stamp) {
	y = newYard(t, "a", "b", "c")
	y.written(7)
	was, is := y.locked()
	r, found := y.openAs(was, is)
	y.wants(found, 3)
	w := y.recorder(r)
	w.Withdraw("a")
	y.up = "a"
	w.Put("b", rested("b", 8))
	w.Close()
	return y, y.read(y.file()), is
}

// TestRestingCutAnywhere: what is left of the file costs time and never truth.
func TestRestingCutAnywhere(t *testing.T) {
	y, text, was := spoiled(t)
	told := 0
	for n := range len(text) + 1 {
		y.write(y.file(), text[:n])
		r, found := y.openAs(was, was)
		told += y.truthful(found)
		r.Close(false)
	}
	y.write(y.file(), text)
	_, found := y.openAs(was, was)
	y.wants(found, 2)
	if told < len(text)/10 {
		t.Errorf("%d records were told in all: this test sees nothing", told)
	}
}

// TestRestingWithAnyBitFlipped likewise.
func TestRestingWithAnyBitFlipped(t *testing.T) {
	y, text, was := spoiled(t)
	told := 0
	for n := range text {
		bad := bytes.Clone(text)
		bad[n] ^= 1 << (n % 5) // another letter, and not the same one as a capital
		y.write(y.file(), bad)
		r, found := y.openAs(was, was)
		told += y.truthful(found)
		r.Close(false)
	}
	if told < len(text)/2 {
		t.Errorf("%d records were told in all: this test sees nothing", told)
	}
}

// TestRestingEndedAndFlipped: after another boot only a whole file counts. Of one of which a line is bad nobody knows what that line took back.
func TestRestingEndedAndFlipped(t *testing.T) {
	y := newYard(t, "a", "b")
	y.written(7)
	y.written(8)
	text := y.read(y.file())
	y.boot = "b2"
	was, err := y.files.Stamp(filepath.Join(y.dir, "lock"), false)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(text); n += 3 {
		bad := bytes.Clone(text)
		bad[n] ^= 1 << (n % 5)
		y.write(y.file(), bad)
		r, found := y.openAs(was, was)
		y.wants(found, 0)
		r.Close(false)
		y.write(y.file(), text[:n])
		r, found = y.openAs(was, was)
		y.wants(found, 0)
		r.Close(false)
	}
	y.write(y.file(), text)
	_, found := y.openAs(was, was)
	y.wants(found, 2)
}

// gate stops renames of session.json until it is opened.
type gate struct {
	disk.FS
	came, open chan struct{}
}

func (g *gate) Rename(from, to string) error {
	if filepath.Base(to) == "session.json" {
		g.came <- struct{}{}
		<-g.open
	}
	return g.FS.Rename(from, to)
}

// TestWithdrawBesideAWrite: a session that is taken up while the recorder writes that it rests, or before it does, is none that rests.
func TestWithdrawBesideAWrite(t *testing.T) {
	for _, waits := range []bool{false, true} {
		t.Run(fmt.Sprintf("waits=%v", waits), func(t *testing.T) {
			y := newYard(t, "a", "b")
			y.written(7)
			g := &gate{y.files, make(chan struct{}), make(chan struct{})}
			y.files = g
			r, _ := y.open()
			w := y.recorder(r)
			if waits { // behind another one
				w.Put("b", rested("b", 8))
				<-g.came
				w.Put("a", rested("a", 8))
			} else {
				w.Put("a", rested("a", 8))
				<-g.came
			}
			withdrawn := make(chan struct{})
			go func() { // ends with Withdraw
				w.Withdraw("a")
				close(withdrawn)
			}()
			if waits {
				<-withdrawn
			}
			g.open <- struct{}{}
			if waits {
				<-g.came
				g.open <- struct{}{}
			} else {
				<-withdrawn
			}
			w.Close()
			y.files = g.FS
			_, found := y.open()
			if found[0] != nil {
				t.Error("the session that was taken up is told to be at rest")
			}
			y.wants(found, 1)
		})
	}
}

// fault is a disk that refuses to append to some files.
type fault struct {
	disk.FS
	name string
	err  error
}

func (f *fault) Append(name string) (disk.Writer, error) {
	if filepath.Base(name) == f.name {
		return nil, f.err
	}
	return f.FS.Append(name)
}

// TestWithdrawThatTheDiskRefuses: no start believes any copy.
func TestWithdrawThatTheDiskRefuses(t *testing.T) {
	y := newYard(t, "a", "b")
	y.written(7)
	y.files = &fault{y.files, "session.json", syscall.ENOSPC}
	r, _ := y.open()
	w := y.recorder(r)
	w.Withdraw("a")
	w.Close()
	r.Close(true)
	_, found := y.open()
	y.wants(found, 0)
}

// TestRestingThatCannotBeBegun: a daemon that cannot say that it has the folder leaves no file that a later one believes.
func TestRestingThatCannotBeBegun(t *testing.T) {
	y := newYard(t, "a", "b")
	y.written(7)
	y.files = &fault{y.files, RestingFile, syscall.EIO}
	r, found := y.open()
	y.wants(found, 2)
	if _, err := os.Stat(y.file()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
	r.Close(true)
}

// TestRestingIsBounded: it is written anew when most of it is old, and tells the same.
func TestRestingIsBounded(t *testing.T) {
	y := newYard(t, "a", "b", "c")
	y.slack = 4 << 10
	y.written(7)
	r, _ := y.open()
	w := y.recorder(r)
	for seq := range uint64(200) {
		w.Put("b", rested("b", 8+seq))
		if err := w.Wait("b"); err != nil {
			t.Fatal(err)
		}
	}
	w.Withdraw("c")
	y.up = "c"
	w.Close()
	if n := len(y.read(y.file())); n > 3*4<<10 {
		t.Errorf("%d bytes", n)
	}
	_, found := y.open()
	y.wants(found, 2)
	if found[1] == nil || found[1].Summary.Seq != 207 {
		t.Errorf("%+v", found[1])
	}
}

// TestRestingHasNoPassword: an endpoint's is in session.json alone.
func TestRestingHasNoPassword(t *testing.T) {
	y := newYard(t, "a")
	r, _ := y.open()
	w := y.recorder(r)
	rec := rested("a", 7)
	rec.Endpoint = &Endpoint{URL: "http://127.0.0.1:1", Password: "sesame"}
	w.Put("a", rec)
	w.Close()
	r.Close(true)
	if bytes.Contains(y.read(y.file()), []byte("sesame")) {
		t.Error("it has")
	}
}
