package supervisor_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestAnotherStore runs sessions whose logs are in no file: a session works, goes on after a restart and after the end of the process, and is
// deleted.
//
// Proves: I12/store
func TestAnotherStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logs := new(memory.Store)
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Store = logs })
		s := d.create()
		d.until(s.ID, d.prompt(s.ID, "hello").Cursor.Seq, protocol.TypeTurnEnd)
		d.close()
		if file := d.file(s.ID); file != "" {
			t.Fatalf("the session has files:\n%s", file)
		}
		before := stored(t, logs, s.ID)
		d.start()
		seen := d.until(s.ID, d.prompt(s.ID, "never finished").Cursor.Seq, protocol.TypeEntryDelta)
		synctest.Wait()
		left, copied := logs.Kill(), t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(filepath.Dir(d.cfg.Data))); err != nil {
			t.Fatal(err)
		}
		d.close()

		d = start(t, copied, func(c *supervisor.Config) { c.Store, c.Roots = left, append(c.Roots, d.root) })
		d.until(s.ID, seen, protocol.TypeTurnEnd)
		if sum, err := d.Look(t.Context(), s.ID); err != nil || sum.Turns != 2 {
			t.Errorf("%+v, %v", sum, err)
		}
		after := stored(t, left, s.ID)
		if !bytes.HasPrefix(after, before) || !bytes.Contains(after, []byte(`"error":"daemon restarted"`)) {
			t.Errorf("the log does not go on:\n%s", after)
		}
		if err := d.Delete(t.Context(), s.ID); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if _, err := left.Stat(s.ID); err == nil {
			t.Error("the log of a deleted session is still there")
		}
		d.close()
	})
}

// stored is a log as its store has it.
func stored(t *testing.T, logs store.Store, id string) []byte {
	t.Helper()
	w, rec, err := logs.Open(id, store.Opening{ReadOnly: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	r, err := w.Log().Range(rec.Oldest-1, rec.Newest)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
