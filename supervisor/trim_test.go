package supervisor_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	records "github.com/ringmaster-agents/ringmaster/supervisor/record"
)

// trimmed is a session of a daemon that keeps so many bytes of a log, and all that its readers were ever shown.
type trimmed struct {
	*daemon
	id    string
	whole []byte
	seq   uint64
}

const logLimit = 16_000

// turn has the session take a prompt, and reads what it is shown.
func (d *trimmed) turn(text string) {
	d.t.Helper()
	r := d.prompt(d.id, text)
	d.until(d.id, r.Cursor.Seq, protocol.TypeTurnEnd)
	d.read()
}

// read reads what is new, once all is done.
func (d *trimmed) read() {
	d.t.Helper()
	d.look(d.id)
	synctest.Wait()
	r := d.reader(d.id)
	defer r.Leave()
	part, err := r.Log.Range(d.seq, r.Ring.Head())
	if err != nil {
		d.t.Fatal(err)
	}
	defer part.Close()
	var b bytes.Buffer
	if _, err := part.WriteTo(&b); err != nil {
		d.t.Fatal(err)
	}
	d.whole, d.seq = append(d.whole, b.Bytes()...), r.Ring.Head()
}

// sound wants the log to be the end of what was shown, no longer than it may be, and to tell the same as all of that.
func (d *trimmed) sound(where string) (oldest uint64) {
	d.t.Helper()
	log := d.shown(d.id)
	if !bytes.HasSuffix(d.whole, log) {
		d.t.Fatalf("%s: the log of %d bytes is not the end of the %d that were shown", where, len(log), len(d.whole))
	}
	if most := logLimit + logLimit/8; len(log) > most {
		d.t.Errorf("%s: the log has %d bytes, at most %d are kept", where, len(log), most)
	}
	r := d.reader(d.id)
	defer r.Leave()
	oldest, newest := r.Log.Bounds()
	snapshot, err := records.ReadSnapshot(disk.OS(), d.folder(d.id))
	if err != nil {
		d.t.Fatal(err)
	}
	if oldest > 1 && snapshot.Seq+1 < oldest {
		d.t.Errorf("%s: the oldest event is %d, and the snapshot tells of %d", where, oldest, snapshot.Seq)
	}
	told := func(before []byte, log store.Log) []byte {
		d.t.Helper()
		state, seq, err := session.Snapshot(d.t.Context(), d.id, before, &session.Trim{Log: log, UpTo: newest, Limits: &session.Limits{Remembered: 10_000}})
		if err != nil || seq != newest {
			d.t.Fatalf("%s: what is told up to %d of %d: %v", where, seq, newest, err)
		}
		return state
	}
	if a, b := told(nil, logOf(d.t, d.whole)), told(snapshot.State, r.Log); !bytes.Equal(a, b) {
		d.t.Fatalf("%s: all events tell\n%s\nand the snapshot with the log\n%s", where, a, b)
	}
	return oldest
}

