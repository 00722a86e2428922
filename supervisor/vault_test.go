package supervisor_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// A policy that allows everything does not allow an agent the daemon's own folder.
func TestNoPolicyAnswersForTheDataFolder(t *testing.T) {
	spawning(t, nil, func(d *daemon, _ *grants) {
		s := d.make(supervisor.NewSession{Cwd: d.root, Policy: &protocol.Policy{Mode: protocol.PolicyAllowAll}})
		reads := func(path string) string {
			return "read\n```script\n" + `[{"tool":{"name":"bash","args":{"command":"cat ` + path + `"},"output":["x"],"approve":true}}]` + "\n```"
		}
		d.until(s.ID, d.prompt(s.ID, reads(filepath.Join(d.root, "notes"))).Cursor.Seq, protocol.TypeTurnEnd)
		if log := d.file(s.ID); !strings.Contains(log, `"by":"policy"`) {
			t.Fatalf("nothing was allowed: %s", log)
		}
		d.until(s.ID, d.prompt(s.ID, reads(filepath.Join(d.cfg.Data, "token"))).Cursor.Seq, protocol.TypeRequestOpened)
		synctest.Wait()
		d.state(s.ID, protocol.StateAwaitingApproval)
		if log := d.file(s.ID); strings.Count(log, `"by":"policy"`) != 1 {
			t.Errorf("the policy answered: %s", log)
		}
	})
}
