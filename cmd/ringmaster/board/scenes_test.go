package board

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// scene is a board in a place where somebody may be, on a day of work with sessions of all kinds.
type scene struct {
	name  string
	begin func(s *stage)
}

// newScene has the sessions of that day.
func newScene(t *testing.T, c scene, w, h int, opt Options) *stage {
	t.Helper()
	s := newStage(t, w, h, opt)
	s.day()
	c.begin(s)
	s.board.Tick(s.now)
	return s
}

// day has a day of work.
func (s *stage) day() {
	policy := &protocol.Policy{
		Mode: protocol.PolicyAllowReads, Rules: []protocol.PolicyRule{{Tool: "execute", Pattern: "go test *", Action: protocol.PolicyAllow}, {Tool: "edit", Pattern: ".git/**", Action: protocol.PolicyDenyStop}},
		Deadline: 600_000, Default: protocol.PolicyDeny,
	}
	var list []resource.SessionSummary
	for i, c := range []struct {
		agent, title string
		status       protocol.Status
		ago          time.Duration
		micros       int64
	}{
		{"codex", "mend the parser", protocol.Status{State: protocol.StateAwaitingApproval}, time.Minute, 1_240_000},
		{"claude", "tidy the docs", protocol.Status{State: protocol.StateAwaitingApproval}, 4 * time.Minute, 880_000},
		{"pi", "bump the dependencies", protocol.Status{State: protocol.StateFailed}, 12 * time.Minute, 210_000},
		{"droid", "research the cache", protocol.Status{State: protocol.StateRunningTool, ToolName: "web_search"}, 8 * time.Second, 1_020_000},
		{"opencode", "write the release notes", protocol.Status{State: protocol.StateResponding, QueuedPrompts: 3}, 2 * time.Second, 460_000},
		{"claude", "answer the review", protocol.Status{State: protocol.StateIdle}, 31 * time.Minute, 310_000},
	} {
		sum := s.session(i+1, c.title, c.status.State)
		sum.Agent, sum.Status, sum.CreatedAt, sum.UpdatedAt, sum.Policy = c.agent, c.status, s.now.Add(-2*time.Hour), s.now.Add(-c.ago), policy
		sum.Spent = protocol.Spent{CostMicros: c.micros, TotalTokens: 1000}
		if i == 2 {
			sum.EndError = "exit by signal 9"
		}
		list = append(list, sum)
	}
	s.news(desk.Listed{Sessions: list}, desk.Connection{Up: true})
	edit := approval(1, "r1")
	edit.OpenedAt = s.now.Add(-79 * time.Second)
	edit.Request.Subject, edit.Request.Title = "parser/parser.go", "Edit parser/parser.go?"
	edit.Request.Text = "--- a/parser/parser.go\n+++ b/parser/parser.go\n@@ -41,3 +41,3 @@ func (p *Parser) Items() []Item {\n \tif p.empty() {\n-\t\treturn nil\n+\t\treturn []Item{}\n \t}\n"
	edit.Request.Deadline, edit.Request.Default = s.now.Add(521*time.Second).UnixMilli(), protocol.PolicyDeny
	push := approval(2, "r1")
	push.OpenedAt, push.Agent = s.now.Add(-4*time.Minute), "claude"
	push.Request.ToolName, push.Request.ToolKind, push.Request.Subject, push.Request.Title, push.Request.Text = "Bash", protocol.ToolExecute, "git push", "git push", ""
	s.ask(push, edit)
}

// digest is one of a picture.
func digest(n int) string { return strings.Repeat(fmt.Sprintf("%02x", n), 32) }

// log is the log of a session of that day.
func dayLog(session int) desk.Lines {
	var list []*protocol.Event
	add := func(p protocol.Payload) {
		list = append(list, &protocol.Event{Seq: uint64(len(list) + 1), Time: 1_699_999_000_000 + int64(len(list))*1000, Payload: p})
	}
	say := func(kind protocol.EntryType, text string, images ...string) {
		id := fmt.Sprint("e", len(list))
		add(&protocol.EntryStart{EntryID: id, EntryType: kind, Data: &protocol.MessageData{}})
		add(&protocol.EntryEnd{EntryID: id, EntryType: kind, Data: &protocol.MessageData{Text: text, Images: images}})
	}
	add(&protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{
		Text: "Why is the table so wide?", Images: []string{"sha256:" + digest(10) + ";image/png", "sha256:" + digest(27) + ";image/jpeg"},
	}})
	for n := range 30 {
		say(protocol.EntryAssistantMessage, fmt.Sprintf("Step %d: the parser reads the next row of the table.", n+1))
	}
	say(protocol.EntryAssistantMessage, "The widest cell decides.", "sha256:"+digest(44)+";image/webp")
	add(&protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnCompleted})
	return desk.Lines{Session: id(session), Events: list, Caught: true}
}

