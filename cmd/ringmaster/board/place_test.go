package board

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// The help hides what is asked, so its keys answer nothing: any of them leads back.
//
// Proves: I14.3/blind
func TestHelpAnswersNothing(t *testing.T) {
	for _, key := range []string{"y", "n", "N", "A", "q", " "} {
		s := newStage(t, 80, 24, Options{})
		s.ten()
		s.press(" ", "?")
		s.sees("it never quits")
		s.press(key)
		if got := wished[desk.Answer](s); len(got) != 0 {
			t.Errorf("%q answered %+v", key, got)
		}
		s.sees("y allow once") // where the help led away from
	}
}

// In the peek a prompt goes to the session that is shown, and names it, also where the list has another order, another choice or the session no more.
func TestPromptGoesWhereOneLooks(t *testing.T) {
	begin := func() *stage {
		s := newStage(t, 80, 24, Options{})
		s.ten()
		s.press("/", "t", "e", "n", "t", "h", "<enter>", " ")
		if got := wished[desk.Open](s); len(got) != 1 || got[0].Session != id(10) {
			t.Fatalf("%+v", got)
		}
		return s
	}
	s := begin()
	other := s.session(10, "renamed", protocol.StateIdle) // the filter leaves it out now
	s.news(desk.Listed{Sessions: []resource.SessionSummary{other, s.session(3, "another tenth", protocol.StateIdle)}})
	s.press("p", "g", "o")
	s.sees("renamed · prompt › go")
	s.press("<enter>")
	if got := wished[desk.Prompt](s); len(got) != 1 || got[0].Session != id(10) {
		t.Errorf("%+v", got)
	}
	s = begin()
	s.news(desk.Gone{Session: id(10)})
	s.press("p", "g", "o", "<enter>", "x", "x")
	if got, stopped := wished[desk.Prompt](s), wished[desk.Interrupt](s); len(got) != 0 || len(stopped) != 0 {
		t.Errorf("%+v, %+v", got, stopped)
	}
	s = begin()
	s.press("/", "<backspace>") // the filter chooses anew, so that nothing is shown below the list
	if got := wished[desk.Close](s); len(got) != 1 {
		t.Errorf("the log of the session stays open below another choice: %+v", got)
	}
}

// A session that is made while somebody has gone on to something else does not take the screen.
func TestMadeSessionWaits(t *testing.T) {
	begin := func() (*stage, desk.Create) {
		s := newStage(t, 80, 24, Options{})
		s.ten()
		s.press("c")
		s.news(desk.Agents{Names: []string{"claude", "codex"}})
		s.press("<down>", "<down>", "g", "o", "<enter>")
		made := wished[desk.Create](s)
		if len(made) != 1 {
			t.Fatalf("%+v", made)
		}
		return s, made[0]
	}
	s, made := begin()
	s.press("<esc>", "p", "h", "i")
	s.news(desk.Done{Wish: made, ID: id(11)})
	s.sees("prompt › hi", "The new session is made")
	if got := wished[desk.Open](s); len(got) != 1 || got[0].Session != id(7) { // by the prompt
		t.Errorf("%+v", got)
	}
	s, made = begin()
	s.news(desk.Done{Wish: made, Err: "the disk is full"})
	s.press("<enter>") // again
	again := wished[desk.Create](s)
	s.news(desk.Done{Wish: made, ID: id(11)}) // late, and of the first try
	s.sees("a new session")
	s.news(desk.Done{Wish: again[0], ID: id(12)})
	if got := wished[desk.Open](s); len(got) != 1 || got[0].Session != id(12) {
		t.Errorf("%+v", got)
	}
}

