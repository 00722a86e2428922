package supervisor_test

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
	"github.com/ringmaster-agents/ringmaster/supervisor/outbox"
	"go.uber.org/zap"
)

// cored is a daemon with a Core.
type cored struct {
	*daemon
	place *corememory.Place
}

// with gives the configuration an outbox to a place.
func with(place *corememory.Place, more func(*supervisor.Config)) func(*supervisor.Config) {
	return func(cfg *supervisor.Config) {
		cfg.Outbox = outbox.New(outbox.Config{
			Root: cfg.Data, Log: zap.NewNop(),
			Connect: func(context.Context) (core.Core, error) { return place.Core(), nil },
		})
		if more != nil {
			more(cfg)
		}
	}
}

func startCored(t *testing.T, data string, place *corememory.Place, more func(*supervisor.Config)) *cored {
	t.Helper()
	d := &cored{start(t, data, with(place, more)), place}
	d.cfg.Outbox.Begin(d.Supervisor)
	return d
}

func (d *cored) end() {
	d.t.Helper()
	d.close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(d.t.Context()), 2*time.Second)
	defer cancel()
	d.cfg.Outbox.Close(ctx)
}

// same has Core hold what the session's log holds, byte for byte.
func (d *cored) same(id string) {
	d.t.Helper()
	c := d.place.Core()
	defer c.Close()
	look := func() (store.Log, error) { return d.Logs().Look(id) }
	if v, err := core.Verify(d.t.Context(), c, id, look); err != nil || !v.Known || v.Behind > 0 || v.Differs != "" || v.Events == 0 {
		d.t.Errorf("%s: %+v, %v; the state is %+v", id, v, err, d.Health().Core)
	}
}

func (d *cored) record(id string) (core.Record, bool) {
	d.t.Helper()
	c := d.place.Core()
	defer c.Close()
	_, r, ok, err := c.Session(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return r, ok
}

// settle gives what waits for a Core that was away time to come.
func settle() {
	synctest.Wait()
	time.Sleep(10 * time.Second)
	synctest.Wait()
}

// TestSessionsAreInCore: logs and records of a daemon's sessions are in Core, also of those at rest that an earlier daemon without Core has left.
//
// Proves: I16.4/sessions
func TestSessionsAreInCore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data, place := t.TempDir(), new(corememory.Place)
		before := start(t, data, nil)
		old := before.create()
		before.until(old.ID, before.prompt(old.ID, "an old one").Cursor.Seq, "turn_end")
		before.close()

		d := startCored(t, data, place, func(cfg *supervisor.Config) {
			cfg.NewID = func() string { return "00000000-0000-4000-8000-000000000077" }
		})
		now := d.create()
		r := d.prompt(now.ID, "hello")
		if in := d.InCore(t.Context(), now.ID); in == nil {
			t.Error("a receipt says nothing of Core")
		}
		d.until(now.ID, r.Cursor.Seq, "turn_end")
		settle()
		if in := d.InCore(t.Context(), now.ID); in == nil || !*in {
			t.Error("Core has it, and a receipt says otherwise")
		}
		told, ok := d.record(now.ID)
		if !ok || told.Agent != "scripted" || told.State != "idle" || told.Root != now.ID || told.Workspace != "node:"+d.Instance() || len(told.Told) == 0 {
			t.Errorf("record %+v, %t", told, ok)
		}
		d.end()
		d.same(now.ID)
		d.same(old.ID)
	})
}

