package supervisor_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

func (d *daemon) folder(id string) string { return filepath.Join(d.cfg.Data, "sessions", id) }

func (d *daemon) write(id, name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.folder(id), name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// TestRecordThatCannotBeUsed: the journal tells all that session.json did, and the session goes on.
func TestRecordThatCannotBeUsed(t *testing.T) {
	for name, spoil := range map[string]func(*daemon, string){
		"missing": func(d *daemon, id string) {
			if err := os.Remove(filepath.Join(d.folder(id), "session.json")); err != nil {
				d.t.Fatal(err)
			}
		},
		"garbage":    func(d *daemon, id string) { d.write(id, "session.json", "{\"version\":1,\"summ") },
		"empty":      func(d *daemon, id string) { d.write(id, "session.json", "") },
		"of another": func(d *daemon, id string) { d.write(id, "session.json", `{"version":1,"summary":{"ID":"x"}}`) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := start(t, t.TempDir(), nil)
				s := d.create()
				r := d.prompt(s.ID, "hello")
				d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
				d.close()
				spoil(d, s.ID)
				d.start()
				defer d.close()
				synctest.Wait()
				sum, err := d.Look(t.Context(), s.ID)
				if err != nil || sum.Agent != "scripted" || sum.Cwd != d.root || sum.Turns != 1 || sum.Status.State == "" {
					t.Fatalf("%+v, %v", sum, err)
				}
				r = d.prompt(s.ID, "hello again")
				d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
				d.sound(s.ID)
			})
		})
	}
}

// TestRecordIsExactAfterADrain, so that no journal is read at the next start; one that is older than its journal is.
func TestRecordIsExactAfterADrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		s := d.create()
		synctest.Wait()
		old, err := os.ReadFile(filepath.Join(d.folder(s.ID), "session.json"))
		if err != nil {
			t.Fatal(err)
		}
		r := d.prompt(s.ID, "cut short")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeEntryDelta)
		d.close()
		d.start()
		synctest.Wait()
		sum, err := d.Look(t.Context(), s.ID)
		if n := strings.Count(d.file(s.ID), "\n"); err != nil || int(sum.Seq) != n || sum.Status.State != protocol.StateIdle || d.Health().Live != 0 {
			t.Fatalf("%+v, %v, %d events", sum, err, n)
		}
		d.close()
		d.write(s.ID, "session.json", strings.Replace(string(old), `"open":true`, `"open":false`, 1))
		d.start()
		defer d.close()
		synctest.Wait()
		if now, err := d.Look(t.Context(), s.ID); err != nil || now.Seq != sum.Seq || now.Turns != 1 {
			t.Fatalf("%+v, %v", now, err)
		}
	})
}

// TestFoldersThatAreNoSessions are left of a creation that nobody was told of.
func TestFoldersThatAreNoSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, disk := faulty(t, nil)
		disk.set(func(moment string) error {
			if moment == "before lines" {
				return syscall.ENOSPC
			}
			return nil
		})
		if _, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted"}); code(err) != protocol.CodeReadOnly {
			t.Errorf("%v", err)
		}
		disk.set(func(string) error { return syscall.ENOSPC })
		if _, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted"}); code(err) != protocol.CodeReadOnly {
			t.Errorf("%v", err)
		}
		disk.set(nil)
		synctest.Wait()
		if left, err := os.ReadDir(filepath.Join(d.cfg.Data, "sessions")); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
		if h := d.Health(); h.Sessions != 0 || h.Live != 0 {
			t.Errorf("%+v", h)
		}
		d.close()
		const id = "00000000-0000-4000-8000-0000000000ff"
		if err := os.MkdirAll(d.folder(id), 0o700); err != nil {
			t.Fatal(err)
		}
		d.start()
		defer d.close()
		if h := d.Health(); h.Sessions != 0 {
			t.Errorf("%+v", h)
		}
		cut := d.create().ID
		d.close()
		and(cutTo(0), cutIndex(128), without("session.json", "raw", "images"))(d, cut) // killed in the first append, behind the record
		d.start()
		synctest.Wait()
		if left, err := os.ReadDir(filepath.Join(d.cfg.Data, "sessions")); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	})
}

