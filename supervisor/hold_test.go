package supervisor_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestHold: a daemon that holds its sessions back answers for all of them, recovers the one that is asked for, and the rest when it
// is told to.
// Proves: I5/thousand
func TestHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		var ids []string
		seen := map[string]uint64{}
		for range 3 {
			s := d.create()
			r := d.prompt(s.ID, "never finished")
			ids, seen[s.ID] = append(ids, s.ID), d.until(s.ID, r.Cursor.Seq, protocol.TypeEntryDelta)
		}
		synctest.Wait()
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(filepath.Dir(d.cfg.Data))); err != nil {
			t.Fatal(err)
		}
		d.close()

		again := start(t, copied, func(c *supervisor.Config) { c.Hold = true })
		defer again.close()
		synctest.Wait()
		if h := again.Health(); h.Live != 0 || h.Agents != 0 || h.Sessions != 3 {
			t.Errorf("held back: %+v", h)
		}
		again.until(ids[0], seen[ids[0]], protocol.TypeTurnEnd)
		if h := again.Health(); h.Live != 1 {
			t.Errorf("one was asked for: %+v", h)
		}
		again.Recover()
		synctest.Wait()
		if h := again.Health(); h.Live != 3 {
			t.Errorf("told to recover: %+v", h)
		}
		for _, id := range ids[1:] {
			again.until(id, seen[id], protocol.TypeTurnEnd)
		}
	})
}
