package supervisor_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
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