// The first prompt of a new session is kept as a draft is, with its agent and its folder.
func TestFormIsKept(t *testing.T) {
	s := newStage(t, 80, 24, Options{Cwd: "/home"})
	s.ten()
	s.press("c")
	s.news(desk.Agents{Names: []string{"claude", "codex", "pi"}})
	s.press("<right>", "<down>", "/", "x", "<down>", "g", "o", "<esc>", "q")
	s.sees("not sent")
	s.press("c")
	s.news(desk.Agents{Names: []string{"claude", "codex", "pi"}})
	s.sees("‹ pi ›", "/src/x", "go")
	s.press("<backspace>", "<backspace>", "<esc>", "q")
	if got := wished[desk.Quit](s); len(got) != 1 {
		t.Error("an empty prompt is kept")
	}
}

// A request that is over does not move the screen while somebody writes a prompt below it.
func TestEndOfARequestLeavesAPrompt(t *testing.T) {
	for name, over := range map[string]func(s *stage){
		"answered": func(s *stage) { s.ask() },
		"gone":     func(s *stage) { s.news(desk.Gone{Session: id(7)}) },
	} {
		s := newStage(t, 80, 24, Options{})
		s.ten()
		s.press("<down>", " ", "<home>", " ") // a peek at another session first: its log is open
		s.press("p", "h", "i")
		wished[desk.Open](s)
		over(s)
		s.sees("session 7 · prompt › hi"[map[bool]int{true: len("session 7 · "), false: 0}[name == "gone"]:])
		if s.board.at != inPeek {
			t.Errorf("%s: the peek is left", name)
		}
		if got := wished[desk.Open](s); len(got) != 1 || got[0].Session != id(7) {
			t.Errorf("%s: below the list is another log: %+v", name, got)
		}
	}
}

