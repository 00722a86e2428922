package codex_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// attach plays a story to a session that is attached before the line at: to a thread that somebody else has at work.
func (s story) attach(t *testing.T, at int, running bool) (o outcome, said []adapters.Draft) {
	t.Helper()
	c := ready(t)
	a := c.join(adapters.Spec{Cwd: "/w", Resume: true, NativeSessionID: s.thread})
	result, behind := s.resume(t, at, running)
	c.answer("thread/resume", result)
	c.agent(behind...)
	answered := adapters.RequestKey(0)
	for _, line := range s.lines[at:] {
		for _, d := range c.lanes[a].said {
			if r, ok := d.(adapters.RequestOpened); ok && r.Key > answered {
				answered = r.Key
				c.command(a, adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce})
			}
		}
		c.agent(line)
	}
	said = c.lanes[a].said
	return read(said), said
}

// TestAttachAnywhere attaches a session at every moment of several recordings: its log has what the thread has, and what belongs to the turn
// that runs stands in that turn, the user's message first.
// Proves: I10.4/attached
func TestAttachAnywhere(t *testing.T) {
	for _, name := range []string{
		"ws", "plain", "multi-turn", "shell", "parallel", "approval-exec-accept", "approval-patch-accept", "reasoning", "phases", "patch-update-delete",
		"steer-text",
	} {
		t.Run(name, func(t *testing.T) {
			s := readStory(t, name)
			want := s.tell(t, len(s.lines), len(s.lines), false)
			slices.Sort(want.entries)
			inTurns := 0
			for at := range s.lines {
				got, said := s.attach(t, at, at%2 == 0)
				slices.Sort(got.entries)
				if !slices.Equal(got.entries, want.entries) || !slices.Equal(got.users, want.users) {
					t.Fatalf("attached before line %d:\ngot  %+v\nwant %+v", at, got, want)
				}
				runs, items := s.running(t, at)
				if runs {
					inTurns++
					s.ofTurn(t, at, said, items)
				}
			}
			if inTurns == 0 {
				t.Fatal("no turn ran at any time")
			}
		})
	}
}

// running says whether a turn runs before a line, and which items of it are over by then.
func (s story) running(t *testing.T, at int) (runs bool, over []string) {
	t.Helper()
	for _, line := range s.lines[:at] {
		var m serverLine
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		switch m.Method {
		case "turn/started":
			runs, over = true, nil
		case "turn/completed":
			runs, over = false, nil
		case "item/completed":
			over = append(over, itemID(m.Params.Item))
		}
	}
	return runs, over
}

// ofTurn looks at what was said of the turn that ran when the session was attached: what was over by then comes inside of it, and the turn
// says what began it.
func (s story) ofTurn(t *testing.T, at int, said []adapters.Draft, items []string) {
	t.Helper()
	began := slices.IndexFunc(said, func(d adapters.Draft) bool { _, ok := d.(adapters.TurnBegan); return ok })
	if began < 0 {
		t.Fatalf("attached before line %d: no turn began", at)
	}
	var inside []string
	user := ""
	for _, d := range said[began:] {
		if e, ok := d.(adapters.EntryOpened); ok {
			inside = append(inside, e.PersistentID)
			if m, ok := e.Data.(*protocol.MessageData); ok && m.Role == "user" && user == "" {
				user = m.Text
			}
		}
		if _, ended := d.(adapters.TurnEnded); ended {
			break
		}
	}
	for _, id := range items {
		if !slices.Contains(inside, id) {
			t.Fatalf("attached before line %d: item %s does not stand in the turn, which has %v", at, id, inside)
		}
	}
	prompt := said[began].(adapters.TurnBegan).Prompt
	if len(items) > 0 && (prompt == nil || prompt.Text != user) { // the first is the user's message
		t.Fatalf("attached before line %d: the turn began with %+v, the user said %q", at, prompt, user)
	}
}

// TestRecordingBeginsInTurn: of a recording that begins in the middle of a turn, the log has that turn with its user's message, and nothing of what
// was over before.
// Proves: I10.4/attached
func TestRecordingBeginsInTurn(t *testing.T) {
	raw, err := os.ReadFile("testdata/recordings/ws.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var late []byte // without the connection that began the turn
	for line := range bytes.Lines(raw) {
		if !bytes.Contains(line, []byte(`"conn":"a"`)) && !bytes.Contains(line, []byte(`"connection":"a"`)) {
			late = append(late, line...)
		}
	}
	player := replay.New(codex.Agent{}, func(*replay.Session) string { return "11111111-1111-4111-8111-000000000001" })
	var said []string
	for r, err := range recording.Read(bytes.NewReader(late)) {
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range player.Play(r) {
			for _, d := range x.Drafts {
				if text := conformance.Describe(d); !strings.Contains(text, "changed") {
					said = append(said, text)
				}
			}
		}
	}
	for _, want := range []string{
		`turn began: "Write about rivers."`,
		`{"role":"user","text":"Write about rivers.","recovered":true}`,
		`Over a websocket. The river bends`,
		`turn ended: completed`,
	} {
		if n := strings.Count(strings.Join(said, "\n"), want); n == 0 {
			t.Errorf("no %s in\n%s", want, strings.Join(said, "\n"))
		}
	}
}