// ahead puts a snapshot beside the log that tells of events which were not dropped yet, as a daemon leaves it that is killed in between.
func (d *trimmed) ahead() {
	d.t.Helper()
	was, err := records.ReadSnapshot(disk.OS(), d.folder(d.id))
	if err != nil {
		d.t.Fatal(err)
	}
	now := records.Snapshot{Seq: d.seq - 7}
	log := session.Trim{Log: logOf(d.t, d.whole), UpTo: now.Seq, Limits: &session.Limits{Remembered: 10_000}}
	if now.State, _, err = session.Snapshot(d.t.Context(), d.id, nil, &log); err == nil && now.Seq > was.Seq {
		err = now.Write(disk.OS(), d.folder(d.id))
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// logOf is a log with these lines.
func logOf(t *testing.T, lines []byte) store.Log {
	t.Helper()
	w, err := new(memory.Store).Create("whole")
	if err == nil {
		err = w.Append(store.Batch{First: 1, Count: bytes.Count(lines, []byte("\n")), Lines: lines})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.Log()
}

func trimming(t *testing.T, change func(*supervisor.Config)) *trimmed {
	d := start(t, t.TempDir(), func(c *supervisor.Config) {
		c.LogLimit = logLimit
		if change != nil {
			change(c)
		}
	})
	return &trimmed{daemon: d, id: d.create().ID}
}

// TestLogIsTrimmed: a log stays as long as it may be whatever a session says, what is left of it is what was shown, byte for byte, and it tells the same with its
// snapshot as all of it would; also where daemons start in between, with checkpoints and without.
//
// Proves: I15.2/bound
func TestLogIsTrimmed(t *testing.T) {
	for _, every := range []int64{1, -1} {
		t.Run(fmt.Sprint("checkpoints every ", every), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := trimming(t, func(c *supervisor.Config) { c.CheckpointBytes = every })
				oldest := uint64(0)
				for n := range 30 {
					d.turn(fmt.Sprintf("number %d", n))
					oldest = d.sound(fmt.Sprint("turn ", n))
					if n%7 != 3 {
						continue
					}
					was := d.look(d.id)
					d.close()
					if n%2 > 0 {
						if err := os.RemoveAll(d.checkpoint(d.id)); err != nil {
							t.Fatal(err)
						}
					}
					if n%3 > 0 {
						d.ahead()
					}
					d.start()
					d.find(d.id)
					if now := d.look(d.id); !reflect.DeepEqual(now, was) {
						t.Errorf("turn %d: the session is\n%+v\nand was\n%+v", n, now, was)
					}
					d.read()
					d.sound(fmt.Sprint("a start behind turn ", n))
				}
				if h := d.Health(); oldest < 100 || h.Retention.Trims < 10 || h.Retention.Bytes == 0 {
					t.Errorf("the oldest event is %d, %+v", oldest, h.Retention)
				}
				if err := d.Delete(t.Context(), d.id); err != nil {
					t.Fatal(err)
				}
				if _, err := os.Stat(d.folder(d.id)); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("the session's folder is still there: %v", err)
				}
				d.close()
			})
		})
	}
}

// TestLogIsTrimmedAtItsStart: a bound that comes later holds once the session is taken up.
//
// Proves: I15.2/bound
func TestLogIsTrimmedAtItsStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := trimming(t, func(c *supervisor.Config) { c.LogLimit = 80_000 })
		for n := range 12 {
			d.turn(fmt.Sprintf("number %d", n))
		}
		if log := d.shown(d.id); len(log) < 2*logLimit || !bytes.Equal(log, d.whole) {
			t.Fatalf("the log has %d bytes before", len(log))
		}
		d.close()
		d.cfg.LogLimit = logLimit
		d.start()
		d.turn("go on") // the file that grows is one of the larger limit
		d.turn("go on")
		d.turn("go on")
		d.sound("behind the start")
		d.close()
	})
}

// TestLogIsTrimmedAtRest: a daemon with a lower bound than the one before trims sessions of which nobody asks anything, and puts them away again; of those
// that are within it none is taken up.
//
// Proves: I15.2/bound
func TestLogIsTrimmedAtRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := trimming(t, func(c *supervisor.Config) { c.LogLimit = 80_000 })
		small := d.create()
		for n := range 12 {
			d.turn(fmt.Sprintf("number %d", n))
		}
		before := d.logged(d.id)
		d.close()
		d.cfg.LogLimit = logLimit
		d.start()
		synctest.Wait()
		if now := d.logged(d.id); before < 2*logLimit || now > logLimit+80_000/8 {
			t.Errorf("the log has %d bytes, and had %d", now, before)
		}
		if e, ok := d.Known(small.ID); !ok || e.Ref.Valid() {
			t.Errorf("a session with %d bytes was taken up: %v", d.logged(small.ID), ok)
		}
		time.Sleep(time.Hour)
		if e, ok := d.Known(d.id); !ok || e.Ref.Valid() {
			t.Errorf("the session is still awake: %v", ok)
		}
		d.sound("at last")
		d.close()
	})
}

