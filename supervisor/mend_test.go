package supervisor_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/tails"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// TestMendingIsTold: a start puts back what a log has lost, and the daemon's log tells of that, and of a log that is not the one whose end was kept, which stays as it is.
func TestMendingIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, logged := observer.New(zap.InfoLevel)
		data := t.TempDir()
		d := start(t, data, func(cfg *supervisor.Config) { cfg.Log = zap.New(core) })
		var whole [2][]byte
		var names [2]string
		kept := tails.In(filepath.Join(data, "data", "tails"), disk.OS())
		f, err := kept.Begin()
		if err != nil {
			t.Fatal(err)
		}
		var ids [2]string
		for n := range ids {
			ids[n] = d.create().ID
			d.until(ids[n], d.prompt(ids[n], "hello").Cursor.Seq, protocol.TypeTurnEnd)
		}
		d.close()
		for n, id := range ids {
			names[n] = filepath.Join(data, "data", "sessions", id, "000001.ndjson")
			if whole[n], err = os.ReadFile(names[n]); err != nil {
				t.Fatal(err)
			}
			at := bytes.LastIndexByte(whole[n][:len(whole[n])-1], '\n') + 1
			x := store.Tail{Segment: 1, At: int64(at), Before: bytes.Clone(whole[n][at-64 : at]), Lines: whole[n][at:]}
			if n == 1 {
				x.Before[7] ^= 1
			}
			f.Add(id, &x)
			if n == 0 {
				whole[0] = bytes.Clone(whole[0])
				if err := os.Truncate(names[0], int64(at)+5); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := errors.Join(f.Commit(), f.Close()); err != nil {
			t.Fatal(err)
		}
		d.start()
		defer d.close()
		for n := range ids {
			if got, err := os.ReadFile(names[n]); err != nil || !bytes.HasPrefix(got, whole[n]) {
				t.Errorf("log %d has %d bytes of %d, %v", n, len(got), len(whole[n]), err)
			}
		}
		told := logged.FilterMessageSnippet("mended logs").All()
		if len(told) != 1 || told[0].ContextMap()["logs"] != int64(1) || told[0].ContextMap()["kept"] != int64(2) {
			t.Errorf("told of what was mended: %v", told)
		}
		if told := logged.FilterMessage("the end of a log may be lost").All(); len(told) != 1 || !strings.Contains(told[0].ContextMap()["error"].(string), ids[1]) {
			t.Errorf("told of what was not: %v", told)
		}
		if left, err := kept.Left(); len(left) > 0 || err != nil {
			t.Errorf("left: %v, %v", left, err)
		}
	})
}

// TestTailsOfALaterBuild: a start does not pass over ends of logs that a later build has kept. It says what to do, and changes nothing.
func TestTailsOfALaterBuild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		d.close()
		dir := filepath.Join(d.cfg.Data, "tails")
		name := filepath.Join(dir, "000001.tails")
		later := append([]byte("RMTAILS\x02"), make([]byte, 8)...)
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(name, later, 0o600)); err != nil {
			t.Fatal(err)
		}
		s, err := supervisor.Start(t.Context(), d.cfg)
		var p *protocol.Problem
		if !errors.As(err, &p) || p.Code != protocol.CodeUnavailable || !strings.Contains(p.Detail, name) || !strings.Contains(p.Hint, "that version") {
			t.Fatalf("started: %v, %v", s, err)
		}
		if b, err := os.ReadFile(name); err != nil || !bytes.Equal(b, later) {
			t.Fatalf("%q, %v", b, err)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		d.start() // the lock was given back
		d.close()
	})
}
