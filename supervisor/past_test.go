package supervisor_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestPastIsWhole: a daemon that is killed while it writes an agent's earlier conversation leaves all of it or nothing, wherever the kernel
// stopped: it is one batch of the journal. The next daemon says it where it is not there, and never twice.
func TestPastIsWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		before := d.create()
		first := d.until(before.ID, d.prompt(before.ID, "One.").Cursor.Seq, protocol.TypeTurnEnd)
		d.prompt(before.ID, "Two.")
		d.until(before.ID, first, protocol.TypeTurnEnd)
		native := d.look(before.ID).NativeSessionID
		d.end(before.ID)
		s, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: d.root, NativeSessionID: native})
		if err != nil {
			t.Fatal(err)
		}
		d.until(s.ID, 0, protocol.TypeEntryEnd)
		synctest.Wait()
		whole, killed := d.file(s.ID), t.TempDir()
		if err := os.CopyFS(killed, os.DirFS(filepath.Dir(d.cfg.Data))); err != nil {
			t.Fatal(err)
		}
		d.close()
		want := append(said(t, whole), "Three.")
		if len(want) < 8 {
			t.Fatalf("said %q", want)
		}
		cut := 0
		for line := range strings.Lines(whole) {
			cut += len(line)
			if !strings.Contains(line, `"type":"entry_`) {
				continue
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(killed)); err != nil {
				t.Fatal(err)
			}
			again := start(t, dir, func(c *supervisor.Config) { c.Roots, c.Hold = append(c.Roots, d.root), true })
			if err := os.Truncate(filepath.Join(again.folder(s.ID), "000001.ndjson"), int64(cut)); err != nil {
				t.Fatal(err)
			}
			again.until(s.ID, again.prompt(s.ID, "Three.").Cursor.Seq, protocol.TypeTurnEnd)
			if got := said(t, again.file(s.ID)); !slices.Equal(got[:min(len(got), len(want))], want) {
				t.Errorf("cut behind %s: said %q, want first %q", line, got, want)
			}
			again.close()
		}
	})
}

// said gives the texts of a log's entries, in their order.
func said(t *testing.T, log string) (texts []string) {
	t.Helper()
	for line := range strings.Lines(log) {
		e, err := protocol.Decode([]byte(strings.TrimSpace(line)))
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := e.Payload.(*protocol.EntryEnd); ok {
			text, _ := protocol.EntryText(p.Data)
			texts = append(texts, text)
		}
	}
	return texts
}