// opened goes into the session whose row has these words.
func (s *stage) opened(words string, n int) {
	s.press("/")
	for _, r := range words {
		s.press(string(r))
	}
	s.press("<enter>", "<enter>")
	s.news(dayLog(n))
}

// page opens a page of the session that writes the release notes, from its log.
func (s *stage) page(key string, n ...desk.News) {
	s.opened("release", 5)
	s.press(key)
	s.news(n...)
}

var waitingPrompts = desk.Queue{Session: id(5), Prompts: []resource.WaitingPrompt{
	{PromptID: "p4", Text: "And the changes of the week before.", Sent: true, StreamingBehavior: protocol.Steer},
	{PromptID: "p5", Text: "Then translate them.", Images: []string{"sha256:" + digest(10) + ";image/png"}},
	{PromptID: "p6", Text: "Then send them to the list."},
	{PromptID: "p7", Text: "Then rest."},
}}

var offeredModels = desk.Choices{
	Session: id(5), What: desk.Model, Current: "opus-5", Pending: "sonnet-5", Others: true,
	List: []resource.OfferedChoice{{ID: "haiku-5", Label: "Haiku 5"}, {ID: "opus-5", Label: "Opus 5"}, {ID: "sonnet-5"}},
}

var offeredModes = desk.Choices{
	Session: id(5), What: desk.Mode, Current: "build", List: []resource.OfferedChoice{{ID: "build"}, {ID: "plan", Label: "Plan first"}},
}

// scenes are the places where somebody may be, but for those that write.
var scenes = []scene{
	{"list", func(s *stage) { s.press("<down>") }},
	{"list, filtered", func(s *stage) { s.press("/", "c", "l", "a", "u", "d", "e", "<enter>") }},
	{"peek at a request", func(s *stage) { s.press("<down>", " ") }},
	{"peek at a log", func(s *stage) { s.press("<end>", "<up>", "<up>", " "); s.news(dayLog(5)) }},
	{"session", func(s *stage) { s.opened("release", 5) }},
	{"session, read back", func(s *stage) { s.opened("release", 5); s.press("<pgup>") }},
	{"session, a request", func(s *stage) { s.opened("parser", 1); s.press("a") }},
	{"session, a search", func(s *stage) { s.opened("release", 5); s.press("/", "s", "t", "e", "p", " ", "2", "<enter>", "n") }},
	{"a question", func(s *stage) {
		q := approval(6, "q1")
		q.Request = protocol.RequestOpened{RequestID: "q1", Kind: protocol.RequestQuestion, Title: "Which branch?", Questions: []protocol.Question{
			{Text: "Which branch?", FreeText: true, Options: []protocol.Option{{ID: "a", Label: "main"}, {ID: "b", Label: "next"}}},
		}}
		s.ask(q)
		s.press("<home>", " ")
	}},
	{"questions, many answers", func(s *stage) {
		q := approval(6, "q1")
		q.Request = protocol.RequestOpened{RequestID: "q1", Kind: protocol.RequestQuestion, Title: "Which files?", Questions: []protocol.Question{
			{Text: "Which files?", Multiple: true, Options: slicesOf(9)},
		}}
		s.ask(q)
		s.press("<home>", " ", "3")
	}},
	{"queue", func(s *stage) { s.page("w", waitingPrompts); s.press("<down>", "<down>") }},
	{"models", func(s *stage) { s.page("M", offeredModels) }},
	{"modes", func(s *stage) { s.page("O", offeredModes); s.press("<down>") }},
	{"policy", func(s *stage) { s.page("P"); s.press("<down>", "<down>") }},
	{"pictures", func(s *stage) {
		s.page("i", desk.Weighed{Session: id(5), Sizes: map[string]int64{digest(10): 12_595, digest(27): 3_300_000}, Errs: map[string]string{digest(44): "no such image"}})
		s.press("<down>")
	}},
}

// writing are the places where keys write.
var writing = []scene{
	{"a prompt with pictures", func(s *stage) {
		s.opened("release", 5)
		s.press("p", "L", "o", "o", "k", "<ctrl+o>")
		for _, r := range "shot.png" {
			s.press(string(r))
		}
		s.press("<enter>")
	}},
	{"a file of a picture", func(s *stage) { s.press("p", "<ctrl+o>", "~", "/") }},
	{"a search", func(s *stage) { s.opened("release", 5); s.press("/", "s", "t", "e", "p") }},
	{"the filter of a page", func(s *stage) { s.page("M", offeredModels); s.press("/", "o", "p") }},
	{"help", func(s *stage) { s.press("?") }},
}

func slicesOf(n int) (list []protocol.Option) {
	for i := range n {
		list = append(list, protocol.Option{ID: fmt.Sprint("o", i+1), Label: fmt.Sprint("file ", i+1)})
	}
	return list
}
