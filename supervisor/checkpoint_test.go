package supervisor_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// checkpointed starts a daemon whose session has a checkpoint, and a turn behind it, and is left.
func checkpointed(t *testing.T, segment int64) (d *daemon, id string, log []byte, was session.Summary) {
	data := t.TempDir()
	logs := filepath.Join(data, "logs")
	if err := os.Mkdir(logs, 0o700); err != nil {
		t.Fatal(err)
	}
	d = start(t, data, func(c *supervisor.Config) {
		c.CheckpointBytes = 1
		c.Store = journal.In(func(id string) string { return filepath.Join(logs, id) }, journal.Options{SegmentBytes: segment})
	})
	id = d.create().ID
	for i := range 3 {
		r := d.prompt(id, fmt.Sprintf("number %d", i))
		d.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
	}
	was = d.look(id) // when all is said
	log = d.shown(id)
	d.close()
	return d, id, log, was
}

func (d *daemon) checkpoint(id string) string { return filepath.Join(d.folder(id), "checkpoint") }

// again starts the daemon, and wants the session as it was, and that it goes on.
func (d *daemon) again(t *testing.T, name, id string, log []byte, was session.Summary) {
	t.Helper()
	d.start()
	d.find(id)
	now := d.look(id)
	if !reflect.DeepEqual(now, was) {
		t.Errorf("%s: the session is\n%+v\nand was\n%+v", name, now, was)
	}
	if got := d.shown(id); !bytes.Equal(got, log) {
		t.Errorf("%s: the log has %d bytes, and had %d; it goes on with %s", name, len(got), len(log), got[min(len(log), len(got)):])
	}
	r := d.prompt(id, "go on")
	d.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
	d.close()
}

// TestCheckpointIsAHint starts daemons beside checkpoints that are gone, cut, flipped, old, or another session's: each session is what its log says.
// Proves: I15.1/hint
func TestCheckpointIsAHint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, id, log, was := checkpointed(t, 0)
		good, err := os.ReadFile(d.checkpoint(id))
		if err != nil {
			t.Fatal(err)
		}
		early := good // of the first daemon; the log grows with each
		try := func(name string, b []byte) {
			t.Helper()
			err := errors.Join(os.RemoveAll(d.checkpoint(id)), os.WriteFile(d.checkpoint(id), b, 0o600))
			if b == nil {
				err = os.Remove(d.checkpoint(id))
			}
			if err != nil {
				t.Fatal(err)
			}
			d.again(t, name, id, log, was)
			d.start()
			d.find(id)
			was = d.look(id)
			log = d.shown(id)
			d.close()
			if good, err = os.ReadFile(d.checkpoint(id)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		try("whole", good)
		try("gone", nil)
		try("old", early)
		for i := range 8 {
			try("cut", good[:len(good)*i/8])
			flipped := bytes.Clone(good)
			flipped[len(good)*i/8] ^= 1 << i
			try("flipped", flipped)
		}
		try("more than it says", append(bytes.Clone(good), 'x'))
		try("of another build", bytes.Replace(good, []byte(`"build":"`), []byte(`"build":"other `), 1))
	})
}

// TestCheckpointSpares damages what lies before a checkpoint: the session opens all the same, since nobody has read it.
// The first who reads it is told, and from then on everybody is.
// Proves: I15.1/lazily
func TestCheckpointSpares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, id, log, _ := checkpointed(t, 2000)
		path := filepath.Join(filepath.Dir(d.cfg.Data), "logs", id, "000002.ndjson")
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		at := bytes.Index(log, b) + len(b)/2
		b[len(b)/2] ^= 4
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		d.start()
		d.find(id)
		d.look(id)
		if h := d.Health(); h.Damaged != 0 {
			t.Fatalf("what nobody has read is damaged: %+v", h)
		}
		reader := d.reader(id)
		rng, err := reader.Log.Range(0, reader.Ring.Head())
		if err != nil {
			t.Fatal(err)
		}
		if err = rng.Whole(); !session.Doubts(err) {
			t.Fatalf("what is damaged is read with %v", err)
		}
		if err := rng.Close(); err != nil {
			t.Fatal(err)
		}
		if !reader.Doubt(t.Context(), err) {
			t.Fatal("the session does not open its log anew")
		}
		for n := range 2 {
			if _, err := ask.Ask(t.Context(), d.find(id), sendPrompt("x")); code(err) != protocol.CodeReadOnly {
				t.Fatalf("start %d: the damaged session takes a prompt: %v", n, err)
			}
			if got := d.shown(id); !bytes.HasPrefix(log, got) || len(got) > at {
				t.Fatalf("start %d: %d bytes are shown", n, len(got))
			}
			if err := d.Close(context.WithoutCancel(t.Context())); err != nil {
				t.Fatal(err)
			}
			d.start()
		}
		d.close()
	})
}

// TestDoubtedCheckpointGoes kills the daemon when a reader has found damage, before the session was opened anew: the next daemon reads all of the log.
// Proves: I15.1/lazily
func TestDoubtedCheckpointGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, id, _, _ := checkpointed(t, 2000)
		d.start()
		reader := d.reader(id)
		if !reader.Doubt(t.Context(), &store.DamageError{File: "x", Seq: 1}) {
			t.Fatal("the session does not open its log anew")
		}
		synctest.Wait()
		if _, err := os.Stat(d.checkpoint(id)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the checkpoint of a log that is doubted: %v", err)
		}
		d.close()
	})
}
