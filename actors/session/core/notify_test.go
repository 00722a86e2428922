package core

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// sendNotified sends a prompt whose end the session "lead" is to hear of.
func sendNotified(t *testing.T, w *world, text string, b protocol.Behavior) Receipt {
	t.Helper()
	p := prompt(text, b)
	p.Prompt.Notify = "lead"
	w.mail(p)
	r, err := answered(t, p.Ticket)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// mail steps and keeps what goes to other sessions.
func (w *world) mail(in Input) (sent []ToSession) {
	sent = toSessions(w.step(in))
	w.posted = append(w.posted, sent...)
	return sent
}

func toSessions(effects []Effect) (sent []ToSession) {
	for _, e := range effects {
		if to, ok := e.(ToSession); ok {
			sent = append(sent, to)
		}
	}
	return sent
}

func (w *world) mailed(drafts ...adapters.Draft) []ToSession {
	w.batch++
	return w.mail(&Batch{Incarnation: w.incarnation, Number: w.batch, Drafts: drafts})
}

// child is a world whose session works for "parent".
func child(t *testing.T) *world {
	w := newWorld(t)
	w.step(&Begin{Agent: "pi", Start: true, Metadata: protocol.Metadata{ParentSessionID: "parent", Title: "tests"}})
	w.attach()
	w.say(adapters.Ready{NativeSessionID: "native"})
	return w
}

func said(text string) []adapters.Draft {
	return []adapters.Draft{
		adapters.EntryOpened{Key: 9, Type: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}},
		adapters.EntryChanged{Key: 9, Delta: &protocol.TextAppend{Text: text}},
		adapters.EntryClosed{Key: 9, Data: &protocol.MessageData{Role: "assistant", Text: text}},
	}
}

// Whatever becomes of a prompt, whoever wanted to know is told once, and with what; and the session that it works for is told of every turn.
// Proves: I10.2/notify
func TestSettledPromptsAreTold(t *testing.T) {
	killed := adapters.Exit{Code: -1, Signal: "killed"}
	for name, c := range map[string]struct {
		do   func(t *testing.T, w *world)
		want string // prompts, how each was settled
		news string // of turns
	}{
		"completed": {func(t *testing.T, w *world) {
			sendNotified(t, w, "one", "")
			w.mailed(append(append([]adapters.Draft{adapters.TurnBegan{}}, said("the answer")...), adapters.TurnEnded{Status: protocol.TurnCompleted})...)
		}, "p1 t1 completed the answer", "t1 completed"},
		"failed": {func(t *testing.T, w *world) {
			sendNotified(t, w, "one", "")
			w.mailed(adapters.TurnBegan{}, adapters.TurnEnded{Status: protocol.TurnError, Error: "500"})
		}, "p1 t1 error agent 500", "t1 error agent"},
		"lost": {func(t *testing.T, w *world) {
			sendNotified(t, w, "one", "")
			w.mailed(adapters.TurnBegan{})
			w.batch++
			w.mail(&Batch{Incarnation: w.incarnation, Number: w.batch, Exit: &killed})
		}, "p1 t1 error lost agent exited: signal killed", "t1 error lost"},
		"steered into a turn": {func(t *testing.T, w *world) {
			send(t, w, "one", "", "")
			w.mailed(adapters.TurnBegan{})
			sendNotified(t, w, "two", protocol.Steer)
			w.mailed(adapters.PromptAnswered{ID: "p2", Result: adapters.PromptQueued}, adapters.NativeQueue{Steering: []string{"two"}})
			w.mailed(adapters.NativeQueue{})
			w.mailed(adapters.TurnEnded{Status: protocol.TurnCompleted})
		}, "p2 t1 completed", "t1 completed"},
		"taken out of the queue": {func(t *testing.T, w *world) {
			send(t, w, "one", "", "")
			r := sendNotified(t, w, "two", "")
			w.mail(&CancelPrompt{PromptID: r.PromptID})
		}, "p2 interrupted it was taken out of the queue", ""},
		"session ended": {func(t *testing.T, w *world) {
			sendNotified(t, w, "one", "")
			sendNotified(t, w, "two", "")
			w.mailed(adapters.TurnBegan{})
			w.mail(&End{})
			w.batch++
			w.mail(&Batch{Incarnation: w.incarnation, Number: w.batch, Exit: &adapters.Exit{Requested: true}})
		}, "p1 t1 interrupted user agent stopped|p2 interrupted session ended", "t1 interrupted user terminated"},
		"nobody asked": {func(t *testing.T, w *world) {
			send(t, w, "one", "", "")
			w.mailed(adapters.TurnBegan{}, adapters.TurnEnded{Status: protocol.TurnCompleted})
		}, "", "t1 completed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := child(t)
			c.do(t, w)
			if got := settledOf(w.posted); got != c.want {
				t.Errorf("settled %q, want %q\n%s", got, c.want, w.text())
			}
			if got := newsOf(w.posted); got != c.news {
				t.Errorf("news %q, want %q", got, c.news)
			}
			// A daemon that was killed before the others had it tells it again; one that had ended in order does not.
			again, clean := New("s1", testLimits()), New("s1", testLimits())
			for i := range w.log {
				again.Replay(&w.log[i])
				clean.Replay(&w.log[i])
			}
			if again.turn != nil {
				c.news = "t1 interrupted daemon"
			}
			_, effects := again.Step(w.now, w.now, &Recover{Reason: "daemon restarted"})
			if got := settledOf(toSessions(effects)); got != c.want {
				t.Errorf("after a crash: settled %q, want %q", got, c.want)
			}
			if got := newsOf(toSessions(effects)); got != c.news {
				t.Errorf("after a crash: news %q, want %q", got, c.news)
			}
			if _, effects := clean.Step(w.now, w.now, &Recover{Reason: "session restarted", Told: true}); clean.seq == w.core.seq && len(toSessions(effects)) > 0 {
				t.Errorf("after an end in order: %v", effects)
			}
		})
	}
}

