package board

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Who needs somebody comes first; Space shows the diff and the reason, and y answers.
func TestFindReadAnswer(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.sees("reading the list")
	s.ten()
	s.sees("1 need you", "▸ session 7", "edit parser.go", "WORKING", "? keys")
	s.press(" ")
	s.sees("codex wants to use edit", "no policy", "-return nil", "+return []Item{}", "y allow once", "A allow always", "n deny", "N deny and stop")
	if calls := wished[desk.ReadCall](s); len(calls) != 1 || calls[0].Cursor != "1.9" || calls[0].Session != id(7) {
		t.Errorf("%+v", calls)
	}
	s.press("y")
	s.sees("Sending: allow once", "NEEDS YOU")
	answers := wished[desk.Answer](s)
	if len(answers) != 1 || answers[0].Session != id(7) || answers[0].Request != "r1" || answers[0].Reply.Option != protocol.AllowOnce {
		t.Fatalf("%+v", answers)
	}
	s.news(desk.Done{Wish: answers[0]})
	s.sees("NEEDS YOU") // it counts when the daemon says so
	s.news(desk.Listed{Sessions: []resource.SessionSummary{s.session(7, "session 7", protocol.StateResponding)}})
	s.ask()
	s.sees("Answered: allow once.")
	s.misses("NEEDS YOU", "need you")
}

// A session is gone to that the list says asks, before the inbox says what: what it asks is shown when that is known, and not when somebody has left meanwhile.
func TestGoneToBeforeTheInbox(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		s := newStage(t, 80, 24, Options{})
		s.news(desk.Listed{Sessions: []resource.SessionSummary{s.session(7, "session 7", protocol.StateAwaitingApproval), s.session(1, "session 1", protocol.StateIdle)}})
		s.news(desk.Connection{Up: true})
		s.sees("session 7")
		s.press(" ")
		s.misses("wants to use edit")
		if leaves {
			s.press("<esc>")
		}
		s.ask(approval(7, "r1"))
		if leaves {
			s.misses("codex wants to use edit")
			continue
		}
		s.sees("codex wants to use edit", "+return []Item{}", "y allow once")
		s.ask(approval(7, "r2")) // what comes in its place is not shown
		s.misses("y allow once")
	}
}

