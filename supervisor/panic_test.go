package supervisor_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// withQuestion is a turn with all that crosses the border between session and agent: text, a tool that asks, an answer.
const withQuestion = "do it\n```script\n" + `[{"say": {"text": "First this.", "chunk": 4}},
 {"tool": {"name": "bash", "output": ["a", "b"], "approve": true, "allowed": [{"say": {"text": "Allowed."}}]}},
 {"say": {"text": "Then that, in several pieces.", "chunk": 5, "every": "10ms"}}]` + "\n```"

// retry asks until there is an answer.
func retry[T any](d *daemon, id string, build func(ask.Reply[T]) session.Message) T {
	d.t.Helper()
	var err error
	for range 100 {
		var ref session.Ref
		if ref, err = d.Find(d.t.Context(), id); err == nil {
			var v T
			if v, err = ask.Ask(d.t.Context(), ref, build); err == nil {
				return v
			}
		}
		time.Sleep(100 * time.Millisecond) // of the bubble
	}
	d.t.Fatalf("never answered: %v", err)
	panic("unreachable")
}

// turn runs a prompt with a question to its end, whatever fails meanwhile, as a client would that asks again.
func (d *daemon) turn(id string) {
	d.t.Helper()
	retry(d, id, func(r ask.Reply[session.Receipt]) session.Message {
		return &session.Asked[session.Receipt]{Reply: r, Question: &session.SendPrompt{Prompt: session.NewPrompt{Text: withQuestion}, IdempotencyKey: "k"}}
	})
	for range 1000 {
		desc := retry(d, id, func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
		if desc.Turns > 0 && desc.Status.State == protocol.StateIdle {
			time.Sleep(time.Second) // of the bubble: what comes behind the turn
			return
		}
		for _, q := range desc.Requests {
			time.Sleep(time.Second) // of the bubble: all that comes with the question is there, failure or not
			_, err := session.Ask(d.t.Context(), d.find(id), &session.Resolve{RequestID: q.RequestID, Outcome: protocol.OutcomeAllowed, By: "client:test"})
			if c := code(err); err != nil && c != protocol.CodeUnavailable && c != protocol.CodeRequestAlreadyResolved {
				d.t.Fatal(err)
			}
		}
		time.Sleep(50 * time.Millisecond) // of the bubble
	}
	d.t.Fatalf("the turn does not end:\n%s", d.file(id))
}

// sound audits a log and gives it without its times.
func (d *daemon) sound(id string) string {
	d.t.Helper()
	text := d.file(id)
	a := audit.New()
	for line := range strings.Lines(text) {
		e, err := protocol.Decode([]byte(strings.TrimSuffix(line, "\n")))
		if err == nil {
			err = a.Take(&e)
		}
		if err != nil {
			d.t.Fatalf("%v\n%s", err, text)
		}
	}
	text = strings.ReplaceAll(text, d.root, "ROOT")
	return regexp.MustCompile(`"ts":\d+|"durationMs":\d+`).ReplaceAllString(text, "")
}

// TestPanicAtEveryBoundary fails the session's actor once, before a step, before and after each write of its journal, in
// every step of a turn (P14): another actor goes on from the journal, the adapter sends again what is not there, and the
// log is the same as if nothing had happened.
func TestPanicAtEveryBoundary(t *testing.T) {
	for _, durability := range []supervisor.Durability{supervisor.DurableInterval, supervisor.DurableAlways} {
		t.Run(string(durability), func(t *testing.T) {
			want, _ := failAt(t, durability, 0)
			if !strings.Contains(want, "Then that, in several pieces.") || !strings.Contains(want, "request_resolved") {
				t.Fatal(want)
			}
			moments := map[string]int{}
			for at := 1; ; at++ {
				got, where := failAt(t, durability, at)
				if where == "" {
					t.Logf("%d moments: %v", at-1, moments)
					break
				}
				moments[where]++
				if t.Failed() || got != want {
					t.Fatalf("failed at moment %d, %s: %s", at, where, firstDifference(got, want))
				}
			}
			if len(moments) != 5 {
				t.Fatalf("not every kind of moment came: %v", moments)
			}
		})
	}
}

// failAt runs a turn with a failure at the n-th moment, and says what the log is then and what moment it was.
func failAt(t *testing.T, durability supervisor.Durability, n int) (log, where string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := &fault{}
		d, disk := faulty(t, func(c *supervisor.Config) { c.Now, c.Durability = f.now, durability })
		defer d.close()
		s := d.create()
		synctest.Wait() // the agent is ready
		f.mu.Lock()
		f.n, f.at = 0, n
		f.mu.Unlock()
		disk.set(func(moment string) error { f.reach(moment); return nil })
		d.turn(s.ID)
		log, where = d.sound(s.ID), f.reached()
		if h := d.Health(); (where != "") != (h.ActorRestarts == 1) || h.Agents != 1 || h.AgentRestarts != 0 {
			t.Errorf("failed at %q: %+v", where, h)
		}
	})
	return log, where
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return "line " + a[i] + "\nin place of " + strings.Join(b[min(i, len(b)):min(i+1, len(b))], "")
		}
	}
	return "it is shorter"
}