func settledOf(sent []ToSession) string {
	var list []string
	for _, to := range sent {
		if p, ok := to.Message.(*PromptSettled); ok {
			list = append(list, strings.Join(strings.Fields(fmt.Sprint(p.PromptID, " ", p.TurnID, " ", p.Status, " ", p.Cause, " ", p.Error, " ", p.Answer)), " "))
			if to.ID != "lead" || p.SessionID == "" || p.Title != "tests" {
				list = append(list, "to the wrong one")
			}
		}
	}
	return strings.Join(list, "|")
}

func newsOf(sent []ToSession) (newest string) {
	for _, to := range sent {
		if n, ok := to.Message.(*ChildNews); ok && to.ID == "parent" {
			newest = strings.Join(strings.Fields(fmt.Sprint(n.TurnID, " ", n.TurnStatus, " ", n.Cause, " ", n.Ended)), " ")
		}
	}
	return newest
}

// Who is told gets a prompt of its own, once however often it is told, and none of what it knows by then.
// Proves: I10.2/notify
func TestToldByAPrompt(t *testing.T) {
	settled := func(prompt string) *PromptSettled {
		return &PromptSettled{SessionID: "c", Title: "tests", PromptID: prompt, TurnID: "t1", Status: protocol.TurnCompleted, Answer: "42", Bytes: 2}
	}
	w := newWorld(t)
	ready(w)
	w.step(settled("p1"))
	if w.core.turn == nil || w.core.turn.prompt.ClientID != "session:c" || !strings.Contains(w.core.turn.prompt.Text, "42") {
		t.Fatalf("an idle session is not prompted\n%s", w.text())
	}
	for _, again := range []string{"p1", "p2", "p2"} {
		w.step(settled(again))
	}
	if n := len(w.core.queue.waiting); n != 1 {
		t.Fatalf("%d prompts wait while the session works, want p2's\n%s", n, w.text())
	}
	w.step(&Waive{SessionID: "c", PromptID: "p2"})
	w.step(&Waive{SessionID: "c", PromptID: "p3"})
	w.step(settled("p3"))
	w.step(settled("p2"))
	if n := len(w.core.queue.waiting); n != 0 {
		t.Fatalf("%d prompts tell what was read\n%s", n, w.text())
	}
	for n := range 10 {
		w.step(settled(fmt.Sprint("p", 10+n)))
	}
	if n := len(w.core.queue.waiting); n != w.core.limits.Queue || !strings.Contains(w.text(), "notify_dropped") {
		t.Fatalf("%d prompts wait\n%s", n, w.text())
	}
	for n := range 3 * maxWaived {
		w.step(&Waive{SessionID: "d", PromptID: fmt.Sprint("p", n)})
	}
	if n := len(w.core.link.waived); n != maxWaived {
		t.Errorf("%d are waived", n)
	}
}

// The session that another one works for has it in its log how that one's turns ended: each once, and no older one after a newer.
// Proves: I10.2/notify
func TestChildNews(t *testing.T) {
	w := newWorld(t)
	ready(w)
	w.step(&ChildNews{ChildID: "c", TurnID: "t1", TurnStatus: protocol.TurnCompleted}) // of nobody that is known
	w.step(&ChildSpawned{ChildID: "c", Title: "tests"})
	from := len(w.log)
	two := &ChildNews{ChildID: "c", TurnID: "t2", TurnStatus: protocol.TurnError, Cause: protocol.CauseLost}
	for _, in := range []*ChildNews{
		{ChildID: "c", TurnID: "t1", TurnStatus: protocol.TurnCompleted},
		two, two,
		{ChildID: "c", TurnID: "t1", TurnStatus: protocol.TurnCompleted},
		{ChildID: "c", TurnID: "t2", TurnStatus: protocol.TurnError, Cause: protocol.CauseLost, Ended: protocol.EndError},
	} {
		w.step(in)
	}
	var items protocol.Items
	var got []string
	for i := range w.log {
		if it, ok := items.Item(&w.log[i]); ok && i >= from {
			got = append(got, fmt.Sprintf("%s %s %s %s", it.Type, it.ChildSessionID, it.Reason, it.Text))
		}
	}
	want := []string{"child c  tests: completed", "child c lost tests: failed", "child c lost tests: failed, and the session has ended"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q\n%s", got, want, w.text())
	}
}
