package board

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func sceneOf(t *testing.T, name string) *stage {
	t.Helper()
	for _, c := range scenes {
		if c.name == name {
			return newScene(t, c, 80, 24, Options{Cwd: "/src"})
		}
	}
	t.Fatalf("no scene %q", name)
	return nil
}

// A prompt of the queue is moved by one place, and stands where it was until the daemon says otherwise; a second key meanwhile moves nothing.
func TestQueueIsMoved(t *testing.T) {
	s := sceneOf(t, "queue") // the third of four is chosen
	wished[desk.ListQueue](s)
	s.press("K", "K", "J")
	moved := wished[desk.MovePrompt](s)
	if len(moved) != 1 || moved[0].Prompt != "p6" || moved[0].Before != "p5" || moved[0].Session != id(5) {
		t.Fatalf("%+v", moved)
	}
	s.sees("▸ 3  Then send", "on its way", "Wait: another one")
	s.news(desk.Done{Wish: moved[0]})
	if got := wished[desk.ListQueue](s); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	list := waitingPrompts.Prompts
	s.news(desk.Queue{Session: id(5), Prompts: []resource.WaitingPrompt{list[0], list[2], list[1], list[3]}})
	s.sees("▸ 2  Then send", "Moved.")
	s.press("J", "J")
	if moved = wished[desk.MovePrompt](s); len(moved) != 1 || moved[0].Before != "p7" {
		t.Fatalf("%+v", moved)
	}
	s.news(desk.Done{Wish: moved[0], Err: "it has just gone"})
	s.sees("Not moved: it has just gone")
	s.press("<end>", "J")
	s.sees("It is the last one")
	s.press("<up>", "J") // to the end
	if moved = wished[desk.MovePrompt](s); len(moved) != 1 || moved[0].Before != "" {
		t.Fatalf("%+v", moved)
	}
}

