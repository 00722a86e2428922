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

// opened is a conversation in the session that is idle.
func opened(t *testing.T) *talk {
	k := begin(t)
	k.types("2", "idle one")
	return k
}

// The queue is told by numbers, and a number and a word move a prompt or take it out, the latter twice.
func TestQueue(t *testing.T) {
	k := opened(t)
	k.types("w", "Prompts that wait:", "reading which prompts wait")
	if got := last[desk.ListQueue](k); got.Session != "1" {
		t.Fatalf("%+v", got)
	}
	list := []resource.WaitingPrompt{{PromptID: "p1", Text: "one"}, {PromptID: "p2", Text: "two\nlines"}, {PromptID: "p3", Text: "three", Sent: true}}
	k.news(desk.Queue{Session: "1", Prompts: list})
	k.heard("1. one", "2. two", "3. three, with the agent", "2 up")
	k.types("2", "Type a number and up, down or out")
	k.types("2 up", "Moving")
	moved := last[desk.MovePrompt](k)
	if moved.Prompt != "p2" || moved.Before != "p1" {
		t.Fatalf("%+v", moved)
	}
	k.news(desk.Done{Wish: moved})
	k.heard("Moved.")
	k.news(desk.Queue{Session: "1", Prompts: []resource.WaitingPrompt{list[1], list[0], list[2]}})
	k.heard("1. two", "2. one")
	k.types("3 out", "The agent has it already")
	k.types("1 out", "Type it again")
	k.types("2 out", "Type it again") // another one
	before := len(k.wishes)
	k.types("1 out", "Type it again")
	if len(k.wishes) != before {
		t.Fatal("it was taken out without being asked twice")
	}
	k.types("1 out", "Taking it out")
	if got := last[desk.CancelPrompt](k); got.Prompt != "p2" {
		t.Fatalf("%+v", got)
	}
	k.types("b", "Back in the session")
	k.news(desk.Queue{Session: "1"})
	if k.said != "" {
		t.Errorf("told although nobody looks: %s", k.said)
	}
}

// Models, modes and the policy are chosen by numbers; the policy that allows everything, by typing it twice.
func TestChoices(t *testing.T) {
	k := opened(t)
	k.types("model", "reading what there is")
	k.news(desk.Choices{Session: "1", What: desk.Model, Current: "a", List: []resource.OfferedChoice{{ID: "a"}, {ID: "b", Label: "Bee"}}, Others: true})
	k.heard("The model:", "1. a, in force", "2. Bee (b)", "ringmaster model")
	k.types("2", "Choosing")
	w := last[desk.Choose](k)
	if w.Value != "b" || w.What != desk.Model {
		t.Fatalf("%+v", w)
	}
	k.news(desk.Done{Wish: w, How: "now"})
	k.heard("The model is b: now.")
	k.types("b")
	k.types("policy", "1. ask: asks about everything, in force", "3. allow_all: allows everything")
	before := len(k.wishes)
	k.types("3", "Type it again")
	if len(k.wishes) != before {
		t.Fatal("everything is allowed by one line")
	}
	k.types("3", "Choosing")
	if w := last[desk.Choose](k); w.Value != "allow_all" || w.What != desk.Policy {
		t.Fatalf("%+v", w)
	}
}

// Pictures are told with their sizes, written by a number, and go with a prompt by their path.
func TestPictures(t *testing.T) {
	k := opened(t)
	digest := strings.Repeat("0a", 32)
	k.news(desk.Lines{Session: "1", Caught: true, Events: []*protocol.Event{
		{Seq: 1, Payload: &protocol.TurnStart{TurnID: "t", Prompt: &protocol.Prompt{Text: "why?", Images: []string{"sha256:" + digest + ";image/png"}}}},
	}})
	k.types("i", "1. PNG 0a0a0a0a prompt: why?")
	k.news(desk.Weighed{Session: "1", Sizes: map[string]int64{digest: 2048}})
	k.heard("2.0 KiB")
	k.types("1")
	if w := last[desk.SavePicture](k); w.Digest != digest || w.Show {
		t.Fatalf("%+v", w)
	}
	k.types("1 show")
	w := last[desk.SavePicture](k)
	if !w.Show {
		t.Fatalf("%+v", w)
	}
	k.news(desk.Done{Wish: w, Err: "there is no desktop here; it is written to /tmp/x.png"})
	k.heard("Not there: there is no desktop")
	k.types("b")
	k.types("+ /tmp/a b.png", "It goes with the next prompt: /tmp/a b.png")
	k.types("p")
	sent := last[desk.Prompt](k)
	if len(sent.Pictures) != 1 || sent.Pictures[0] != "/tmp/a b.png" || sent.Text != "" {
		t.Fatalf("%+v", sent)
	}
	k.news(desk.Done{Wish: sent, Err: "no such file"})
	k.types("+", "No picture goes")
	k.types("p hello")
	if sent := last[desk.Prompt](k); len(sent.Pictures) != 0 || sent.Text != "hello" {
		t.Fatalf("%+v", sent)
	}
}

