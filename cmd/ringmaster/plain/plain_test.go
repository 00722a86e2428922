package plain

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// talk is a conversation whose daemon is the test.
type talk struct {
	t      *testing.T
	state  *State
	now    time.Time
	wishes []desk.Wish
	said   string // by the last step
}

func begin(t *testing.T) *talk {
	k := &talk{t: t, now: time.UnixMilli(1_700_000_000_000)}
	keys := 0
	k.state, k.wishes = New(Options{Cwd: "/src", Key: func() string { keys++; return fmt.Sprint("key", keys) }}, k.now)
	list := []resource.SessionSummary{
		{ID: "1", Agent: "pi", Cwd: "/src", Title: "idle one", Status: protocol.Status{State: protocol.StateIdle}, Cursor: "1.5"},
		{ID: "2", Agent: "codex", Cwd: "/src", Title: "mend the parser", Status: protocol.Status{State: protocol.StateAwaitingApproval}, Cursor: "1.9"},
	}
	k.news(desk.Listed{Sessions: list})
	k.news(desk.Connection{Up: true})
	k.news(desk.Inbox{Requests: []resource.InboxRequest{approval("r1")}})
	return k
}

func approval(id string) resource.InboxRequest {
	return resource.InboxRequest{SessionID: "2", Agent: "codex", Cursor: "1.8", Request: protocol.RequestOpened{
		RequestID: id, Kind: protocol.RequestApproval, EntryID: "e1", ToolName: "edit", Subject: "parser.go", Title: "Allow edit?",
		Options: []protocol.Option{{ID: protocol.AllowOnce}, {ID: protocol.AllowAlways}, {ID: protocol.DenyContinue}},
	}}
}

func (k *talk) take(out []string, wishes []desk.Wish) {
	k.t.Helper()
	k.said = strings.Join(out, "\n")
	k.wishes = append(k.wishes, wishes...)
	for _, l := range out {
		if strings.ContainsFunc(l, func(r rune) bool { return r < 0x20 || r >= 0x7f && r <= 0x9f || r == 0x202e }) {
			k.t.Errorf("a line steers the terminal: %q", l)
		}
	}
}

func (k *talk) news(n desk.News) {
	k.t.Helper()
	k.take(k.state.News(n, k.now))
}

// types types a line, and wants to hear these texts.
func (k *talk) types(line string, want ...string) {
	k.t.Helper()
	k.take(k.state.Line(line, k.now))
	k.heard(want...)
}

func (k *talk) heard(want ...string) {
	k.t.Helper()
	for _, w := range want {
		if !strings.Contains(k.said, w) {
			k.t.Errorf("no %q in:\n%s", w, k.said)
		}
	}
}

// last is the newest wish.
func last[W desk.Wish](k *talk) W {
	k.t.Helper()
	var none W
	if len(k.wishes) == 0 {
		return none
	}
	w, is := k.wishes[len(k.wishes)-1].(W)
	if !is {
		k.t.Errorf("the last wish is %#v", k.wishes[len(k.wishes)-1])
	}
	return w
}

// By lines alone somebody hears who needs them, what is asked in words, and answers by a number.
//
// Proves: I14.3/plain
func TestByNumbers(t *testing.T) {
	k := begin(t)
	k.heard("2 sessions: 1 need you", "1. needs you: mend the parser, codex, edit parser.go", "2. idle: idle one")
	k.types("1", "Session mend the parser", "Agent codex")
	call := last[desk.ReadCall](k)
	k.news(desk.Called{Session: "2", Request: call.Request, Call: &protocol.ToolCallData{
		Arguments: `{"path":"parser.go","edits":[{"oldText":"return nil","newText":"return \u001b[2J"}]}`,
	}})
	k.heard("codex wants to use edit", "no policy", "removed: return nil", `added: return \x1b[2J`, "1. allow once", "2. allow always", "3. deny")
	k.types("9", "1. allow once")
	k.types("2", "Type 2 again")
	k.types("1 well done")
	a := last[desk.Answer](k)
	if a.Session != "2" || a.Request != "r1" || a.Reply.Option != protocol.AllowOnce || a.Reply.Message != "well done" {
		t.Errorf("%+v", a)
	}
	k.types("1", "on its way")
	k.news(desk.Done{Wish: a})
	k.heard("Answered.")
	k.types("p go on")
	if p := last[desk.Prompt](k); p.Session != "2" || p.Text != "go on" || p.Key == "" {
		t.Errorf("%+v", p)
	}
	k.types("x")
	last[desk.Interrupt](k)
	k.types("b", "2 sessions")
	k.types("q")
	last[desk.Quit](k)
}

