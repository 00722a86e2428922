package supervisor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestDescriptorsOfEnded: a session that has ended keeps no file open, long before it is put away; one that is at work does.
func TestDescriptorsOfEnded(t *testing.T) {
	for _, mode := range []supervisor.Durability{supervisor.DurableAlways, supervisor.DurableInterval, supervisor.DurableOS} {
		t.Run(string(mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Durability = mode })
				defer d.close()
				s := d.create()
				r := d.prompt(s.ID, "hello")
				d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
				if open := openFiles(t, d.folder(s.ID)); len(open) == 0 {
					t.Fatal("a session that is at work has no files: the test tests nothing")
				}
				if _, err := session.Ask(t.Context(), d.find(s.ID), &session.End{}); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second) // of the bubble: the agent ends, and what was written is synced
				synctest.Wait()
				if open := openFiles(t, d.folder(s.ID)); len(open) > 0 {
					t.Errorf("open: %v", open)
				}
			})
		})
	}
}

// openFiles are the files below a folder that this process has open.
func openFiles(t *testing.T, dir string) (open []string) {
	t.Helper()
	const own = "/proc/self/fd"
	list, err := os.ReadDir(own)
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range list {
		if to, err := os.Readlink(filepath.Join(own, fd.Name())); err == nil && strings.HasPrefix(to, dir) {
			open = append(open, to)
		}
	}
	return open
}