// A key that is pressed twice answers nothing that nobody has read; nor does one that comes when the request has just gone.
func TestTwiceAnswersOnce(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.ten()
	s.news(desk.Listed{Sessions: []resource.SessionSummary{s.session(8, "session 8", protocol.StateAwaitingApproval)}})
	s.ask(approval(7, "r1"), approval(8, "r1"))
	s.press(" ", "y", "y", "y")
	if got := wished[desk.Answer](s); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	s.ask(approval(8, "r1"))
	s.press("y", "n", "N", "A", "A")
	if got := wished[desk.Answer](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	s.press(" ")
	s.ask() // answered elsewhere
	s.sees("answered elsewhere")
	s.press("y")
	if got := wished[desk.Answer](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
}

// What allows for always is asked twice, and a message goes with an answer.
func TestAlwaysIsAskedTwice(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.ten()
	s.press(" ", "A")
	s.sees("Press A again")
	s.press("<down>", " ") // something else: it counts no more
	s.press("A")
	if got := wished[desk.Answer](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	s.press("<esc>", "<home>", " ", "m", "n", "o", "<enter>")
	s.sees("with the message: no")
	s.press("A", "A")
	if got := wished[desk.Answer](s); len(got) != 1 || got[0].Reply.Option != protocol.AllowAlways || got[0].Reply.Message != "no" {
		t.Fatalf("%+v", got)
	}
}

// What is longer than the screen is not allowed by one key that is pressed blind: it is, once it was seen, or at the second press. It is denied at once.
//
// Proves: I14.3/blind
func TestNothingIsAllowedBlind(t *testing.T) {
	begin := func() *stage {
		s := newStage(t, 80, 24, Options{})
		s.ten()
		long := approval(7, "r1")
		long.Request.Text = "--- a\n+++ b\n@@ -1,0 +1,60 @@\n" + strings.Repeat("+more\n", 60) + "+rm -rf /\n"
		s.ask(long)
		s.press(" ")
		s.misses("rm -rf /")
		return s
	}
	s := begin()
	s.press("y")
	s.sees("You have not seen all of it")
	s.press("<pgup>", "y")
	if got := wished[desk.Answer](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	s.press("y")
	if got := wished[desk.Answer](s); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	s = begin()
	s.press(strings.Split(strings.Repeat("<pgdown> ", 9), " ")[:9]...)
	s.sees("rm -rf /")
	s.press("y")
	if got := wished[desk.Answer](s); len(got) != 1 || got[0].Reply.Option != protocol.AllowOnce {
		t.Fatalf("%+v", got)
	}
	s = begin()
	s.press("n")
	if got := wished[desk.Answer](s); len(got) != 1 || got[0].Reply.Option != protocol.DenyContinue {
		t.Fatalf("%+v", got)
	}
	s = begin()
	s.press("A", "A", "A")
	if got := wished[desk.Answer](s); len(got) != 1 || got[0].Reply.Option != protocol.AllowAlways {
		t.Fatalf("%+v", got)
	}
}

// Where only the beginning of what is asked is shown, to have seen all that is shown is not to have seen all.
//
// Proves: I14.3/blind
func TestNothingCutIsAllowedByOneKey(t *testing.T) {
	for name, text := range map[string]string{"by the log": "", "by the screen": strings.Repeat("more\n", 6000)} {
		begin := func() *stage {
			s := newStage(t, 80, 24, Options{})
			s.ten()
			q := approval(7, "r1")
			if q.Request.Diff, q.Request.DiffTruncated, q.Request.DiffBytes = q.Request.Text, true, 4000; text != "" {
				q.Request.Text, q.Request.Diff, q.Request.DiffTruncated = text, "", false
			}
			s.ask(q)
			s.press(" ")
			for range 1000 {
				s.press("<pgdown>")
			}
			return s
		}
		s := begin()
		s.press("y")
		s.sees("This is only the beginning of it")
		if got := wished[desk.Answer](s); len(got) != 0 {
			t.Fatalf("%s: %+v", name, got)
		}
		s.press("y")
		if got := wished[desk.Answer](s); len(got) != 1 {
			t.Fatalf("%s: %+v", name, got)
		}
		s = begin()
		s.press("n")
		if got := wished[desk.Answer](s); len(got) != 1 {
			t.Fatalf("%s: %+v", name, got)
		}
	}
}

// An answer that was refused says why, and can be given again.
func TestRefusedAnswer(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.ten()
	s.press(" ", "n")
	a := wished[desk.Answer](s)[0]
	s.news(desk.Done{Wish: a, Err: "somebody was faster"})
	s.sees("Not answered: somebody was faster", "y allow once")
	s.press("y")
	if got := wished[desk.Answer](s); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
}

// Esc leads back from everywhere and never quits; q quits, twice where something is not sent. A draft stays with its session.
func TestDraftsAreKept(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.ten()
	s.press("<end>", "<enter>", "<home>", "?", "<esc>", "<esc>", "<esc>", "<esc>")
	s.sees("WORKING")
	s.press("/", "t", "e", "n", "t", "h", "<enter>", "p")
	for _, r := range "q y n" { // keys that write
		s.press(string(r))
	}
	s.sees("prompt › q y n")
	s.press("<esc>", "q")
	s.sees("not sent")
	if got := wished[desk.Quit](s); len(got) != 0 {
		t.Fatal("a draft is lost")
	}
	s.press("<esc>", "<esc>", "<home>", "p")
	s.sees("prompt ›")
	s.misses("q y n")
	s.press("<esc>", "<esc>", "/", "t", "e", "n", "t", "h", "<enter>", "p")
	s.sees("prompt › q y n")
	s.press("<enter>")
	sent := wished[desk.Prompt](s)
	if len(sent) != 1 || sent[0].Session != id(10) || sent[0].Text != "q y n" || sent[0].Key == "" || sent[0].Behavior != protocol.FollowUp {
		t.Fatalf("%+v", sent)
	}
	s.news(desk.Done{Wish: sent[0], Err: "the queue is full"})
	s.sees("the queue is full")
	s.press("p")
	s.sees("prompt › q y n") // it is not lost
	s.press("<tab>", "<enter>")
	again := wished[desk.Prompt](s)
	if len(again) != 1 || again[0].Behavior != protocol.Steer {
		t.Fatalf("%+v", again)
	}
	s.press("q")
	s.sees("not sent") // on its way
	s.news(desk.Done{Wish: again[0]})
	s.press("q")
	if got := wished[desk.Quit](s); len(got) != 1 {
		t.Fatal("it does not quit")
	}
}

// What is pasted is written, or nothing: it never answers.
func TestPasteAnswersNothing(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.ten()
	s.press(" ")
	s.wishes = append(s.wishes, s.board.Key(keys.Key{Name: keys.Paste, Text: "y"}, s.now)...)
	if got := wished[desk.Answer](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
}

// An interrupt is asked twice, of the session that is named.
func TestInterrupt(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.ten()
	s.press("<down>", "x")
	s.sees("Press x again")
	s.press("<down>", "x") // another session
	s.press("x")
	got := wished[desk.Interrupt](s)
	row, _ := s.board.list.choice()
	if len(got) != 1 || got[0].Session != row.Session.ID {
		t.Fatalf("%+v", got)
	}
}

// A new session has the agent and the folder of the chosen one, and is opened when it is there. Enter that is pressed twice makes one.
func TestNewSession(t *testing.T) {
	s := newStage(t, 80, 24, Options{Cwd: "/home"})
	s.ten()
	s.press("c")
	s.news(desk.Agents{Names: []string{"claude", "codex", "pi"}})
	s.sees("‹ codex ›", "/src")
	s.press("<right>", "<enter>", "/", "x", "<enter>", "g", "o", "<enter>", "<enter>")
	made := wished[desk.Create](s)
	if len(made) != 1 || made[0].Agent != "pi" || made[0].Cwd != "/src/x" || made[0].Text != "go" || made[0].Key == "" {
		t.Fatalf("%+v", made)
	}
	s.news(desk.Listed{Sessions: []resource.SessionSummary{s.session(11, "the new one", protocol.StateResponding)}})
	s.news(desk.Done{Wish: made[0], ID: id(11)})
	s.sees("the new one · codex")
	if got := wished[desk.Open](s); len(got) != 1 || got[0].Session != id(11) {
		t.Fatalf("%+v", got)
	}
}

// A bell rings when something is asked that was not asked before: not for what was there, and not again.
func TestBell(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.ten()
	if got := wished[desk.Ring](s); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	s.ask(approval(7, "r1"), approval(7, "r2"))
	s.ask(approval(7, "r1"), approval(7, "r2"))
	if got := wished[desk.Ring](s); len(got) != 1 || got[0].Words != "ringmaster: codex needs you: edit" {
		t.Errorf("%+v", got)
	}
	quiet := newStage(t, 80, 24, Options{Quiet: true})
	quiet.ten()
	quiet.ask(approval(7, "r1"), approval(7, "r2"))
	if got := wished[desk.Ring](quiet); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// A lost connection is said, and so is what is current again.
func TestLostConnection(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.ten()
	s.news(desk.Connection{Why: "no daemon answers"})
	s.sees("not current: no daemon answers")
	s.news(desk.Connection{Up: true})
	s.misses("not current")
}

// Whoever reads above the end is not moved by what comes, and is told at its end of what is new.
func TestReadingIsNotMoved(t *testing.T) {
	s := newStage(t, 80, 12, Options{Session: id(7)})
	s.ten()
	if got := wished[desk.Open](s); len(got) != 1 || got[0].Session != id(7) {
		t.Fatalf("%+v", got)
	}
	s.ask()
	line := func(n uint64) *protocol.Event {
		return &protocol.Event{Seq: n, Time: 1, Payload: &protocol.EntryEnd{
			EntryID: "e", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Text: "line " + strings.Repeat("x", int(n%7))},
		}}
	}
	var list []*protocol.Event
	for n := range uint64(100) {
		list = append(list, line(n+1))
	}
	s.news(desk.Lines{Session: id(7), Events: list})
	s.press("<pgup>", "<up>")
	before := s.screen()
	s.news(desk.Lines{Session: id(7), Events: list})
	if after := s.screen(); after != before {
		t.Errorf("it was moved:\n%s\n%s", before, after)
	}
	s.press("<end>")
	if s.screen() == before {
		t.Error("the end does not come")
	}
}

// A question is answered by a number or by a text, and questions one after the other.
func TestQuestions(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.ten()
	q := approval(7, "q1")
	q.Request = protocol.RequestOpened{RequestID: "q1", Kind: protocol.RequestQuestion, Title: "Names", Questions: []protocol.Question{
		{Text: "Which?", Options: []protocol.Option{{ID: "a", Label: "alpha"}, {ID: "b", Label: "beta"}}},
		{Text: "Which all?", Multiple: true, Options: []protocol.Option{{ID: "c"}, {ID: "d"}}},
		{Text: "And why?"},
	}}
	s.ask(q)
	s.press(" ")
	s.sees("question 1 of 3", "1 alpha", "2 beta")
	s.press("2", "1", "2", "<enter>", "q", "y", "<enter>")
	got := wished[desk.Answer](s)
	if len(got) != 1 || len(got[0].Reply.Answers) != 3 {
		t.Fatalf("%+v", got)
	}
	if a := got[0].Reply.Answers; a[0][0] != "b" || len(a[1]) != 2 || a[2][0] != "qy" {
		t.Errorf("%v", a)
	}
}

// Thousands of sessions: a key is on the screen at once, whether or not the list has changed since the last picture.
func BenchmarkKey(b *testing.B) {
	for _, c := range []struct {
		sessions, changed int
		filter            string
	}{{1000, 50, ""}, {10_000, 50, ""}, {10_000, 0, ""}, {10_000, 50, "longer 99"}, {10_000, 0, "longer 99"}} {
		b.Run(fmt.Sprintf("%d sessions, %d changed, filter %q", c.sessions, c.changed, c.filter), func(b *testing.B) {
			s := newStage(&testing.T{}, 140, 40, Options{})
			var list []resource.SessionSummary
			for n := range c.sessions {
				list = append(list, s.session(n, fmt.Sprint("a session with a longer name ", n), protocol.StateResponding))
			}
			s.news(desk.Listed{Sessions: list}, desk.Connection{Up: true})
			s.board.list.filter.Set(c.filter)
			for b.Loop() {
				if c.changed > 0 {
					s.board.News(desk.Listed{Sessions: list[:c.changed]}, s.now)
				}
				s.board.Key(keys.Key{Name: "down"}, s.now)
				s.board.Tick(s.now.Add(time.Second))
				s.board.View()
			}
		})
	}
}

// Nothing happens with a thousand sessions: what a second costs is one picture.
func BenchmarkIdle(b *testing.B) {
	s := newStage(&testing.T{}, 140, 40, Options{})
	var list []resource.SessionSummary
	for n := range 1000 {
		one := s.session(n, fmt.Sprint("a session with a longer name ", n), protocol.StateIdle)
		one.CreatedAt, one.UpdatedAt, one.Spent = s.now, s.now, protocol.Spent{CostMicros: 1000, TotalTokens: 1}
		list = append(list, one)
	}
	s.news(desk.Listed{Sessions: list}, desk.Connection{Up: true})
	for b.Loop() {
		s.now = s.now.Add(time.Millisecond)
		s.board.Tick(s.now)
		s.board.View()
	}
}