// What was told only in its beginning is allowed at the second number alone, and denied at the first.
func TestWhatIsCutIsAllowedTwice(t *testing.T) {
	for name, long := range map[string]bool{"by the log": false, "where it is told": true} {
		for _, number := range []string{"1", "3"} {
			k := begin(t)
			q := approval("r9")
			if q.Request.Diff, q.Request.DiffTruncated = "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b", true; long {
				q.Request.Diff, q.Request.DiffTruncated, q.Request.Text = "", false, strings.Repeat("more\n", 6000)
			}
			k.news(desk.Inbox{Requests: []resource.InboxRequest{q}})
			k.types("a")
			k.news(desk.Called{Session: "2", Request: "r9"})
			before := len(k.wishes)
			k.types(number)
			if number == "1" {
				k.heard("Type 1 again: allow once. This is the beginning of it")
				if len(k.wishes) != before {
					t.Fatalf("%s: %+v", name, k.wishes[before:])
				}
				k.types(number)
			}
			if len(k.wishes) != before+1 || last[desk.Answer](k).Request != "r9" {
				t.Errorf("%s, %s: %+v", name, number, k.wishes[before:])
			}
		}
	}
}

// What is newly asked is told at once; a number that was typed for it while it went answers nothing.
func TestNews(t *testing.T) {
	k := begin(t)
	k.news(desk.Inbox{Requests: []resource.InboxRequest{approval("r1"), approval("r2")}})
	k.heard("Needed: mend the parser, codex: edit parser.go. Type a to answer.")
	k.types("a")
	k.news(desk.Called{Session: "2", Request: "r1"})
	k.news(desk.Inbox{})
	k.heard("answered elsewhere")
	before := len(k.wishes)
	k.types("b")
	for _, w := range k.wishes[before:] {
		if _, is := w.(desk.Answer); is {
			t.Error("it was answered")
		}
	}
}

// Nothing is answered before somebody was told what it is about; where that cannot be read, they are told so.
func TestNothingIsAnsweredUntold(t *testing.T) {
	answered := func(k *talk) (n int) {
		for _, w := range k.wishes {
			if _, is := w.(desk.Answer); is {
				n++
			}
		}
		return n
	}
	k := begin(t)
	k.types("a")
	k.types("1", "still being read")
	k.news(desk.Called{Session: "2", Request: "r1", Err: "no daemon answers"})
	k.heard("codex wants to use edit", "could not be read: no daemon answers", "1. allow once")
	if n := answered(k); n != 0 {
		t.Errorf("%d answers", n)
	}
	k.types("1")
	if n := answered(k); n != 1 {
		t.Errorf("%d answers", n)
	}
	k = begin(t)
	k.types("a")
	k.news(desk.Done{Wish: last[desk.ReadCall](k), Err: "too much is on its way"})
	k.heard("could not be read: too much", "1. allow once")
}

// What became of an answer is told of that one: another one that was begun since is not closed, and not opened again, by it.
func TestOutcomeIsOfItsAnswer(t *testing.T) {
	for _, err := range []string{"", "somebody was faster"} {
		k := begin(t)
		k.types("a")
		k.news(desk.Called{Session: "2", Request: "r1"})
		k.types("1")
		first := last[desk.Answer](k)
		k.news(desk.Inbox{Requests: []resource.InboxRequest{approval("r2")}})
		k.types("a")
		k.news(desk.Called{Session: "2", Request: "r2"})
		k.types("3")
		k.news(desk.Done{Wish: first, Err: err})
		k.types("3", "on its way")
	}
}

