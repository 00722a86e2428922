package supervisor_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// slowDisk takes its time for all that reaches the disk.
type slowDisk struct {
	disk.FS
	takes atomic.Int64 // ns
	err   error        // of Mkdir
}

func (d *slowDisk) wait() { time.Sleep(time.Duration(d.takes.Load())) }

func (d *slowDisk) Mkdir(dir string) error {
	d.wait()
	if d.err != nil {
		return d.err
	}
	return d.FS.Mkdir(dir)
}

func (d *slowDisk) RemoveAll(dir string) error { d.wait(); return d.FS.RemoveAll(dir) }
func (d *slowDisk) SyncDir(dir string) error   { d.wait(); return d.FS.SyncDir(dir) }

func (d *slowDisk) Create(name string) (disk.Writer, error) { return d.writer(d.FS.Create(name)) }

func (d *slowDisk) Append(name string) (disk.Writer, error) { return d.writer(d.FS.Append(name)) }

func (d *slowDisk) writer(w disk.Writer, err error) (disk.Writer, error) {
	if err != nil {
		return nil, err
	}
	return slowWriter{w, d}, nil
}

type slowWriter struct {
	disk.Writer
	disk *slowDisk
}

func (w slowWriter) Sync() error { w.disk.wait(); return w.Writer.Sync() }

func atOnce(n int, do func(i int) error) error {
	errs := make(chan error, n)
	for i := range n {
		go func() { errs <- do(i) }()
	}
	var err error
	for range n {
		err = errors.Join(err, <-errs)
	}
	return err
}

// TestSlowDiskHoldsNobodyUp: while the disk takes 2 s for each sync, folder and removal, whatever somebody does with sessions, another's list is
// answered at once; and what is done is done together.
func TestSlowDiskHoldsNobodyUp(t *testing.T) {
	const takes = 2 * time.Second
	synctest.Test(t, func(t *testing.T) {
		disk := &slowDisk{FS: disk.OS()}
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Files, c.Durability = disk, supervisor.DurableAlways })
		safe, found, gone := d.create(), d.create(), d.keyedBy(wanted("ann", "gone"))
		d.close()
		d.cfg.Durability = supervisor.DurableOS
		d.start()
		defer d.close()
		key := func(name string) supervisor.NewSession { n := wanted("bob", name); n.Cwd = d.root; return n }
		for _, c := range []struct {
			what string
			do   func(ctx context.Context) error
			most time.Duration // 0: whatever it takes
		}{
			{"making two", func(ctx context.Context) error {
				return atOnce(2, func(int) error {
					_, err := d.Create(ctx, supervisor.NewSession{Agent: "scripted", Cwd: d.root})
					return err
				})
			}, 5 * takes}, // as one
			{"making three with keys", func(ctx context.Context) error {
				return atOnce(3, func(i int) error { _, err := d.Create(ctx, key(fmt.Sprint(i))); return err })
			}, (5 + 3) * takes}, // the first key has a file made, and the others share a sync
			{"a claim, and the same again", func(ctx context.Context) error {
				return atOnce(2, func(int) error {
					s, err := d.Claim(ctx, key("claim"), found.ID)
					if s.ID != found.ID {
						t.Errorf("claimed %+v", s)
					}
					return err
				})
			}, 2 * takes},
			{"reading what was written more safely", func(ctx context.Context) error {
				_, err := ask.Ask(ctx, d.find(safe.ID), func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
				return err
			}, 0},
			{"deleting what has a key", func(ctx context.Context) error { return d.Delete(ctx, gone.ID) }, 0},
		} {
			disk.takes.Store(int64(takes))
			began, done := time.Now(), make(chan error, 1)
			go func() { done <- c.do(t.Context()) }()
			for n := 0; ; n++ {
				at := time.Now()
				if _, err := d.List(t.Context(), supervisor.Query{}); err != nil || time.Since(at) > 0 {
					t.Fatalf("%s: another's list took %v, %v", c.what, time.Since(at), err)
				}
				select {
				case err := <-done:
					took := time.Since(began)
					if err != nil || took < takes || c.most > 0 && took > c.most {
						t.Errorf("%s took %v, at most %v: %v", c.what, took, c.most, err)
					}
				case <-time.After(takes / 10): // of the bubble
					continue
				}
				break
			}
			disk.takes.Store(0)
			synctest.Wait()
		}
	})
}

// TestFolderThatCannotBeMade: the client is told, and nothing is there; a folder that was there before stays.
func TestFolderThatCannotBeMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &slowDisk{FS: disk.OS()}
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Files = disk })
		defer d.close()
		disk.err = errors.Join(errors.New("the disk refuses"), fs.ErrPermission)
		if _, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: d.root}); code(err) != protocol.CodeReadOnly {
			t.Errorf("%v", err)
		}
		synctest.Wait()
		if p, err := d.List(t.Context(), supervisor.Query{}); err != nil || p.Total != 0 {
			t.Errorf("%+v, %v", p, err)
		}
		disk.err = nil
		d.create()
	})
}
