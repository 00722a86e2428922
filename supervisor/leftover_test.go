package supervisor_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestUnfinishedRecord: a session.json that a killed daemon was writing goes with the next start, also where the session is never
// written again.
func TestUnfinishedRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := start(t, dir, nil)
		s := d.create()
		synctest.Wait()
		d.close()
		d.write(s.ID, ".session.json.new", "half of one")
		if err := os.Remove(filepath.Join(d.cfg.Data, "resting")); err != nil { // no start looks for it where a daemon has ended in order
			t.Fatal(err)
		}
		again := start(t, dir, nil)
		defer again.close()
		if _, err := os.Stat(filepath.Join(again.folder(s.ID), ".session.json.new")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("it is left: %v", err)
		}
		if _, err := again.Look(t.Context(), s.ID); err != nil {
			t.Error(err)
		}
	})
}

// TestUnfinishedFolder: a folder whose making a kill has interrupted goes with the next start; one of which more is there stays.
func TestUnfinishedFolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := start(t, dir, nil)
		s := d.create()
		synctest.Wait()
		d.close()
		const begun, more = "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11", "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f12"
		for _, id := range []string{begun, more} {
			if err := os.Mkdir(d.folder(id), 0o700); err != nil {
				t.Fatal(err)
			}
			d.write(id, "000001.ndjson", "")
		}
		d.write(more, "session.json", "not what it was")
		again := start(t, dir, nil)
		defer again.close()
		for id, stays := range map[string]bool{begun: false, more: true, s.ID: true} {
			if _, err := os.Stat(again.folder(id)); (err == nil) != stays {
				t.Errorf("%s: %v", id, err)
			}
		}
	})
}

// TestUnfinishedAdoption: what an adoption has left that did not come to its end goes with the next start; what was set aside stays, and neither is a session.
func TestUnfinishedAdoption(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := start(t, dir, nil)
		s := d.create()
		synctest.Wait()
		d.close()
		const other = "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11"
		adopting, aside := other+journal.AdoptingSuffix, other+journal.AsideSuffix
		for _, name := range []string{adopting, aside} {
			if err := os.Mkdir(d.folder(name), 0o700); err != nil {
				t.Fatal(err)
			}
			d.write(name, "000001.ndjson", "")
		}
		again := start(t, dir, nil)
		defer again.close()
		for name, stays := range map[string]bool{adopting: false, aside: true, s.ID: true} {
			if _, err := os.Stat(again.folder(name)); (err == nil) != stays {
				t.Errorf("%s: %v", name, err)
			}
		}
		page, err := again.List(t.Context(), supervisor.Query{})
		if err != nil || len(page.Sessions) != 1 {
			t.Errorf("the list is %+v, %v", page, err)
		}
	})
}