// logged is how many bytes of lines the files of a session have.
func (d *daemon) logged(id string) (n int64) {
	d.t.Helper()
	files, err := filepath.Glob(filepath.Join(d.folder(id), "*.ndjson"))
	for _, f := range files {
		info, statErr := os.Stat(f)
		if err = errors.Join(err, statErr); statErr == nil {
			n += info.Size()
		}
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// TestSnapshotIsTheTruth: without its snapshot, or with one that is not what was written, a log whose beginning has gone is not taken up unless a checkpoint tells
// what is missing. Nothing is written then, and with the snapshot it goes on.
//
// Proves: I15.2/snapshot
func TestSnapshotIsTheTruth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := trimming(t, func(c *supervisor.Config) { c.CheckpointBytes = 1 })
		for n := range 12 {
			d.turn(fmt.Sprintf("number %d", n))
		}
		if d.sound("before") == 1 {
			t.Fatal("nothing was dropped")
		}
		d.close()
		path := filepath.Join(d.folder(d.id), records.SnapshotFile)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		flipped := bytes.Clone(good)
		flipped[len(good)/2] ^= 4
		for name, b := range map[string][]byte{
			"none": nil, "cut": good[:len(good)/2], "empty": {}, "flipped": flipped, "longer": append(bytes.Clone(good), 'x'),
			"of a newer build": bytes.Replace(good, []byte(`"version":1`), []byte(`"version":2`), 1),
		} {
			put := func(b []byte) {
				t.Helper()
				err := os.RemoveAll(path)
				if b != nil {
					err = errors.Join(err, os.WriteFile(path, b, 0o600))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			put(b)
			d.start() // a checkpoint knows it
			d.turn("go on")
			d.close()
			if err := os.Remove(d.checkpoint(d.id)); err != nil {
				t.Fatal(err)
			}
			before := files(t, d.folder(d.id))
			d.start()
			_, err := session.Ask(t.Context(), d.find(d.id), &session.SendPrompt{Prompt: session.NewPrompt{Text: "x"}})
			var p *protocol.Problem
			if !errors.As(err, &p) || p.Code != protocol.CodeReadOnly || p.Hint == "" {
				t.Fatalf("%s: a prompt is answered with %v", name, err)
			}
			if newer := name == "of a newer build"; newer != (p.Hint == store.HintVersion) {
				t.Errorf("%s: the hint is %q", name, p.Hint)
			}
			d.close()
			if after := files(t, d.folder(d.id)); !reflect.DeepEqual(after, before) {
				t.Errorf("%s: the folder has changed", name)
			}
			put(good)
			d.start()
			d.turn("go on")
			d.sound(name)
			d.close()
			if good, err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestReadsOfABadSnapshot: whoever asks for a state whose beginning is not known is told why; the session, which a checkpoint has told of it, goes on.
//
// Proves: I15.2/snapshot
func TestReadsOfABadSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := trimming(t, func(c *supervisor.Config) { c.CheckpointBytes = 1 })
		for n := range 12 {
			d.turn(fmt.Sprintf("number %d", n))
		}
		d.close()
		path := filepath.Join(d.folder(d.id), records.SnapshotFile)
		for _, put := range []func() error{func() error { return os.WriteFile(path, []byte("bad"), 0o600) }, func() error { return os.Remove(path) }} {
			if err := put(); err != nil {
				t.Fatal(err)
			}
			d.start()
			r := d.reader(d.id)
			_, err := r.Beginning()
			var p *protocol.Problem
			if !errors.As(err, &p) || p.Code != protocol.CodeDamaged || p.Hint == "" || r.Doubt(t.Context(), err) {
				t.Errorf("a reader is told %v", err)
			}
			r.Leave()
			d.turn("go on")
			d.close()
		}
	})
}

// files has the log's files and the snapshot of a session's folder.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range list {
		if name := e.Name(); strings.HasPrefix(name, "0") || name == records.SnapshotFile {
			b, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			all[name] = string(b)
		}
	}
	return all
}
