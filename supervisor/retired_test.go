package supervisor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
)

// TestRetiredSessionStaysInCore: what retention has taken from a node does not come back when the node starts again, but when somebody asks for it, with its log
// and in its epoch; and then a folder that is lost is made again unasked.
//
// Proves: I16.6/retired
func TestRetiredSessionStaysInCore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		keeps := func(cfg *supervisor.Config) { cfg.Keep = keep.Rule{For: time.Hour} }
		a := startPeer(t, 'a', base, place, false, keeps)
		time.Sleep(2 * placement.Lease)
		x, y := a.create().ID, a.create().ID
		a.turn(x)
		a.turn(y)
		settle()
		had := a.text(x)
		a.awaits("taken by retention", 3*time.Hour, func() bool { return !a.has(x) && !a.has(y) })
		root := a.cfg.Data
		a.awaits("listed as one that Core has", 10*time.Second, func() bool {
			ids, _ := a.ids(supervisor.Query{Limit: 10})
			return len(ids) == 2 && a.Roster().Find(x).Away && a.Roster().Find(y).Away
		})
		a.end()
		for range 2 {
			a = startPeer(t, 'a', base, place, false, keeps)
			time.Sleep(10 * placement.Lease)
			if a.has(x) || a.has(y) {
				t.Error("what retention has taken came back by itself")
			}
			if log := a.text(x); log != had {
				t.Errorf("out of Core it is\n%s\nwant\n%s", log, had)
			}
			a.end()
		}

		a = startPeer(t, 'a', base, place, false)
		time.Sleep(2 * placement.Lease)
		ref, err := a.all.Find(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		r, err := session.Ask(t.Context(), ref, &session.SendPrompt{Prompt: session.NewPrompt{Text: "go on"}})
		if err != nil {
			t.Fatal(err)
		}
		a.until(x, r.Cursor.Seq, protocol.TypeTurnEnd)
		settle()
		if log := a.text(x); !strings.HasPrefix(log, had) || r.Cursor.Epoch != 1 || a.has(y) {
			t.Errorf("it goes on in epoch %d with\n%s", r.Cursor.Epoch, log)
		}
		a.end()
		if text, err := os.ReadFile(filepath.Join(root, "retired")); err != nil || strings.Count(string(text), x) != 2 {
			t.Errorf("%v\n%s", err, text)
		}

		if err := os.RemoveAll(filepath.Join(root, "sessions", x)); err != nil {
			t.Fatal(err)
		}
		a = startPeer(t, 'a', base, place, false)
		a.awaits("back again", time.Minute, func() bool { return a.has(x) })
		if a.has(y) {
			t.Error("the other one came as well")
		}
		a.end()
	})
}
