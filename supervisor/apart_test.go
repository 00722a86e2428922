package supervisor

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
)

// TestFolderApart: a session's folder is there before its log, and is gone for good after it, whatever a loss of power takes.
func TestFolderApart(t *testing.T) {
	d := disktest.New()
	data := folder.Data{Root: "."}
	if err := d.Mkdir(data.Sessions()); err != nil {
		t.Fatal(err)
	}
	if err := d.SyncDir("."); err != nil {
		t.Fatal(err)
	}
	s := &apart{new(memory.Store), data, d}
	there := func(d *disktest.Disk) bool {
		for _, name := range d.Folders() {
			if name == data.Session("s1") {
				return true
			}
		}
		return false
	}
	w, err := s.Create("s1")
	if err != nil {
		t.Fatal(err)
	}
	if !there(d.Crash(d.Count(), nil)) {
		t.Error("a loss of power takes the folder of a session that was made")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Remove("s1"); err != nil {
			t.Fatal(err)
		}
		if there(d.Crash(d.Count(), nil)) {
			t.Error("a loss of power brings back the folder of a session that was deleted")
		}
	}
}
