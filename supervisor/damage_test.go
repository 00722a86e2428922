package supervisor_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

// TestDamageStaysInItsSession flips bits all over one session's journal: that one is read-only up to the damage, the log
// names its file and the place, and the others are served to the byte and go on (P9).
func TestDamageStaysInItsSession(t *testing.T) {
	flips := 8
	if thorough {
		flips = 512
	}
	synctest.Test(t, func(t *testing.T) {
		core, logged := observer.New(zapcore.WarnLevel)
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Log = zap.New(core) })
		var ids [3]string
		var logs [3][]byte
		for i := range ids {
			ids[i] = d.create().ID
			r := d.prompt(ids[i], "hello")
			d.until(ids[i], r.Cursor.Seq, protocol.TypeTurnEnd)
		}
		d.close()
		bad := filepath.Join(d.folder(ids[1]), "000001.ndjson")
		good, err := os.ReadFile(bad)
		if err != nil {
			t.Fatal(err)
		}
		for n := range flips {
			for i, id := range ids {
				logs[i] = []byte(d.file(id))
			}
			bit := (8*len(good)/flips)*n + n%8
			b := bytes.Clone(good)
			b[bit/8] ^= 1 << (bit % 8)
			d.write(ids[1], "000001.ndjson", string(b))
			d.start()
			for i, id := range []string{ids[0], ids[2]} {
				if !bytes.Equal(d.shown(id), logs[2*i]) {
					t.Fatalf("bit %d of another session: the log of %s is not what it was", bit, id)
				}
			}
			if got := d.shown(ids[1]); !bytes.HasPrefix(good, got) || len(got) > bit/8 {
				t.Fatalf("bit %d: %d bytes are shown", bit, len(got))
			}
			if _, err := ask.Ask(t.Context(), d.find(ids[1]), sendPrompt("x")); code(err) != protocol.CodeReadOnly {
				t.Fatalf("bit %d: the damaged session: %v", bit, err)
			}
			if all := logged.FilterLevelExact(zapcore.ErrorLevel).TakeAll(); len(all) != 1 || !named(all[0], bad, bit/8) {
				t.Fatalf("bit %d: logged %v", bit, all)
			}
			if n%64 == 0 {
				r := d.prompt(ids[0], "go on")
				d.until(ids[0], r.Cursor.Seq, protocol.TypeTurnEnd)
			}
			synctest.Wait() // the supervisor hears of it beside
			if h := d.Health(); h.Damaged != 1 || h.Sessions != 3 {
				t.Fatalf("bit %d: %+v", bit, h)
			}
			d.close()
			logged.TakeAll()
		}
		tally.Count("P9", "bits flipped beside other sessions", flips, "")
		tally.Count("P9", "other sessions touched", 0, "0")
	})
}

// named says that a line of the log tells of damage in the file, before the byte or at it.
func named(e observer.LoggedEntry, file string, at int) bool {
	text := fmt.Sprint(e.ContextMap()["error"])
	_, rest, ok := strings.Cut(text, file+": damaged at byte ")
	var offset int
	_, err := fmt.Sscan(rest, &offset)
	return ok && err == nil && offset <= at
}

// TestDamageIsFoundWhileItIsRead: what a reader of a live session finds is judged as at a start, and the session is listed as damaged from then on.
// What the daemon has written and a disk has lost meanwhile is no torn tail.
func TestDamageIsFoundWhileItIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		id, other := d.create().ID, d.create().ID
		r := d.prompt(id, "hello")
		d.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
		synctest.Wait() // what follows the end of a turn is written, too
		file := filepath.Join(d.folder(id), "000001.ndjson")
		good := []byte(d.file(id))
		reader := d.reader(id)
		head := reader.Ring.Head()
		part, err := reader.Log.Range(0, head)
		if err != nil || part.Whole() != nil {
			t.Fatal(err, part.Whole())
		}
		if err := os.Truncate(file, int64(len(good)-100)); err != nil {
			t.Fatal(err)
		}
		if err := part.Whole(); err == nil || !reader.Doubt(t.Context(), err) {
			t.Fatalf("nothing is found: %v", err)
		}
		if _, err := ask.Ask(t.Context(), d.find(id), sendPrompt("x")); code(err) != protocol.CodeReadOnly {
			t.Errorf("%v", err)
		}
		synctest.Wait()
		sum, err := d.Look(t.Context(), id)
		if err != nil || !sum.ReadOnly || sum.Damage == nil || sum.Damage.Seq == 0 || sum.Damage.Seq > head || sum.Damage.Offset == 0 {
			t.Errorf("%+v, %v", sum, err)
		}
		if h := d.Health(); h.Damaged != 1 || h.ActorRestarts != 0 {
			t.Errorf("%+v", h)
		}
		if now := []byte(d.file(id)); !bytes.Equal(now, good[:len(good)-100]) {
			t.Errorf("%d bytes are left of %d", len(now), len(good)-100)
		}
		r = d.prompt(other, "go on")
		d.until(other, r.Cursor.Seq, protocol.TypeTurnEnd)
		d.close()
	})
}