// TestPanicAtTheEnd fails the session's actor while it stops: the drain comes to its end all the same.
func TestPanicAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, disk := faulty(t, func(c *supervisor.Config) { c.Durability = supervisor.DurableInterval })
		s := d.create()
		synctest.Wait()
		d.turn(s.ID)
		failed := 0
		disk.set(func(moment string) error { failed++; panic("as asked: " + moment) })
		d.close()
		if failed == 0 {
			t.Error("nothing has failed")
		}
	})
}

// TestPoisonIsQuarantined: what the agent says fails the session's actor each time it is sent again.
func TestPoisonIsQuarantined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := start(t, dir, func(c *supervisor.Config) { c.Agents = []adapters.Agent{poisoned{agentIn(dir), new(atomic.Bool)}} })
		defer d.close()
		s := d.create()
		r := d.prompt(s.ID, "take "+poison)
		time.Sleep(20 * time.Second)
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		if log := d.sound(s.ID); !strings.Contains(log, "batch_quarantined") {
			t.Fatal(log)
		}
		if h := d.Health(); h.ActorRestarts != 3 {
			t.Errorf("%+v", h)
		}
		again := d.prompt(s.ID, "and now something wholesome")
		d.until(s.ID, again.Cursor.Seq, protocol.TypeTurnEnd)
		if log := d.sound(s.ID); !strings.Contains(log, `"turn_end","turnId":"t2","status":"completed"`) {
			t.Fatal(log)
		}
	})
}

// TestActorThatFailsForEver: it is put aside with its agent, and who asks gets an answer.
func TestActorThatFailsForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, disk := faulty(t, nil)
		defer d.close()
		s, other := d.create(), d.create()
		synctest.Wait()
		disk.set(func(moment string) error { panic("always: " + moment) })
		aside := false
		for range 20 {
			ref, err := d.Find(t.Context(), s.ID)
			if aside = err != nil; !aside {
				_, err = ask.Ask(t.Context(), ref, sendPrompt("hello"))
			}
			if c := code(err); c != protocol.CodeUnavailable && !errors.Is(err, ask.ErrGone) {
				t.Errorf("%v", err)
			}
			if aside {
				break
			}
			synctest.Wait()
		}
		if !aside {
			t.Error("still started")
		}
		if h := d.Health(); h.Agents != 1 || h.Live != 1 {
			t.Fatalf("%+v", h)
		}
		disk.set(nil)
		r := d.prompt(other.ID, "hello")
		d.until(other.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		time.Sleep(2 * time.Minute)
		r = d.prompt(s.ID, "hello again")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		d.sound(s.ID)
	})
}

// TestEveryQuestionIsAnswered, also by a session's actor that fails at it, or before it comes to it.
func TestEveryQuestionIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, disk := faulty(t, nil)
		defer d.close()
		s := d.create()
		r := d.prompt(s.ID, "hello\n```script\n"+`[{"ignore": {"what": ["stdin", "term"]}}, {"say": {"text": "no"}}, {"stall": {}}]`+"\n```")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeEntryDelta)
		ref := d.find(s.ID)
		answers := make(chan error, 3)
		question := func(build func(ask.Reply[session.Done]) session.Message) {
			_, err := ask.Ask(t.Context(), ref, build)
			answers <- err
		}
		// The agent needs a moment to end: the question is owed when the actor fails.
		go question(func(r ask.Reply[session.Done]) session.Message {
			return &session.Asked[session.Done]{Reply: r, Question: &session.End{}}
		})
		synctest.Wait()
		var failed atomic.Bool
		disk.set(func(string) error {
			if failed.CompareAndSwap(false, true) {
				panic("as asked")
			}
			return nil
		})
		go question(func(r ask.Reply[session.Done]) session.Message {
			title := "t"
			return &session.Asked[session.Done]{Reply: r, Question: &session.Change{Title: &title}}
		})
		for range 2 {
			if err := <-answers; err != nil && code(err) != protocol.CodeUnavailable {
				t.Error(err)
			}
		}
		if !failed.Load() {
			t.Error("nothing failed")
		}
	})
}

