package supervisor_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestEpochAfterALossOfPower: what a daemon left at work on a machine that has been started since may lack what was not
// synced, so the epoch grows; not where everything that was shown was synced, nor after a kill of the daemon alone.
// Proves: C27, P1/epoch
func TestEpochAfterALossOfPower(t *testing.T) {
	for _, c := range []struct {
		name       string
		durability supervisor.Durability
		rebooted   bool
		want       uint64
	}{
		{"always", supervisor.DurableAlways, true, 1},
		{"interval", supervisor.DurableInterval, true, 2},
		{"os", supervisor.DurableOS, true, 2},
		{"killed", supervisor.DurableOS, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				durable := func(cfg *supervisor.Config) { cfg.Durability = c.durability }
				d := start(t, t.TempDir(), durable)
				s := d.create()
				r := d.prompt(s.ID, "never finished")
				d.until(s.ID, r.Cursor.Seq, protocol.TypeEntryDelta)
				synctest.Wait()
				copied := t.TempDir()
				if err := os.CopyFS(copied, os.DirFS(filepath.Dir(d.cfg.Data))); err != nil {
					t.Fatal(err)
				}
				d.close()
				if c.rebooted {
					file := filepath.Join(copied, "data", "sessions", s.ID, "session.json")
					b, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					boot := regexp.MustCompile(`"boot":"[^"]+"`)
					if !boot.Match(b) {
						t.Skip("the system does not name its boots")
					}
					if err := os.WriteFile(file, boot.ReplaceAll(b, []byte(`"boot":"another"`)), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				again := start(t, copied, durable)
				again.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
				sum, err := again.Look(t.Context(), s.ID)
				again.close()
				if err != nil || sum.Epoch != c.want {
					t.Fatalf("epoch %d, %v, want %d", sum.Epoch, err, c.want)
				}
				again.start() // the loss is told of once
				defer again.close()
				if sum, err := again.Look(t.Context(), s.ID); err != nil || sum.Epoch != c.want {
					t.Fatalf("after another start: epoch %d, %v", sum.Epoch, err)
				}
			})
		})
	}
}
