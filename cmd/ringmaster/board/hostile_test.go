package board

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// hostile are texts that would steer a terminal, deceive its reader or break its lines.
func hostile() []string {
	list := []string{
		"\x1b[2J\x1b[H", "\x1b]0;title\a", "\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\", "\x1b]52;c;cm0gLXJm\a", "\x1bP$qm\x1b\\", "\x1b[?1049l", "\x1b[6n", "\x1bc",
		"\u009b31m", "\u009d0;x\u009c", "\u0085", "\a\b\v\f\x00\x7f", "a\rb", "a\nb\nc", "a\tb\tc", "safe\u202egnp.exe\u202c", "\u2066x\u2069\u200f\u061c", "\u2028\u2029",
		"\U000e0041\U000e007f", "\ufff9a\ufffab\ufffb", strings.Repeat("中文", 300), strings.Repeat("e\u0301", 500), "a" + strings.Repeat("\u0301", 20_000), "👩‍👩‍👧‍👦🇩🇪☂️",
		strings.Repeat("\u200b", 5000), "\xff\xfe\x80", strings.Repeat("x", 20_000), "--- a\n+++ b\n@@ -1 +1 @@\n-\x1b[31mred\n+\u202eblue\n", "\x1b[" + strings.Repeat("1;", 5000), "",
		`{"path":"\u001b[2J","edits":[{"oldText":"\u001b[2J","newText":"\u202e\t中"}]}`, "$(rm -rf ~)", "｡ﾟ全角",
	}
	return append(list, strings.Join(list[:len(list)-3], "|"))
}

// everywhere puts a text wherever an agent's or a user's text may be.
func everywhere(s *stage, text string) {
	sum := s.session(1, text, protocol.StateAwaitingApproval)
	sum.Agent, sum.Cwd, sum.FirstPrompt, sum.EndError, sum.Model, sum.Status.ToolName, sum.Labels = text, text, text, text, text, text, map[string]string{text: text}
	sum.Mode, sum.PendingModel = text, text
	sum.Policy = &protocol.Policy{Mode: protocol.PolicyMode(text), Rules: []protocol.PolicyRule{{Tool: text, Pattern: text, Action: protocol.PolicyAction(text)}}, Deadline: 1000, Default: protocol.PolicyAction(text)}
	failed := sum
	failed.ID, failed.Status = id(2), protocol.Status{State: protocol.StateFailed}
	running := sum
	running.ID, running.Status = id(3), protocol.Status{State: protocol.StateRunningTool, ToolName: text}
	s.news(desk.Listed{Sessions: []resource.SessionSummary{sum, failed, running}}, desk.Connection{Up: true})
	q := approval(1, "r1")
	q.Agent = text
	q.Request.ToolName, q.Request.Subject, q.Request.Title, q.Request.Text, q.Request.Cwd = text, text, text, text, text
	q.Request.Diff, q.Request.DiffTruncated = text, true
	q.Request.Options = append(q.Request.Options, protocol.Option{ID: text, Label: text, Description: text})
	ask := approval(3, "r2")
	ask.Request = protocol.RequestOpened{RequestID: "r2", Kind: protocol.RequestQuestion, Title: text, Questions: []protocol.Question{
		{Text: text, Header: text, FreeText: true, Prefill: text, Options: []protocol.Option{{ID: text, Label: text, Description: text}}},
	}}
	s.ask(q, ask)
}

// everyPage has the daemon tell of a session's queue, models, modes and pictures, all with a text.
func everyPage(s *stage, text string) {
	session := s.board.page
	if session == nil {
		return
	}
	offered := []resource.OfferedChoice{{ID: text, Label: text}, {ID: "x", Label: text}}
	s.news(
		desk.Queue{Session: session.session, Err: text},
		desk.Queue{Session: session.session, Prompts: []resource.WaitingPrompt{{PromptID: text, Text: text, Images: []string{text}}, {PromptID: "p", Text: text, Origin: text}}},
		desk.Choices{Session: session.session, What: desk.Model, List: offered, Current: text + "!", Pending: text, Others: true},
		desk.Choices{Session: session.session, What: desk.Mode, List: offered, Err: text},
		lines(session.session, text),
		desk.Weighed{Session: session.session, Sizes: map[string]int64{digest(1): 5}, Errs: map[string]string{digest(1): text}},
		desk.Done{Wish: desk.Choose{Session: session.session, What: desk.Mode, Value: text}, How: text},
		desk.Done{Wish: desk.SavePicture{Session: session.session}, Err: text},
	)
}

func lines(session, text string) desk.Lines {
	call := protocol.ToolCallData{CallID: "c", ToolName: text, Arguments: text, Command: text, Output: text, Diff: text}
	var list []*protocol.Event
	for i, p := range []protocol.Payload{
		&protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{Text: text}},
		&protocol.EntryEnd{EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Text: text, Images: []string{"sha256:" + digest(1) + ";" + text, text}}},
		&protocol.EntryEnd{EntryID: "e2", EntryType: protocol.EntryThinking, Data: &protocol.ThinkingData{Text: text}},
		&protocol.EntryEnd{EntryID: "e3", EntryType: protocol.EntryToolCall, Data: &call},
		&protocol.EntryStart{EntryID: "e4", EntryType: protocol.EntryToolCall, Data: &call},
		&protocol.EntryStart{EntryID: "e5", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Text: text}},
	} {
		list = append(list, &protocol.Event{Seq: uint64(i) + 1, Time: 1, Payload: p})
	}
	return desk.Lines{Session: session, Events: list}
}

