package supervisor_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// changes lists what was made of a session's files whose name has the part, from a change on; names without their session, and fresh ones
// without what is random in them.
func (d *recorded) changes(from int, id, part string) (list []string) {
	for _, op := range d.mem.Ops(from) {
		if strings.Contains(op.Name, part) || op.Kind == "syncdir" {
			text := strings.ReplaceAll(strings.ReplaceAll(op.String(), "sessions/"+id+"/", ""), "sessions/"+id, ".")
			if i := strings.Index(text, ".new-"); i >= 0 {
				text = text[:i+4] + strings.TrimLeft(text[i+5:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
			}
			list = append(list, text)
		}
	}
	return list
}

// TestTraceOfSessionFiles: session.json is synced once in a daemon's life, with its folder, and a picture before its prompt is accepted, with
// both folders. (The journal's and the archive's changes are goldens of their packages.)
func TestTraceOfSessionFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var disk *recorded
		d := start(t, t.TempDir(), func(c *supervisor.Config) {
			disk = record(c.Data)
			c.Files, c.Durability, c.RawLimit = disk, supervisor.DurableOS, -1
		})
		defer d.close()
		s := d.create()
		synctest.Wait() // the first record is written; what came meanwhile may have been one with it
		title := "t"
		if _, err := session.Ask(t.Context(), d.find(s.ID), &session.Change{Title: &title}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		first := disk.changes(disk.journalMade(), s.ID, "session.json")
		want := `create .session.json.new 0600
write .session.json.new
sync .session.json.new
rename .session.json.new session.json
syncdir .
create .session.json.new 0600
write .session.json.new
rename .session.json.new session.json`
		if got := strings.Join(sizeless(first), "\n"); !strings.HasPrefix(got, want) || strings.Count(got, "sync ") != 1 {
			t.Errorf("session.json:\n%s", got)
		}
		from := disk.mem.Count()
		for range 2 {
			if _, _, err := d.Images(s.ID).Put("image/png", picture); err != nil {
				t.Fatal(err)
			}
		}
		sum := sha256.Sum256(picture)
		want = strings.ReplaceAll(`mkdir images 0700
create images/.new 0600
write images/.new
sync images/.new
rename images/.new images/DIGEST
syncdir images
syncdir .
syncdir images
syncdir .`, "DIGEST", hex.EncodeToString(sum[:]))
		if got := strings.Join(sizeless(disk.changes(from, s.ID, "images")), "\n"); got != want {
			t.Errorf("pictures:\n%s", got)
		}
		r := d.prompt(s.ID, "hello")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
	})
}

// journalMade is the change after which the session's journal is there.
func (d *recorded) journalMade() int {
	for n, op := range d.mem.Ops(0) {
		if op.Kind == "syncdir" && op.Name == "sessions" {
			return n + 1
		}
	}
	return 0
}

// sizeless leaves out how many bytes were written.
func sizeless(list []string) []string {
	for i, text := range list {
		if strings.HasPrefix(text, "write ") {
			list[i] = strings.Join(strings.Fields(text)[:2], " ")
		}
	}
	return list
}