// TestSupervisorOutlivesAFailure: what fails in the supervisor fails one question, is logged, and interrupts nobody.
func TestSupervisorOutlivesAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, logs := observer.New(zap.ErrorLevel)
		var fails atomic.Bool
		d := start(t, t.TempDir(), func(c *supervisor.Config) {
			id := c.NewID
			c.Log = zap.New(core)
			c.NewID = func() string {
				if fails.Load() {
					panic("what a user wrote")
				}
				return id()
			}
		})
		defer d.close()
		s := d.create()
		r := d.prompt(s.ID, "work\n```script\n"+`[{"say": {"text": "one and two", "chunk": 1, "every": "1s"}}]`+"\n```")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeEntryDelta)
		fails.Store(true)
		if _, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: d.root}); code(err) != protocol.CodeInternal {
			t.Errorf("who asked is told %v", err)
		}
		fails.Store(false)
		if p, err := d.List(t.Context(), supervisor.Query{}); err != nil || p.Total != 1 {
			t.Errorf("%+v, %v", p, err)
		}
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		if log := d.sound(s.ID); !strings.Contains(log, `"status":"completed"`) || !strings.Contains(log, "two") {
			t.Error(log)
		}
		d.create()
		if h := d.Health(); h.Failures != 1 || h.ActorRestarts != 0 || h.AgentRestarts != 0 {
			t.Errorf("%+v", h)
		}
		told := logs.FilterMessage("supervisor failed at a message").All()
		if len(told) != 1 || told[0].ContextMap()["type"] != "*supervisor.Create" || !strings.Contains(fmt.Sprint(told[0].ContextMap()["stack"]), "create") {
			t.Errorf("the log has %v", told)
		}
		for _, l := range logs.All() {
			if strings.Contains(fmt.Sprint(l.ContextMap()), "what a user wrote") {
				t.Error("the log has a user's words")
			}
		}
	})
}

// TestEffectFails: what fails as it is carried out is told to those who wait for it, the rest of the step is done, and the daemon ends as ever.
func TestEffectFails(t *testing.T) {
	broken := func(string, string) (*adapters.MCPServer, func()) { panic("as asked") }
	spawning(t, func(c *supervisor.Config) { c.Grant = broken }, func(d *daemon, _ *grants) {
		s := d.make(supervisor.NewSession{Cwd: d.root, MCP: true})
		other := d.make(supervisor.NewSession{Cwd: d.root})
		time.Sleep(time.Minute) // of the bubble
		if sum, err := d.Look(d.t.Context(), s.ID); err != nil || sum.Status.State != protocol.StateFailed || sum.EndError == "" {
			d.t.Errorf("%+v, %v", sum, err)
		}
		r := d.prompt(other.ID, "hello")
		d.until(other.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		if h := d.Health(); h.Failures == 0 || h.ActorRestarts != 0 || h.Agents != 1 {
			d.t.Errorf("%+v", h)
		}
		began := time.Now()
		d.close()
		if took := time.Since(began); took > 5*time.Second {
			d.t.Errorf("the drain waited %v for what never began", took)
		}
	})
}

// TestNothingIsLost with what reaches a session that was removed in the meantime: a setting that its agent has not answered to.
func TestNothingIsLost(t *testing.T) {
	for _, m := range []session.Message{
		session.Say(&session.SettingOverdue{ID: "s"}), session.Say(&session.InterruptOverdue{}), session.Say(&session.TellRoot{}), &session.Leave{},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := start(t, t.TempDir(), nil)
			defer d.close() // looks for dead letters
			s := d.create()
			ref := d.find(s.ID)
			if err := d.Delete(t.Context(), s.ID); err != nil {
				t.Fatal(err)
			}
			ref.Send(m)
			synctest.Wait()
		})
	}
}
