package supervisor_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// notified sends a prompt of which another session is to be told.
func (d *daemon) notified(id, lead, text string) {
	d.t.Helper()
	if _, err := session.Ask(d.t.Context(), d.find(id), &session.SendPrompt{Prompt: session.NewPrompt{Text: text, Notify: lead}}); err != nil {
		d.t.Fatal(err)
	}
}

// TestLeadsAreTold: a session that another one works for has it in its log how that one's turn ended, and gets one prompt where that was
// asked for: at work or idle, put away, failed or ended with the daemon meanwhile.
// Proves: I10.2/notify
func TestLeadsAreTold(t *testing.T) {
	const slow = "\n```script\n" + `[{"say":{"text":"one two three","over":"90s"}}]` + "\n```"
	for name, c := range map[string]struct {
		meanwhile func(d *daemon, lead string)
		status    protocol.TurnStatus
		text      string
	}{
		"idle": {func(*daemon, string) {}, protocol.TurnCompleted, "has finished prompt p1."},
		"at work": {func(d *daemon, lead string) {
			d.prompt(lead, "work"+slow)
			time.Sleep(30 * time.Second)
		}, protocol.TurnCompleted, "has finished prompt p1."},
		"put away": {func(d *daemon, _ string) {
			time.Sleep(80 * time.Second)
			synctest.Wait()
			if n := d.Health().Live; n != 1 {
				d.t.Fatalf("%d sessions have an actor", n)
			}
		}, protocol.TurnCompleted, "has finished prompt p1."},
		"daemon restarted": {func(d *daemon, _ string) {
			time.Sleep(30 * time.Second)
			d.close()
			d.start()
			d.Recover()
		}, protocol.TurnInterrupted, "was interrupted at prompt p1 (daemon)."},
	} {
		t.Run(name, func(t *testing.T) {
			spawning(t, func(c *supervisor.Config) { c.PassiveAge = 10 * time.Second }, func(d *daemon, _ *grants) {
				lead := d.make(supervisor.NewSession{Cwd: d.root})
				child := d.make(supervisor.NewSession{ParentID: lead.ID, Spawned: true, Title: "tests"})
				d.notified(child.ID, lead.ID, "go"+slow)
				c.meanwhile(d, lead.ID)
				time.Sleep(5 * time.Minute)
				synctest.Wait()
				told := fmt.Sprintf(`"childSessionId":"%s","title":"tests","turnId":"t1","turnStatus":"%s"`, child.ID, c.status)
				from := fmt.Sprintf(`"clientId":"session:%s"`, child.ID)
				if !strings.Contains(d.file(lead.ID), c.text) {
					t.Errorf("no %q in\n%s", c.text, d.file(lead.ID))
				}
				d.says(lead.ID, map[string]int{told: 1, from: 2}) // where it is queued, and in its turn
				// Its actor is started anew, and those that work for it tell it again: it knows.
				d.find(child.ID)
				d.find(lead.ID)
				synctest.Wait()
				d.says(lead.ID, map[string]int{told: 1, from: 2})
			})
		})
	}
}