// One is taken out by two keys; the one that the agent has already is not.
func TestQueueIsCancelled(t *testing.T) {
	s := sceneOf(t, "queue")
	s.press("x")
	s.sees("Press x again")
	s.press("<up>", "x", "<down>", "x") // another one each time
	if got := wished[desk.CancelPrompt](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	s.press("x")
	got := wished[desk.CancelPrompt](s)
	if len(got) != 1 || got[0].Prompt != "p6" {
		t.Fatalf("%+v", got)
	}
	s.news(desk.Done{Wish: got[0]}, desk.Queue{Session: id(5), Prompts: waitingPrompts.Prompts[:2]})
	s.sees("Taken out of the queue.")
	s.press("<home>", "x", "x", "K")
	s.sees("The agent has it already")
	if got := wished[desk.CancelPrompt](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	if got := wished[desk.Interrupt](s); len(got) != 0 {
		t.Fatal("x has interrupted the turn")
	}
}

// TestNodesAreShown: the nodes are a page of their own, also where there is no session. What is there is read again when the list of sessions changes, and when
// somebody wants it.
//
// Proves: I16.8/faces
func TestNodesAreShown(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	s.press("E")
	s.sees("nodes", "reading which nodes there are")
	if got := wished[desk.ListNodes](s); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	s.news(desk.Nodes{List: someNodes})
	s.sees("▸ 0a1b2c3d  up, this one · 12 sessions · shop · 1.4.0", "lease 27s", "4e5f6071  silent · 1 session", "silent for 42s", "8899aabb  draining", "3 to go")
	s.misses("the session is not there")
	s.news(desk.Listed{})
	s.press("<enter>", "<enter>")
	if got := wished[desk.ListNodes](s); len(got) != 1 {
		t.Fatalf("%d readings at once", len(got))
	}
	s.news(desk.Nodes{Err: "no daemon answers"})
	s.sees("0a1b2c3d", "not current: no daemon answers")
	if got := wished[desk.ListNodes](s); len(got) != 1 {
		t.Fatalf("what has changed meanwhile is not read: %+v", got)
	}
	s.news(desk.Nodes{})
	s.sees("this daemon has no Core, and knows of no other")
	s.press("<esc>")
	if s.board.at != inRoster {
		t.Error("Esc does not lead back")
	}
}

var someNodes = []resource.NodeInfo{
	{ID: "0a1b2c3d4e5f60718293a4b5c6d7e8f9", Here: true, State: resource.NodeUp, Sessions: 12, Workspaces: []string{"shop=/srv/shop"}, Build: "1.4.0", LeaseMs: 27_000},
	{ID: "4e5f60718293a4b5c6d7e8f90a1b2c3d", State: resource.NodeSilent, Sessions: 1, SilentMs: 42_000},
	{ID: "8899aabbccddeeff0011223344556677", State: resource.NodeDraining, Sessions: 5, Leaving: 3, LeaseMs: 20_000},
}

// The queue is read when it is shown, and again when its session tells of a change; one reading at a time, however much is told.
func TestQueueIsCurrent(t *testing.T) {
	s := newScene(t, scenes[0], 80, 24, Options{})
	s.press("w")
	s.sees("reading which prompts wait")
	if got := wished[desk.ListQueue](s); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	session := s.board.page.session
	changed := desk.Lines{Session: session, Events: []*protocol.Event{{Seq: 1, Payload: &protocol.PromptMoved{PromptID: "p1"}}}}
	s.news(changed, changed, changed)
	if got := wished[desk.ListQueue](s); len(got) != 0 {
		t.Fatalf("%d readings at once", len(got)+1)
	}
	s.news(desk.Queue{Session: session})
	if got := wished[desk.ListQueue](s); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	s.news(desk.Done{Wish: desk.ListQueue{Session: session}, Err: "too much is on its way"})
	s.sees("not known: too much")
	s.press("<esc>")
	if got := wished[desk.Close](s); len(got) != 1 || s.board.at != inRoster {
		t.Errorf("the log stays open: %+v", got)
	}
	s.news(changed, desk.Queue{Session: session}) // nobody shows it
	if got := wished[desk.ListQueue](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
}

// A model is chosen by a key and stands as it was until the daemon says that it is chosen. The filter is for the long lists.
func TestModelIsChosen(t *testing.T) {
	s := sceneOf(t, "models")
	s.press("<down>", "<down>", "<enter>")
	s.sees("already") // it is chosen already
	s.press("/", "h", "a", "i", "<enter>", "<enter>", "<enter>")
	got := wished[desk.Choose](s)
	if len(got) != 1 || got[0].What != desk.Model || got[0].Value != "haiku-5" || got[0].Session != id(5) {
		t.Fatalf("%+v", got)
	}
	s.sees("on its way")
	wished[desk.ListChoices](s)
	s.news(desk.Done{Wish: got[0], How: "from the next turn on"})
	s.sees("The model is haiku-5: from the next turn on.")
	if got := wished[desk.ListChoices](s); len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	s.press("/", "z", "<enter>", "<enter>")
	s.sees("nothing matches")
	if got := wished[desk.Choose](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
}

// Where nobody knows what there is, that is said, and why.
func TestNothingIsOffered(t *testing.T) {
	s := newScene(t, scenes[0], 80, 24, Options{})
	s.press("O")
	session := s.board.page.session
	s.sees("reading what there is")
	s.news(desk.Choices{Session: session, What: desk.Mode, Err: "no daemon answers"})
	s.sees("not known: no daemon answers")
	s.news(desk.Choices{Session: session, What: desk.Model, List: offeredModels.List}) // of another page
	s.misses("Opus")
	s.news(desk.Choices{Session: session, What: desk.Mode})
	s.sees("is not known: no agent runs")
	s.press("<enter>")
	if got := wished[desk.Choose](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
}

// The mode of a policy is chosen by a key, and the one that allows everything by two.
func TestPolicyIsChosen(t *testing.T) {
	s := sceneOf(t, "policy") // allow_all is chosen
	s.press("<enter>")
	s.sees("allows everything, and nobody is asked")
	s.press("<up>", "<down>", "<enter>")
	if got := wished[desk.Choose](s); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	s.press("<enter>")
	if got := wished[desk.Choose](s); len(got) != 1 || got[0].Value != "allow_all" || got[0].What != desk.Policy {
		t.Fatalf("%+v", got)
	}
	s = sceneOf(t, "policy")
	s.press("<end>", "<enter>")
	if got := wished[desk.Choose](s); len(got) != 1 || got[0].Value != "deny_all" {
		t.Fatalf("%+v", got)
	}
}

// A picture is written or shown, and the note says where it is.
func TestPictureIsWritten(t *testing.T) {
	s := sceneOf(t, "pictures")
	s.press("<enter>", "o")
	got := wished[desk.SavePicture](s)
	if len(got) != 2 || got[0].Show || !got[1].Show || got[0].Digest != digest(27) || got[0].Media != "image/jpeg" {
		t.Fatalf("%+v", got)
	}
	s.news(desk.Done{Wish: got[0], How: "/src/ringmaster-1b1b.jpg"})
	s.sees("It is in /src/ringmaster-1b1b.jpg")
	if got := wished[desk.Weigh](s); len(got) != 1 || len(got[0].Digests) != 3 {
		t.Errorf("the sizes are asked for %d times: %+v", len(got), got)
	}
}

// A page hides what is asked: its keys answer nothing, and leads back to where it was.
//
// Proves: I14.3/blind
func TestPageAnswersNothing(t *testing.T) {
	for _, page := range []string{"w", "M", "O", "P", "i"} {
		for _, key := range []string{"y", "n", "A", "N", "m", "1"} {
			s := sceneOf(t, "peek at a request")
			s.press(page, key, key)
			if got := wished[desk.Answer](s); len(got) != 0 {
				t.Errorf("%s, %s answered %+v", page, key, got)
			}
			s.press("<esc>")
			s.sees("y allow once")
		}
	}
	s := sceneOf(t, "peek at a request")
	s.press("w")
	s.ask()
	s.press("<esc>")
	s.misses("allow once")
	if s.board.at != inRoster {
		t.Error("it leads back to a request that is over")
	}
}

// Pictures go with a prompt: a path that is typed, or a file that is dropped on the terminal. They are kept with the draft, and when it was not sent.
func TestPicturesGoWithAPrompt(t *testing.T) {
	s := sceneOf(t, "session")
	s.press("p", "<ctrl+o>", "a", ".", "p", "n", "g", "<enter>", "h", "i")
	s.board.Key(keys.Key{Name: keys.Paste, Text: "'/tmp/a shot.png'"}, s.now)
	s.board.Key(keys.Key{Name: keys.Paste, Text: "see /tmp/a.png"}, s.now)
	s.sees("2 pictures", "hisee /tmp/a.png")
	s.press("<esc>", "q")
	s.sees("not sent")
	s.press("p", "<enter>")
	sent := wished[desk.Prompt](s)
	if len(sent) != 1 || strings.Join(sent[0].Pictures, "|") != "a.png|/tmp/a shot.png" {
		t.Fatalf("%+v", sent)
	}
	s.news(desk.Done{Wish: sent[0], Err: "a.png: no such file"})
	s.sees("Not sent, and kept: a.png")
	s.press("p", "<ctrl+o>", "<enter>")
	s.sees("No more with it: /tmp/a shot.png", "1 picture ·")
	s.press("<ctrl+u>", "<enter>") // no text
	if sent = wished[desk.Prompt](s); len(sent) != 1 || len(sent[0].Pictures) != 1 || sent[0].Text != "" {
		t.Fatalf("%+v", sent)
	}
	s.press("p")
	for range 9 {
		s.board.Key(keys.Key{Name: keys.Paste, Text: "/tmp/a.png"}, s.now)
	}
	s.sees("no more than 8", "8 pictures")
}

// A search goes from the newest place to older ones and around; it is found while it is written, letter case aside, and Esc ends it before it leads back.
func TestSearch(t *testing.T) {
	s := sceneOf(t, "session")
	s.press("/")
	for _, r := range "STEP 3" {
		s.press(string(r))
	}
	s.sees("search: STEP 3  1 of 2", "▸ Step 30:")
	s.press("<enter>")
	s.sees("“STEP 3” 1 of 2", "▸ Step 30:")
	s.press("n")
	s.sees("2 of 2", "▸ Step 3:")
	s.press("n")
	s.sees("1 of 2", "▸ Step 30:")
	s.press("N", "N")
	s.sees("1 of 2")
	before := s.screen()
	s.news(desk.Lines{Session: id(5), Events: dayLog(5).Events}) // it stays where it is
	if after := s.screen(); after != before {
		t.Errorf("it was moved:\n%s\n%s", before, after)
	}
	s.press("<esc>")
	s.misses("▸", "STEP 3")
	if s.board.at != inSession {
		t.Error("Esc led out of the session")
	}
	s.press("/", "n", "o", "w", "h", "e", "r", "e", "<enter>")
	s.sees("“nowhere” nowhere")
	s.press("/", "<esc>", "n")
	s.misses("nowhere")
	s = sceneOf(t, "session, a request")
	s.press("/")
	s.sees("Esc leaves the request first")
	s.press("n")
	if got := wished[desk.Answer](s); len(got) != 1 { // n is an answer there
		t.Errorf("%+v", got)
	}
}

// A search ends where a request takes the keys: the foot names the keys of answers, and Esc leads out of the request alone.
func TestSearchEndsAtARequest(t *testing.T) {
	s := newStage(t, 80, 24, Options{Session: id(7)})
	s.ten()
	s.press("/", "x", "<enter>")
	s.sees("“x” nowhere", "n above")
	s.press("a")
	s.sees("y allow once", "n deny", "Esc leaves it unanswered")
	s.misses("n above")
	s.press("<esc>")
	s.misses("n above", "n deny")
	s.press("N", "n")
	if got := wished[desk.Answer](s); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// What is read stays where it is when the log has become so long that its beginning is left out.
func TestReadingStaysWhereLinesGo(t *testing.T) {
	s := newStage(t, 80, 12, Options{Session: id(7)})
	s.ten()
	line := func(n int) *protocol.Event {
		return &protocol.Event{Seq: uint64(n), Time: 1, Payload: &protocol.EntryEnd{
			EntryID: "e", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Text: strings.Repeat("x\n", 4000) + "needle " + itoa(n)},
		}}
	}
	for n := range 12 {
		s.news(desk.Lines{Session: id(7), Events: []*protocol.Event{line(n)}})
	}
	s.press("/", "n", "e", "e", "d", "l", "e", "<enter>", "n")
	s.sees("▸ needle 10")
	before := s.screen()
	s.news(desk.Lines{Session: id(7), Events: []*protocol.Event{line(12)}})
	if after := s.screen(); after != before {
		t.Errorf("it was moved:\n%s\n%s", before, after)
	}
}