// TestDeletedInCore: what a client deletes is deleted in Core, also where Core and then the daemon are away; what the data folder does not have for another reason
// stays there.
//
// Proves: I16.4/deleted
func TestDeletedInCore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data, place := t.TempDir(), new(corememory.Place)
		d := startCored(t, data, place, nil)
		var ids []string
		for range 3 {
			s := d.create()
			d.until(s.ID, d.prompt(s.ID, "hello").Cursor.Seq, "turn_end")
			ids = append(ids, s.ID)
		}
		settle()
		if err := d.Delete(t.Context(), ids[0]); err != nil {
			t.Fatal(err)
		}
		settle()
		if _, ok := d.record(ids[0]); ok {
			t.Error("Core has a session that was deleted")
		}
		place.Leave()
		if err := d.Delete(t.Context(), ids[1]); err != nil {
			t.Fatal(err)
		}
		settle()
		d.end()
		if err := d.Logs().Remove(ids[2]); err != nil { // somebody has taken the folder away
			t.Fatal(err)
		}
		place.Return()
		d = startCored(t, data, place, nil)
		settle()
		if _, ok := d.record(ids[1]); ok {
			t.Error("Core has a session that was deleted while it was away")
		}
		if _, ok := d.record(ids[2]); !ok {
			t.Error("Core has lost a session that nobody has deleted")
		}
		d.end()
	})
}

// TestTrimsWaitForCore: the oldest events of a log stay as long as Core lacks them, and go when it has them.
//
// Proves: I16.4/trims
func TestTrimsWaitForCore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		place := new(corememory.Place)
		d := startCored(t, t.TempDir(), place, func(cfg *supervisor.Config) { cfg.LogLimit = logLimit })
		s := d.create()
		place.Leave()
		grow := func() (oldest uint64) {
			for range 60 {
				d.until(s.ID, d.prompt(s.ID, "say something that is long enough to be worth a line of the log").Cursor.Seq, "turn_end")
			}
			settle()
			r := d.reader(s.ID)
			defer r.Leave()
			oldest, _ = r.Log.Bounds()
			return oldest
		}
		if oldest := grow(); oldest != 1 {
			t.Errorf("Core has nothing, and events before %d have gone", oldest)
		}
		place.Return()
		settle()
		if oldest := grow(); oldest == 1 {
			t.Error("Core has all, and nothing goes")
		}
		d.end()
		d.same(s.ID)
		c := place.Core()
		defer c.Close()
		if p, _, _, err := c.Session(t.Context(), s.ID); err != nil || p.Oldest != 1 {
			t.Errorf("Core has the log from event %d on, %v", p.Oldest, err)
		}
	})
}

// TestRetentionWaitsForCore: a session that is older than is kept stays as long as Core lacks something of it, and goes when Core has it; there it stays.
//
// Proves: I16.4/retention
func TestRetentionWaitsForCore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data, place := t.TempDir(), new(corememory.Place)
		place.Leave()
		rule := func(cfg *supervisor.Config) { cfg.Keep = keep.Rule{For: time.Hour} }
		d := startCored(t, data, place, rule)
		id := d.ended()
		time.Sleep(3 * time.Hour)
		if !d.there(id) {
			t.Fatal("Core does not have it, and it is gone")
		}
		d.end()
		d = startCored(t, data, place, rule)
		time.Sleep(time.Hour)
		if !d.there(id) {
			t.Fatal("Core does not have it, and it is gone behind a restart")
		}
		place.Return()
		time.Sleep(time.Hour)
		if d.there(id) {
			t.Errorf("Core has it, and it does not go: %+v", d.Health().Core)
		}
		if _, ok := d.record(id); !ok {
			t.Error("Core has lost a session that nobody has deleted")
		}
		d.end()
	})
}

// TestPasswordsStayHere: the record of an attached session goes to Core without the agent's password.
//
// Proves: I16.4/passwords
func TestPasswordsStayHere(t *testing.T) {
	place := new(corememory.Place)
	family(t, with(place, nil), func(d *daemon, _ *servers) {
		c := &cored{d, place}
		d.cfg.Outbox.Begin(d.Supervisor)
		n := attached("http://127.0.0.1:4096")
		n.Cwd, n.Endpoint.Password = d.root, "the-password"
		s, err := d.Create(d.t.Context(), n)
		if err != nil {
			d.t.Fatal(err)
		}
		settle()
		r, ok := c.record(s.ID)
		if !ok || !bytes.Contains(r.Told, []byte("127.0.0.1:4096")) || bytes.Contains(r.Told, []byte("the-password")) {
			d.t.Errorf("Core is told %s, %t", r.Told, ok)
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(d.t.Context()), time.Second)
		defer cancel()
		d.cfg.Outbox.Close(ctx)
	})
}