// Questions are answered one after the other, by numbers and in one's own words.
func TestQuestions(t *testing.T) {
	k := begin(t)
	q := approval("q1")
	q.Request = protocol.RequestOpened{RequestID: "q1", Kind: protocol.RequestQuestion, Title: "Names", Questions: []protocol.Question{
		{Text: "Which?", Multiple: true, Options: []protocol.Option{{ID: "a", Label: "alpha"}, {ID: "b", Label: "beta"}}}, {Text: "Why?"},
	}}
	k.news(desk.Inbox{Requests: []resource.InboxRequest{q}})
	k.types("a", "Which?", "1. alpha", "2. beta")
	k.types("1, 2", "Why?", "Type the answer")
	k.types("b is shorter")
	if a := last[desk.Answer](k); len(a.Reply.Answers) != 2 || len(a.Reply.Answers[0]) != 2 || a.Reply.Answers[1][0] != "b is shorter" {
		t.Errorf("%+v", a)
	}
}

// A connection that stays lost is told once, and that it is there again.
func TestChangesAreToldOnce(t *testing.T) {
	k := begin(t)
	k.types("2")
	for _, n := range []struct{ bad, good desk.News }{
		{desk.Connection{Why: "no daemon answers"}, desk.Connection{Up: true}}, {desk.LogPaused{Session: "1", Why: "connection lost"}, desk.LogPaused{Session: "1"}},
	} {
		for range 2 {
			k.news(n.bad)
			k.heard("no")
			k.news(n.bad)
			if k.said != "" {
				t.Errorf("told again: %s", k.said)
			}
			k.news(n.good)
			if !strings.Contains(k.said, "current again") && !strings.Contains(k.said, "goes on") {
				t.Errorf("not told that it is there again: %q", k.said)
			}
			k.news(n.good)
			if k.said != "" {
				t.Errorf("told again: %s", k.said)
			}
		}
	}
}

// A new session is made by its agent's number and its first prompt.
func TestNewSession(t *testing.T) {
	k := begin(t)
	k.types("n")
	k.news(desk.Agents{Names: []string{"codex", "pi"}})
	k.heard("1. codex", "2. pi")
	k.types("2", "/src")
	k.types("do it")
	if c := last[desk.Create](k); c.Agent != "pi" || c.Text != "do it" || c.Cwd != "/src" {
		t.Errorf("%+v", c)
	}
}

// Of a log that is opened the newest lines are told, and then each that comes.
func TestLog(t *testing.T) {
	k := begin(t)
	k.types("2")
	event := func(n uint64, text string) *protocol.Event {
		return &protocol.Event{Seq: n, Time: 1, Payload: &protocol.EntryEnd{EntryID: "e", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Text: text}}}
	}
	var list []*protocol.Event
	for n := range uint64(100) {
		list = append(list, event(n+1, fmt.Sprint("line ", n)))
	}
	k.news(desk.Lines{Session: "1", Events: list[:50]})
	if k.said != "" {
		t.Errorf("told before all was there: %s", k.said)
	}
	k.news(desk.Lines{Session: "1", Events: list[50:], Caught: true})
	k.heard("line 99", "line 80")
	if strings.Contains(k.said, "line 79") {
		t.Errorf("too much is told:\n%s", k.said)
	}
	k.news(desk.Lines{Session: "1", Events: []*protocol.Event{event(101, "and\x1b[2J more")}})
	k.heard("and more")
	for n := range uint64(60) { // past what is kept of a log
		last := fmt.Sprint("the end of ", n)
		k.news(desk.Lines{Session: "1", Events: []*protocol.Event{event(200+n, strings.Repeat("x\n", 1000)+last)}})
		k.heard(last)
	}
}