// TestDamagedSession is listed with what is known of it, read-only, does not hold an actor for ever, and can be deleted.
func TestDamagedSession(t *testing.T) {
	for name, spoil := range map[string]func(d *daemon, id string){
		"in the middle": func(d *daemon, id string) {
			d.write(id, "000001.ndjson", strings.Replace(d.file(id), "scripted", "skripted", 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := start(t, t.TempDir(), nil)
				s := d.create()
				title := "known"
				if _, err := session.Ask(t.Context(), d.find(s.ID), &session.Change{Title: &title}); err != nil {
					t.Fatal(err)
				}
				d.close()
				spoil(d, s.ID)
				d.start()
				defer d.close()
				for range 2 {
					_, err := ask.Ask(t.Context(), d.find(s.ID), sendPrompt("hello"))
					if code(err) != protocol.CodeReadOnly {
						t.Fatalf("%v", err)
					}
					sum, err := d.Look(t.Context(), s.ID)
					if err != nil || sum.Agent != "scripted" || sum.Title != "known" || !sum.ReadOnly {
						t.Fatalf("%+v, %v", sum, err)
					}
					if h := d.Health(); h.Damaged != 1 || h.Live != 1 {
						t.Fatalf("%+v", h)
					}
					time.Sleep(20 * time.Minute)
					synctest.Wait()
					if h := d.Health(); h.Damaged != 1 || h.Live != 0 {
						t.Fatalf("%+v", h)
					}
				}
				d.find(s.ID)
				if err := d.Delete(t.Context(), s.ID); err != nil {
					t.Fatal(err)
				}
				synctest.Wait() // the counts are told behind the answer
				if h := d.Health(); h.Damaged != 0 || h.Sessions != 0 {
					t.Fatalf("%+v", h)
				}
			})
		})
	}
}

// many copies a session's folder, which its daemon has left, under n new ids.
func many(t testing.TB, d *daemon, id string, n int) {
	t.Helper()
	names, err := os.ReadDir(d.folder(id))
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for _, f := range names {
		if f.IsDir() {
			continue
		}
		b, err := os.ReadFile(filepath.Join(d.folder(id), f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		text[f.Name()] = string(b)
	}
	for i := range n {
		other := fmt.Sprintf("10000000-0000-4000-8000-%012d", i)
		if err := os.Mkdir(d.folder(other), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, s := range text {
			if name == "session.json" {
				s = strings.ReplaceAll(s, id, other)
			}
			if err := os.WriteFile(filepath.Join(d.folder(other), name), []byte(s), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// logsRead is a disk that counts how often a log, and not only its index, is opened for reading.
type logsRead struct {
	disk.FS
	n atomic.Int64
}

func (d *logsRead) Open(name string) (disk.Reader, error) {
	if strings.HasSuffix(name, ".ndjson") {
		d.n.Add(1)
	}
	return d.FS.Open(name)
}

// TestStartReadsNoLog: what a start costs does not grow with the logs, and each is read once somebody wants it.
// Proves: I2/boot
func TestStartReadsNoLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &logsRead{FS: disk.OS()}
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Files = disk })
		s := d.create()
		r := d.prompt(s.ID, "hello")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		d.close()
		const others = 200
		many(t, d, s.ID, others)
		disk.n.Store(0)
		d.start()
		defer d.close()
		page, err := d.List(t.Context(), supervisor.Query{})
		if err != nil || page.Total != others+1 {
			t.Fatalf("%d sessions, %v", page.Total, err)
		}
		if n := disk.n.Load(); n != 0 {
			t.Fatalf("%d logs were read at the start", n)
		}
		d.find(s.ID)
		synctest.Wait()
		if disk.n.Load() == 0 {
			t.Fatal("a session is in use, and nothing was read: this test sees nothing")
		}
	})
}

// BenchmarkBoot starts a daemon on 10,000 sessions: how long it takes until it answers, and what it holds then.
func BenchmarkBoot(b *testing.B) {
	const sessions = 10_000
	dir := b.TempDir()
	root := filepath.Join(dir, "work")
	if err := os.MkdirAll(root, 0o700); err != nil {
		b.Fatal(err)
	}
	d := &daemon{root: root, cfg: config(dir, root)}
	s, err := supervisor.Start(b.Context(), d.cfg)
	if err != nil {
		b.Fatal(err)
	}
	sum, err := s.Create(b.Context(), supervisor.NewSession{Agent: "scripted"})
	if err = errors.Join(err, s.Close(b.Context())); err != nil {
		b.Fatal(err)
	}
	many(b, d, sum.ID, sessions)
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		began := time.Now()
		s, err := supervisor.Start(b.Context(), d.cfg)
		if err != nil {
			b.Fatal(err)
		}
		took := time.Since(began)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if h := s.Health(); h.Sessions != sessions+1 || h.Live != 0 {
			b.Fatalf("%+v", h)
		}
		b.ReportMetric(float64(took.Milliseconds()), "ms/start")
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB-heap")
		if err := s.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestDataFolderThatCannotBeUsed: the daemon does not start, and says what is wrong with which folder.
func TestDataFolderThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(dir, "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"a file": file, "below a file": filepath.Join(file, "data"), "read-only": locked} {
		t.Run(name, func(t *testing.T) {
			if data == locked && os.Geteuid() == 0 {
				mountReadOnly(t, locked) // its mode is nothing to the superuser
			}
			cfg := config(dir, dir)
			cfg.Data = data
			_, err := supervisor.Start(t.Context(), cfg)
			var p *protocol.Problem
			if !errors.As(err, &p) || p.Code != protocol.CodeUnavailable || !strings.Contains(p.Detail, data) || !strings.Contains(p.Hint, "--data") {
				t.Fatalf("%v", err)
			}
		})
	}
}
