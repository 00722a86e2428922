package board

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/tty/ttytest"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// stage is a board whose daemon is the test.
type stage struct {
	t      *testing.T
	board  *State
	now    time.Time
	w, h   int
	wishes []desk.Wish
	inbox  []resource.InboxRequest
	keys   int
	slow   bool // the daemon does not give calls
}

func newStage(t *testing.T, w, h int, opt Options) *stage {
	t.Helper()
	s := &stage{t: t, now: time.UnixMilli(1_700_000_000_000).UTC(), w: w, h: h}
	opt.Key = func() string { s.keys++; return fmt.Sprintf("key%d", s.keys) }
	s.board, s.wishes = New(opt, w, h, s.now)
	return s
}

func id(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }

func (s *stage) session(n int, title string, state protocol.State) resource.SessionSummary {
	return resource.SessionSummary{
		ID: id(n), Agent: "codex", Cwd: "/src", Title: title, Status: protocol.Status{State: state}, UpdatedAt: s.now.Add(-time.Duration(n) * time.Minute),
		Cursor: "1.10", Seq: 10, Epoch: 1,
	}
}

func approval(n int, request string) resource.InboxRequest {
	return resource.InboxRequest{
		SessionID: id(n), Agent: "codex", OpenedAt: time.UnixMilli(1_699_999_990_000 + int64(n)*1000), Cursor: "1.9",
		Request: protocol.RequestOpened{
			RequestID: request, Kind: protocol.RequestApproval, EntryID: "e1", ToolName: "edit", ToolKind: protocol.ToolEdit, Subject: "parser.go", Title: "Allow edit?",
			Text:    "--- a/parser.go\n+++ b/parser.go\n@@ -1 +1 @@\n-return nil\n+return []Item{}\n",
			Options: []protocol.Option{{ID: protocol.AllowOnce}, {ID: protocol.AllowAlways}, {ID: protocol.DenyContinue}, {ID: protocol.DenyStop}},
		},
	}
}

func (s *stage) news(list ...desk.News) {
	for _, n := range list {
		s.wishes = append(s.wishes, s.board.News(n, s.now)...)
	}
}

// ask has the daemon list these requests.
func (s *stage) ask(list ...resource.InboxRequest) {
	s.inbox = list
	s.news(desk.Inbox{Requests: list, Total: len(list)})
}

// ten has ten sessions, of which the seventh asks.
func (s *stage) ten() {
	var list []resource.SessionSummary
	for n := 1; n <= 10; n++ {
		state := []protocol.State{protocol.StateIdle, protocol.StateResponding, protocol.StateCompleted}[n%3]
		if n == 7 {
			state = protocol.StateAwaitingApproval
		}
		list = append(list, s.session(n, fmt.Sprint("session ", n, map[int]string{10: " tenth"}[n]), state))
	}
	s.news(desk.Listed{Sessions: list}, desk.Connection{Up: true})
	s.ask(approval(7, "r1"))
}

// press types, and looks at the screen before each key; what is longer than a character in angle brackets is a key by its name.
func (s *stage) press(list ...string) {
	for _, k := range list {
		s.board.Tick(s.now)
		s.burst(k)
	}
}

// burst types without looking.
func (s *stage) burst(list ...string) {
	for _, k := range list {
		key := keys.Key{Text: k}
		if name, is := strings.CutPrefix(k, "<"); is && len(k) > 1 {
			key = keys.Key{Name: strings.TrimSuffix(name, ">")}
		}
		wishes := s.board.Key(key, s.now)
		s.wishes = append(s.wishes, wishes...)
		for _, w := range wishes {
			if call, is := w.(desk.ReadCall); is && !s.slow {
				s.news(desk.Called{Session: call.Session, Request: call.Request})
			}
		}
	}
}

// screen is what a person sees, on a terminal that wraps what is too long.
func (s *stage) screen() string {
	s.t.Helper()
	glass := ttytest.NewScreen(s.w, s.h)
	f := s.board.View()
	if len(f.Lines) > s.h {
		s.t.Fatalf("%d lines on %d rows", len(f.Lines), s.h)
	}
	for y, l := range f.Lines {
		fmt.Fprintf(glass, "\x1b[%d;1H%s", y+1, l)
		if _, at := glass.Cursor(); at != y {
			s.t.Fatalf("%d columns: row %d goes on in row %d: %q", s.w, y, at, l)
		}
	}
	if len(glass.Problems) > 0 || glass.Bells > 0 || glass.Title != "" || len(glass.Notices) > 0 || glass.Scrolled() > 0 {
		s.t.Fatalf("the terminal is steered: %q", glass.Problems)
	}
	if f.Y >= s.h || f.X >= s.w || f.X < 0 {
		s.t.Fatalf("the cursor is at %d, %d of %d, %d", f.X, f.Y, s.w, s.h)
	}
	return glass.Text()
}

func (s *stage) sees(texts ...string) {
	s.t.Helper()
	all := s.screen()
	for _, text := range texts {
		if !strings.Contains(all, text) {
			s.t.Fatalf("no %q on the screen:\n%s", text, all)
		}
	}
}

func (s *stage) misses(texts ...string) {
	s.t.Helper()
	all := s.screen()
	for _, text := range texts {
		if strings.Contains(all, text) {
			s.t.Fatalf("%q is on the screen:\n%s", text, all)
		}
	}
}

// wished takes the wishes of a kind since the last call.
func wished[W desk.Wish](s *stage) []W {
	var out []W
	s.wishes = slices.DeleteFunc(s.wishes, func(w desk.Wish) bool {
		one, is := w.(W)
		if is {
			out = append(out, one)
		}
		return is
	})
	return out
}
