package supervisor_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// slowDisk takes its time for folders.
type slowDisk struct {
	journal.FS
	sync time.Duration
	err  error
}

func (d *slowDisk) RemoveAll(dir string) error {
	time.Sleep(d.sync)
	return d.FS.RemoveAll(dir)
}

func (d *slowDisk) Mkdir(dir string) error {
	if strings.HasSuffix(dir, "raw") || strings.HasSuffix(dir, "images") {
		return d.FS.Mkdir(dir)
	}
	time.Sleep(d.sync)
	if d.err != nil {
		return d.err
	}
	return d.FS.Mkdir(dir)
}

// TestSlowFoldersHoldNobodyUp: while the disk takes 2 s for a new session's folder, others get their answers, and the sessions come.
func TestSlowFoldersHoldNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &slowDisk{FS: journal.OS()}
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Files = disk })
		defer d.close()
		first := d.create()
		disk.sync = 2 * time.Second
		began := time.Now()
		made := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: d.root})
				made <- err
			}()
		}
		synctest.Wait()
		if _, err := d.List(t.Context(), supervisor.Query{}); err != nil || time.Since(began) > 0 {
			t.Errorf("a list took %v, %v", time.Since(began), err)
		}
		for range 2 {
			if err := <-made; err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(began); took != disk.sync {
			t.Errorf("two sessions took %v", took)
		}
		began = time.Now()
		go func() { made <- d.Delete(t.Context(), first.ID) }()
		time.Sleep(3 * disk.sync / 2) // of the bubble: in the middle of the removal
		at := time.Now()
		if p, err := d.List(t.Context(), supervisor.Query{}); err != nil || p.Total != 2 || time.Since(at) > 0 {
			t.Errorf("a list took %v: %+v, %v", time.Since(at), p, err)
		}
		if err := <-made; err != nil || time.Since(began) < 2*disk.sync {
			t.Errorf("deleted after %v, %v", time.Since(began), err)
		}
	})
}

// TestFolderThatCannotBeMade: the client is told, and nothing is there; a folder that was there before stays.
func TestFolderThatCannotBeMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &slowDisk{FS: journal.OS()}
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