// Whatever agents and users write, and however large the terminal is: no text steers it, none changes its direction, and no line goes on in the next row.
// The screen of this test wraps lines and refuses every sequence but colours.
//
// Proves: I14.3/hostile
func TestHostileTexts(t *testing.T) {
	sizes := [][2]int{{80, 24}, {140, 40}, {40, 10}, {20, 5}, {9, 3}, {1, 1}, {300, 2}}
	for i, text := range hostile() {
		for j, size := range sizes {
			s := newStage(t, size[0], size[1], Options{Colour: (i+j)%2 == 0, Cwd: text})
			everywhere(s, text)
			s.screen()
			s.press(" ")
			s.news(desk.Called{Session: id(1), Request: "r1", Call: &protocol.ToolCallData{Arguments: text, Diff: text}})
			s.screen()
			s.press("<pgdown>", "1", "m")
			s.board.Key(keys.Key{Name: keys.Paste, Text: text}, s.now)
			s.screen()
			s.press("<enter>", "<esc>", "<enter>")
			s.news(lines(id(1), text))
			s.screen()
			s.press("<pgup>", "a", "p")
			s.board.Key(keys.Key{Name: keys.Paste, Text: text}, s.now)
			s.screen()
			s.press("<esc>", "<esc>", "<esc>", "c")
			s.news(desk.Agents{Names: []string{text}})
			s.screen()
			s.press("<esc>", "<end>", " ")
			s.screen()
			s.press("/")
			s.board.Key(keys.Key{Name: keys.Paste, Text: text}, s.now)
			s.screen()
			s.news(desk.Connection{Why: text}, desk.Done{Wish: desk.Interrupt{}, Err: text})
			s.screen()
			s.press("<esc>", "<esc>", "<esc>", []string{"w", "M", "O", "P", "i"}[(i+j)%5])
			everyPage(s, text)
			s.screen()
			s.press("<down>", "/")
			s.board.Key(keys.Key{Name: keys.Paste, Text: text}, s.now)
			s.screen()
			s.press("<enter>", "<enter>", "<enter>", "o", "x", "x", "J", "K")
			s.screen()
			s.press("<esc>", "<esc>", "<home>", "<enter>")
			s.news(lines(s.board.open.session, text))
			s.press("/")
			s.board.Key(keys.Key{Name: keys.Paste, Text: text}, s.now)
			s.screen()
			s.press("<enter>", "n", "N")
			s.screen()
			s.press("<esc>", "p", "<ctrl+o>")
			s.board.Key(keys.Key{Name: keys.Paste, Text: text}, s.now)
			s.screen()
			s.press("<enter>")
			s.screen()
			if f := s.board.View(); strings.ContainsAny(f.Title, "\x1b\a\n|") || !strings.HasPrefix(f.Title, "ringmaster") {
				t.Fatalf("title %q", f.Title)
			}
		}
	}
}

// Whatever is pressed in whatever place, the screen holds, and nothing but a key of an answer answers.
func TestAnyKeys(t *testing.T) {
	names := []string{
		" ", "y", "n", "A", "N", "m", "a", "p", "s", "x", "c", "/", "?", "j", "k", "1", "2", "t", "w", "i", "o", "M", "O", "P", "J", "K", "N", "<ctrl+o>", "<enter>", "<esc>", "<tab>", "<up>", "<down>", "<pgup>", "<pgdown>", "<home>",
		"<end>", "<left>", "<right>", "<backspace>", "<ctrl+w>", "<ctrl+j>", "<ctrl+x>", "中", "<f1>",
	}
	texts := hostile()
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := newStage(t, 1+r.IntN(120), 1+r.IntN(40), Options{Colour: seed%2 == 0})
		everywhere(s, texts[r.IntN(len(texts))])
		for range 100 {
			switch r.IntN(12) {
			case 0:
				s.news(lines(id(1+r.IntN(3)), texts[r.IntN(len(texts))]))
			case 1:
				s.ask(s.inbox[:r.IntN(len(s.inbox)+1)]...)
			case 2:
				everywhere(s, texts[r.IntN(len(texts))])
			case 3:
				s.w, s.h = 1+r.IntN(120), 1+r.IntN(40)
				s.board.Resize(s.w, s.h)
			case 4:
				for _, w := range s.wishes {
					s.news(desk.Done{Wish: w, ID: id(2), Err: []string{"", "no"}[r.IntN(2)]})
				}
				s.wishes = nil
			case 5:
				everyPage(s, texts[r.IntN(len(texts))])
				s.news(desk.Gone{Session: id(1 + r.IntN(3))})
			case 6:
				s.now = s.now.Add(time.Second)
				s.board.Tick(s.now)
			default:
				s.press(names[r.IntN(len(names))])
			}
			s.screen()
		}
	}
}