// A search tells the lines that have a text, and a filter the sessions that have words.
func TestSearchAndFilter(t *testing.T) {
	k := begin(t)
	k.types("/ parser", "Of these 1 have: parser", "1. needs you: mend the parser")
	k.types("/", "2. idle: idle one")
	k.types("2")
	var list []*protocol.Event
	for n := range uint64(50) {
		list = append(list, &protocol.Event{Seq: n + 1, Payload: &protocol.EntryEnd{EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Text: fmt.Sprint("Line ", n)}}})
	}
	k.news(desk.Lines{Session: "1", Caught: true, Events: list})
	k.types("/ LINE 4", "11 lines have it", "Line 4\n", "Line 49")
	if strings.Contains(k.said, "Line 5") {
		t.Errorf("too much:\n%s", k.said)
	}
	k.types("/ needle", "needle is nowhere")
}

// What sessions have spent today is told with the list, where they tell it.
func TestSpentToday(t *testing.T) {
	k := begin(t)
	if strings.Contains(k.said, "today") {
		t.Errorf("nobody has told: %s", k.said)
	}
	k.news(desk.Listed{Sessions: []resource.SessionSummary{{ID: "1", Title: "one", CreatedAt: k.now, UpdatedAt: k.now, Spent: protocol.Spent{CostMicros: 1_500_000, TotalTokens: 1}}}})
	k.types("l", "$ 1.50 today.")
}

// Of a session from before today a daemon is asked while there is one, and the one that comes back is asked anew.
func TestSpentBeforeTodayIsAskedOfADaemonThatIsThere(t *testing.T) {
	k := begin(t)
	old := resource.SessionSummary{ID: "1", Title: "one", CreatedAt: k.now.Add(-48 * time.Hour), UpdatedAt: k.now, Cursor: "5", Spent: protocol.Spent{CostMicros: 5_000_000, TotalTokens: 1}}
	list := desk.Listed{Sessions: []resource.SessionSummary{old}}
	asks := func(want int) (w desk.ReadSpent) {
		t.Helper()
		n := 0
		for _, one := range k.wishes {
			if r, is := one.(desk.ReadSpent); is {
				w, n = r, n+1
			}
		}
		if n != want {
			t.Fatalf("asked %d times, want %d", n, want)
		}
		k.wishes = nil
		return w
	}
	k.news(list)
	w := asks(1)
	k.news(desk.SpentBefore{Session: w.Session, Since: w.Since, Err: "gone", Away: true})
	asks(0)
	k.news(desk.Connection{Why: "no daemon answers"})
	k.news(list)
	asks(0)
	for range 3 {
		k.news(desk.Connection{Up: true})
		for range 2 {
			w = asks(1)
			k.news(desk.SpentBefore{Session: w.Session, Since: w.Since, Err: "no"})
		}
		asks(0)
	}
	k.news(desk.Connection{Up: true})
	w = asks(1)
	k.news(desk.SpentBefore{Session: w.Session, Since: w.Since, Before: protocol.Spent{CostMicros: 4_000_000}})
	k.types("l", "$ 1.00 today.")
}

// Nothing of what a daemon or an agent says steers the terminal; take looks at every line.
func TestHostileAsides(t *testing.T) {
	for _, text := range []string{"\x1b[2J", "a\x1b]0;t\ab", "safe\u202egnp.exe", "a\nb\r\n", "\u009b31m", strings.Repeat("\u0301", 5000), ""} {
		k := opened(t)
		k.news(desk.Lines{Session: "1", Caught: true, Events: []*protocol.Event{{Seq: 1, Payload: &protocol.PromptQueued{Text: text, Images: []string{text, "sha256:" + strings.Repeat("0a", 32) + ";" + text}}}}})
		k.types("w")
		k.news(desk.Queue{Session: "1", Err: text})
		k.news(desk.Queue{Session: "1", Prompts: []resource.WaitingPrompt{{PromptID: text, Text: text}}})
		k.types("1 out")
		k.types("b")
		for _, what := range []desk.Setting{desk.Model, desk.Mode} {
			k.types(string(what))
			k.news(desk.Choices{Session: "1", What: what, List: []resource.OfferedChoice{{ID: text, Label: text}}, Current: text + "!", Err: text})
			k.types("1")
			k.news(desk.Done{Wish: desk.Choose{Session: "1", What: what, Value: text}, How: text})
			k.types("b")
		}
		k.types("i")
		k.news(desk.Weighed{Session: "1", Errs: map[string]string{strings.Repeat("0a", 32): text}})
		k.types("1")
		k.types("b")
		k.types("/ " + text)
		k.types("+ " + text)
	}
}
