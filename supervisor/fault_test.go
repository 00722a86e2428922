package supervisor_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestEveryFault lets every change that a daemon makes on its disk fail once: a full disk, a broken one, a write that comes half
// way, a failed sync, in journals, session.json, pictures and raw archives. What a client is refused it is told with a code
// and may ask again within 5 s; what it was shown stays, also after a restart (P10, P11).
//
// Proves: I15.2/bound
func TestEveryFault(t *testing.T) {
	every := 53
	switch {
	case thorough:
		every = 1
	case raceEnabled:
		every = 211
	}
	for _, how := range []struct {
		name  string
		mode  supervisor.Durability
		limit int64 // of a log
	}{{"always", supervisor.DurableAlways, 0}, {"interval", supervisor.DurableInterval, 0}, {"logs are trimmed", supervisor.DurableInterval, 5000}} {
		t.Run(how.name, func(t *testing.T) {
			runs, hit := 0, map[string]int{}
			for n, done := 0, false; !done; n += every {
				for _, f := range []disktest.Fault{{Err: syscall.ENOSPC}, {Err: syscall.EIO}, {Err: syscall.ENOSPC, Short: 37}} {
					synctest.Test(t, func(t *testing.T) {
						failed := faultAt(t, how.mode, how.limit, n, &f)
						if done = failed == ""; !done {
							hit[failed]++
							runs++
						}
					})
				}
			}
			tally.Count("P10", "daemon runs with a fault at one operation", runs, "")
			tally.Count("P10", "shown events lost to a fault", 0, "0")
			t.Logf("%d runs with one fault each: %v", runs, hit)
		})
	}
}

// faultAt has a daemon work while one change of its disk fails, and says what that was; empty: it never came so far.
func faultAt(t *testing.T, mode supervisor.Durability, limit int64, n int, fault *disktest.Fault) (failed string) {
	data := t.TempDir()
	var disk *recorded
	d := start(t, data, func(cfg *supervisor.Config) {
		disk = record(cfg.Data)
		disk.mem.Fail(func(at int, op disktest.Op) *disktest.Fault {
			if at-2 != n { // record makes two
				return nil
			}
			failed = op.Kind + " " + kindOf(op.Name)
			return fault
		})
		cfg.Files, cfg.Durability, cfg.LogLimit = disk, mode, limit
	})
	where := func() string { return fmt.Sprintf("%s, change %d (%s) fails with %v", mode, n, failed, fault) }
	shown := map[string][]byte{}
	look := func(ids ...string) {
		for _, id := range ids {
			now := d.shown(id)
			if first := now[:bytes.IndexByte(now, '\n')+1]; limit > 0 && shown[id] != nil {
				now = append(bytes.Clone(shown[id][:max(0, bytes.Index(shown[id], first))]), now...)
			}
			if !bytes.HasPrefix(now, shown[id]) {
				t.Fatalf("%s: %d bytes were shown of %s, and now others", where(), len(shown[id]), id)
			}
			shown[id] = now
		}
	}
	insist := func(what string, do func() error) {
		for begun := time.Now(); ; time.Sleep(500 * time.Millisecond) {
			err := do()
			if err == nil {
				return
			}
			if c := code(err); c != protocol.CodeReadOnly && c != protocol.CodeInternal || time.Since(begun) > 5*time.Second {
				t.Fatalf("%s: %s: %v, after %v", where(), what, err, time.Since(begun))
			}
		}
	}
	create := func(key string) (id string) {
		insist("create", func() error {
			s, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: d.root, Key: supervisor.Key{By: "ann", Name: key}})
			id = s.ID
			return err
		})
		return id
	}
	prompt := func(id string) {
		var r session.Receipt
		insist("prompt", func() error {
			ref, _, err := d.Images(id).Put("image/png", picture)
			if err != nil {
				return err
			}
			r, err = session.Ask(t.Context(), d.find(id), &session.SendPrompt{Prompt: session.NewPrompt{Text: fmt.Sprintf(unhurried, 1), Images: []string{ref}}})
			return err
		})
		d.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
	}
	a := create("a")
	prompt(a)
	b := create("b")
	look(a, b)
	prompt(b)
	prompt(a)
	look(a, b)
	gone := create("gone")
	insist("delete", func() error { return d.Delete(t.Context(), gone) })
	once := func() {
		t.Helper()
		if x, y := create("a"), create("b"); x != a || y != b {
			t.Fatalf("%s: the keys of %s and %s make %s and %s", where(), a, b, x, y)
		}
	}
	once()
	d.close()
	d.start()
	look(a, b)
	once()
	if sum, err := d.Look(t.Context(), a); err != nil || sum.ReadOnly || sum.Epoch != 1 {
		t.Fatalf("%s: after a restart: %+v, %v", where(), sum, err)
	}
	if _, err := d.Look(t.Context(), gone); code(err) != protocol.CodeSessionNotFound {
		t.Fatalf("%s: after a restart: the deleted session: %v", where(), err)
	}
	d.close()
	return failed
}

// kindOf says what of a session a file is.
func kindOf(name string) string {
	dir, file := filepath.Split(name)
	switch {
	case strings.Contains(name, "/raw"):
		return "raw"
	case strings.Contains(name, "/images"):
		return "images"
	case strings.Contains(file, "session.json"):
		return "session.json"
	case strings.HasSuffix(file, ".ndjson"), strings.HasSuffix(file, ".index"):
		return "journal"
	case dir == "sessions/":
		return "session folder"
	}
	return file
}
