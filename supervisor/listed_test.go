package supervisor_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestDeleteListed: a session that is not what it was when it was listed any more, that works, or that somebody reads, is not deleted; one that has ended and
// is as it was listed is, with an actor and without.
func TestDeleteListed(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(d *daemon, id string)
		stays     bool
	}{
		"as it was listed": {func(*daemon, string) {}, false},
		"put away":         {func(*daemon, string) { time.Sleep(20 * time.Minute) }, false},
		"after a restart":  {func(d *daemon, _ string) { d.close(); d.start() }, false},
		"read":             {func(d *daemon, id string) { d.reader(id) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := start(t, t.TempDir(), nil)
				defer func() { d.close() }()
				id := d.create().ID
				if err := d.DeleteListed(t.Context(), listed(d, id)); code(err) != protocol.CodeConflict {
					t.Fatalf("one that has not ended: %v", err)
				}
				d.end(id)
				synctest.Wait()
				sum := listed(d, id)
				c.meanwhile(d, id)
				synctest.Wait()
				err := d.DeleteListed(t.Context(), sum)
				_, look := d.Look(t.Context(), id)
				switch {
				case c.stays && (code(err) != protocol.CodeConflict || look != nil):
					t.Fatalf("deleted: %v, %v", err, look)
				case !c.stays && (err != nil || code(look) != protocol.CodeSessionNotFound):
					t.Fatalf("not deleted: %v, %v", err, look)
				}
			})
		})
	}
}

// TestDeleteListedThatBeganAgain: a sub-agent that had completed when it was listed and was given more to do since stays, also when it has
// completed once more and was put away.
func TestDeleteListedThatBeganAgain(t *testing.T) {
	family(t, nil, func(d *daemon, _ *servers) {
		t := d.t
		parent := d.member()
		d.until(parent.ID, d.prompt(parent.ID, "spawn:kid count").Cursor.Seq, protocol.TypeTurnEnd)
		time.Sleep(5 * time.Second)
		kid := childOf(parent.ID, "kid")
		d.state(kid, protocol.StateCompleted)
		sum := listed(d, kid)
		d.until(parent.ID, d.prompt(parent.ID, "spawn:kid count again").Cursor.Seq, protocol.TypeTurnEnd)
		for n, wait := range []time.Duration{time.Millisecond, time.Minute, time.Hour} {
			time.Sleep(wait)
			if err := d.DeleteListed(t.Context(), sum); code(err) != protocol.CodeConflict {
				t.Errorf("%d: %v", n, err)
			}
			if _, err := d.Look(t.Context(), kid); err != nil {
				t.Errorf("%d: %v", n, err)
			}
		}
		if err := d.DeleteListed(t.Context(), listed(d, kid)); err != nil {
			t.Error(err)
		}
	})
}

func listed(d *daemon, id string) *session.Summary {
	d.t.Helper()
	page, err := d.List(d.t.Context(), supervisor.Query{Text: id})
	if err != nil || len(page.Sessions) != 1 {
		d.t.Fatalf("%+v, %v", page, err)
	}
	return &page.Sessions[0]
}