// What was not on the screen was not seen: keys that come at once, before a picture, allow nothing.
//
// Proves: I14.3/blind
func TestNothingIsAllowedBeforeItIsDrawn(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.ten()
	s.burst(" ", "y", "y", "y", "A", "A", "A")
	if got := wished[desk.Answer](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	long := approval(7, "r1")
	long.Request.Text = "--- a\n+++ b\n@@ -1,0 +1,60 @@\n" + strings.Repeat("+more\n", 60) + "+rm -rf /\n"
	s = newStage(t, 80, 24, Options{})
	s.ten()
	s.ask(long)
	s.press(" ")
	s.board.Tick(s.now)
	s.burst(strings.Split(strings.Repeat("<pgdown> ", 9), " ")[:9]...) // past the middle, without a picture of it
	s.press("y")
	s.sees("You have not seen all of it")
	if got := wished[desk.Answer](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
}

// While the call of a request is read, and where it could not be, the screen says so, and one key does not allow.
//
// Proves: I14.3/blind
func TestNothingIsAllowedBeforeItsCallIsRead(t *testing.T) {
	begin := func() (*stage, desk.ReadCall) {
		s := newStage(t, 80, 24, Options{})
		s.slow = true
		s.ten()
		s.press(" ")
		return s, wished[desk.ReadCall](s)[0]
	}
	s, call := begin()
	s.sees("reading the call")
	s.press("y")
	s.sees("still being read")
	if got := wished[desk.Answer](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	s.news(desk.Called{Session: call.Session, Request: call.Request, Call: &protocol.ToolCallData{Diff: "--- a\n+++ b\n@@ -1 +1 @@\n+worse"}})
	s.sees("+worse")
	s.misses("reading the call")
	s.burst("y") // no picture of it yet
	if got := wished[desk.Answer](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	s.press("<pgup>", "y")
	if got := wished[desk.Answer](s); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	for _, failed := range []func(call desk.ReadCall) desk.News{
		func(call desk.ReadCall) desk.News {
			return desk.Called{Session: call.Session, Request: call.Request, Err: "no daemon answers"}
		},
		func(call desk.ReadCall) desk.News { return desk.Done{Wish: call, Err: "no daemon answers"} },
	} {
		s, call = begin()
		s.news(failed(call))
		s.sees("is not known: no daemon answers")
		s.press("y")
		s.sees("could not be read")
		s.press("y")
		if got := wished[desk.Answer](s); len(got) != 1 {
			t.Fatalf("%+v", got)
		}
	}
}

// Whoever has one session alone answers in it, also where it lives with another one.
func TestAttachedSessionStays(t *testing.T) {
	s := newStage(t, 80, 24, Options{Session: id(2)})
	child := s.session(2, "the child", protocol.StateAwaitingApproval)
	child.Spawned, child.ParentSessionID = true, id(1)
	s.news(desk.Listed{Sessions: []resource.SessionSummary{s.session(1, "the parent", protocol.StateResponding), child}}, desk.Connection{Up: true})
	s.ask(approval(2, "r1"))
	s.press("a")
	s.sees("the child", "y allow once")
	if s.board.at != inSession {
		t.Error("it leads to the list")
	}
	s.press("<esc>")
	s.sees("the child", "a answer")
}

// Whoever has one session alone sees its log once that session is known, and not only when all are.
func TestAttachedSessionWaitsForNoOthers(t *testing.T) {
	s := newStage(t, 80, 24, Options{Session: id(2)})
	s.news(desk.Listed{Sessions: []resource.SessionSummary{s.session(1, "another", protocol.StateIdle)}})
	if got := wished[desk.Open](s); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	s.news(desk.Listed{Sessions: []resource.SessionSummary{s.session(2, "this one", protocol.StateIdle)}})
	if got := wished[desk.Open](s); len(got) != 1 || got[0].Session != id(2) || got[0].Cursor == "" {
		t.Errorf("%+v", got)
	}
	s.news(desk.Connection{Up: true})
	if got := wished[desk.Open](s); len(got) != 0 {
		t.Errorf("opened again: %+v", got)
	}
}

// However high the screen is and whichever row is chosen, the list shows what a list of all lines would show around that row.
func TestListAroundTheChosenRow(t *testing.T) {
	states := []protocol.State{protocol.StateFailed, protocol.StateResponding, protocol.StateIdle, protocol.StateCompleted}
	const all = 30
	for high := 4; high < all+8; high++ {
		s := newStage(t, 60, high, Options{})
		var list []resource.SessionSummary
		for n := range all {
			list = append(list, s.session(n, fmt.Sprintf("row %02d", n), states[n*len(states)/all]))
		}
		s.news(desk.Listed{Sessions: list}, desk.Connection{Up: true})
		room := high - 2
		for n := range all {
			var lines []string
			at := 0
			for i := range all {
				if group := i * len(states) / all; room > 8 && (i == 0 || group != (i-1)*len(states)/all) {
					lines = append(lines, []string{"FAILED", "WORKING", "IDLE", "ENDED"}[group])
				}
				if i == n {
					at = len(lines)
				}
				lines = append(lines, fmt.Sprintf("%srow %02d", map[bool]string{true: "▸ ", false: "  "}[i == n], i))
			}
			top := min(max(0, at-room/2), max(0, len(lines)-room))
			shown := strings.Split(s.screen(), "\n")[1:]
			for y, want := range lines[top:min(len(lines), top+room)] {
				if !strings.HasPrefix(shown[y], want) {
					t.Fatalf("%d rows, %d chosen: line %d is %q, want %q", high, n, y, shown[y], want)
				}
			}
			s.press("<down>")
		}
	}
}

// A message that is being written when its request is over is not taken for commands.
func TestMessageIsNoCommand(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.ten()
	s.press(" ", "m", "n", "o")
	s.ask()
	s.sees("is over. Enter or Esc goes on")
	s.press("x", "x", "q", "c", "p", " ", "y", "o", "u")
	s.sees("Enter or Esc goes on")
	if len(wished[desk.Interrupt](s))+len(wished[desk.Quit](s))+len(wished[desk.ListAgents](s))+len(wished[desk.Open](s)) > 0 || s.board.at != inRoster {
		t.Error("it was taken for commands")
	}
	s.press("<enter>", "q")
	if got := wished[desk.Quit](s); len(got) != 1 {
		t.Error("commands do not come back")
	}
}
