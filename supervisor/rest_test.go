package supervisor_test

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// asked is what a session's actor tells of it, started where there is none.
func (d *daemon) asked(id string) session.Description {
	d.t.Helper()
	desc, err := ask.Ask(d.t.Context(), d.find(id), func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
	if err != nil {
		d.t.Fatal(err)
	}
	return desc
}

// TestRestOpensNothing: of a session without an actor all is told that its actor would tell, to the last digit, and no actor is started for it.
//
// Proves: I15.4/rest
func TestRestOpensNothing(t *testing.T) {
	for name, leave := range map[string]func(d *daemon, id string){
		"put away":       func(*daemon, string) { time.Sleep(20 * time.Minute) },
		"after a start":  func(d *daemon, _ string) { d.close(); d.start() },
		"ended":          func(d *daemon, id string) { d.end(id); time.Sleep(20 * time.Minute) },
		"ended, a start": func(d *daemon, id string) { d.end(id); d.close(); d.start() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := start(t, t.TempDir(), nil)
				defer func() { d.close() }()
				n := supervisor.NewSession{
					Agent: "scripted", Cwd: d.root, Title: "t", Labels: map[string]string{"k": "v"}, Owner: "ann", Policy: &protocol.Policy{Mode: protocol.PolicyAllowReads},
					Budget: &protocol.Budget{Session: &protocol.Limits{Tokens: 1 << 40}},
				}
				made, err := d.Create(t.Context(), n)
				if err != nil {
					t.Fatal(err)
				}
				for range 3 {
					d.until(made.ID, d.prompt(made.ID, "hello").Cursor.Seq, protocol.TypeTurnEnd)
				}
				if rest, err := d.AtRest(t.Context(), made.ID); rest != nil || err != nil {
					t.Fatalf("one that has an actor: %+v, %v", rest, err)
				}
				leave(d, made.ID)
				synctest.Wait()
				before := d.file(made.ID)
				rest, err := d.AtRest(t.Context(), made.ID)
				if err != nil || rest == nil {
					t.Fatalf("%+v, %v", rest, err)
				}
				if h := d.Health(); h.Live != 0 || d.file(made.ID) != before {
					t.Fatalf("%d actors were started", h.Live)
				}
				want := d.asked(made.ID)
				want.Requests, want.Changed, rest.Changed = nil, 0, 0 // no event is newer than the answer
				if rest.Usage().TotalTokens == 0 || rest.Cost == 0 || len(want.Queue) > 0 || !reflect.DeepEqual(*rest, want) {
					t.Fatalf("at rest it is\n%+v\nits actor says\n%+v", *rest, want)
				}
			})
		})
	}
}

// TestOnlyItsActorTells: of a session that an earlier daemon left at work, and of one whose prompts wait, its actor is asked; of one that is not there nobody.
func TestOnlyItsActorTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Hold = true })
		defer func() { d.close() }()
		if rest, err := d.AtRest(t.Context(), "00000000-0000-4000-8000-00000000abcd"); code(err) != protocol.CodeSessionNotFound {
			t.Fatalf("%+v, %v", rest, err)
		}
		id := d.create().ID
		d.prompt(id, "hello"+slowScript)
		d.prompt(id, "and that")
		synctest.Wait()
		d.close()
		d.start()
		if sum := d.look(id); sum.Status.QueuedPrompts != 1 {
			t.Fatalf("%+v", sum.Status)
		}
		if rest, err := d.AtRest(t.Context(), id); rest != nil || err != nil {
			t.Fatalf("a queue that nobody has read is told: %+v, %v", rest, err)
		}
		if got := d.asked(id); len(got.Queue) != 1 {
			t.Fatalf("%+v", got.Queue)
		}
	})
}
