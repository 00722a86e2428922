package codex_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// story is what a server said of one thread in a recording, without its answers.
type story struct {
	thread string
	lines  []string
}

// serverLine is one line of it, as far as a server needs to remember.
type serverLine struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id"`
	Params struct {
		Request json.RawMessage `json:"requestId"`
		TurnID  string          `json:"turnId"`
		Turn    struct {
			ID     string          `json:"id"`
			Status string          `json:"status"`
			Error  json.RawMessage `json:"error"`
		} `json:"turn"`
		Item   json.RawMessage `json:"item"`
		Thread struct {
			ID string `json:"id"`
		} `json:"thread"`
		ThreadID string          `json:"threadId"`
		Usage    json.RawMessage `json:"tokenUsage"`
	} `json:"params"`
}

func readStory(t *testing.T, name string) story {
	t.Helper()
	raw, err := os.ReadFile("testdata/recordings/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var s story
	for r, err := range recording.Read(bytes.NewReader(raw)) {
		if err != nil {
			t.Fatal(err)
		}
		out, ok := r.Step.(recording.Out)
		var m serverLine
		if !ok || json.Unmarshal(out.Line, &m) != nil || m.Method == "" || m.Method == "thread/started" {
			continue
		}
		if s.thread == "" {
			s.thread = m.Params.ThreadID
		}
		s.lines = append(s.lines, string(out.Line))
	}
	return s
}

// resume is how a server that has said the first lines answers thread/resume, and what it says right behind it: the usage, and what
// it asks again. Messages are told of when they have ended; tool calls that run where running is set.
func (s story) resume(t *testing.T, upTo int, running bool) (result string, behind []string) {
	t.Helper()
	type turn struct {
		ID     string            `json:"id"`
		Status string            `json:"status"`
		Error  json.RawMessage   `json:"error"`
		Items  []json.RawMessage `json:"items"`
	}
	var turns []*turn
	find := func(id string) *turn {
		i := slices.IndexFunc(turns, func(x *turn) bool { return x.ID == id })
		if i < 0 {
			i = len(turns)
			turns = append(turns, &turn{ID: id, Status: "inProgress", Items: []json.RawMessage{}})
		}
		return turns[i]
	}
	status, flags := "idle", []string{}
	asks := map[string]string{}
	usage := ""
	for _, line := range s.lines[:upTo] {
		var m serverLine
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		p := &m.Params
		switch {
		case m.ID != nil:
			asks[string(m.ID)] = line
		case m.Method == "serverRequest/resolved":
			delete(asks, string(p.Request))
		case m.Method == "turn/started":
			find(p.Turn.ID)
			status = "active"
		case m.Method == "turn/completed":
			x := find(p.Turn.ID)
			x.Status, x.Error = p.Turn.Status, p.Turn.Error
			status = "idle"
			clear(asks)
		case m.Method == "thread/tokenUsage/updated":
			usage = line
		case m.Method == "item/started" || m.Method == "item/completed":
			x, head := find(p.TurnID), fmt.Sprintf(`"id":%q`, itemID(p.Item))
			x.Items = slices.DeleteFunc(x.Items, func(i json.RawMessage) bool { return strings.Contains(string(i), head) })
			if m.Method == "item/completed" || running && strings.Contains(string(p.Item), `"status":"inProgress"`) {
				x.Items = append(x.Items, p.Item)
			}
		}
	}
	if usage != "" {
		behind = append(behind, usage)
	}
	for _, line := range asks {
		flags = append(flags, "waitingOnApproval")
		behind = append(behind, line)
	}
	slices.Reverse(turns)
	if turns == nil {
		turns = []*turn{}
	}
	return fmt.Sprintf(`{"thread":{"id":%q,"status":{"type":%q,"activeFlags":%s},"turns":[]},"model":"m","initialTurnsPage":{"data":%s,"nextCursor":null}}`,
		s.thread, status, mustJSON(flags), mustJSON(turns)), behind
}

func itemID(item []byte) string {
	var i struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(item, &i)
	return i.ID
}

// outcome is what must be the same however often the connection was lost.
type outcome struct {
	turns   []protocol.TurnStatus
	entries []string // that have ended, by their ids, with what they hold
	users   []string // that have begun
	used    int64
	prompt  string // of the newest turn that has one
}

const (
	lostLine = `{"http":"stream","state":"lost","path":"","error":"cut"}`
	openLine = `{"http":"stream","state":"open","path":"1"}`
)

// tell plays a story to one session, without the lines from cut up to back, between which the connection was lost.
func (s story) tell(t *testing.T, cut, back int, running bool) outcome {
	t.Helper()
	c := ready(t)
	a := c.join(adapters.Spec{Cwd: "/w"})
	c.answer("thread/start", `{"thread":{"id":"`+s.thread+`"},"model":"m"}`)
	answered := adapters.RequestKey(0)
	agent := func(line string) {
		c.agent(line)
		for _, d := range c.lanes[a].said {
			if r, ok := d.(adapters.RequestOpened); ok && r.Key > answered {
				answered = r.Key
				c.command(a, adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce})
			}
		}
	}
	for i, line := range s.lines {
		if i == cut {
			agent(lostLine)
		}
		if i == back {
			agent(openLine)
			c.answer("initialize", `{}`)
			result, behind := s.resume(t, back, running)
			c.answer("thread/resume", result)
			for _, l := range behind {
				agent(l)
			}
		}
		if i < cut || i >= back {
			agent(line)
		}
	}
	return read(c.lanes[a].said)
}

// read gives what was said.
func read(said []adapters.Draft) outcome {
	var o outcome
	kinds, ids := map[adapters.EntryKey]protocol.EntryType{}, map[adapters.EntryKey]string{}
	for _, d := range said {
		switch d := d.(type) {
		case adapters.TurnBegan:
			if d.Prompt != nil {
				o.prompt = d.Prompt.Text
			}
		case adapters.TurnEnded:
			o.turns = append(o.turns, d.Status)
		case adapters.Used:
			o.used += d.Usage.Usage.TotalTokens
		case adapters.EntryOpened:
			kinds[d.Key], ids[d.Key] = d.Type, d.PersistentID
			if m, ok := d.Data.(*protocol.MessageData); ok && m.Role == "user" {
				o.users = append(o.users, d.PersistentID+" "+m.Text)
			}
		case adapters.EntryClosed:
			if ids[d.Key] != "" && !d.Incomplete {
				o.entries = append(o.entries, fmt.Sprint(kinds[d.Key], " ", ids[d.Key], " ", content(d.Data)))
			}
		default:
		}
	}
	return o
}

// content is what an entry holds at its end.
func content(d protocol.EntryData) string {
	switch d := d.(type) {
	case *protocol.MessageData:
		return d.Text
	case *protocol.ThinkingData:
		return d.Text + strings.Join(d.Summary, "|")
	case *protocol.ToolCallData:
		return fmt.Sprint(d.Command, d.Status, d.Output)
	}
	return ""
}

// TestCutAnywhere loses the connection at every moment of several recordings, for any time: there is one log, with the same
// turns, entries and tokens as if nothing had happened.
func TestCutAnywhere(t *testing.T) {
	for _, name := range []string{
		"ws", "plain", "multi-turn", "shell", "parallel", "approval-exec-accept", "approval-patch-accept", "reasoning", "phases", "interrupt-text",
		"fail-500", "compact-manual", "steer-text", "patch-update-delete",
	} {
		t.Run(name, func(t *testing.T) {
			s := readStory(t, name)
			want := s.tell(t, len(s.lines), len(s.lines), false)
			slices.Sort(want.entries)
			if len(want.turns) == 0 || len(want.entries) == 0 {
				t.Fatalf("nothing in it: %+v", want)
			}
			for cut := range s.lines {
				if testing.Short() && cut%5 != 0 {
					continue
				}
				for _, gap := range []int{0, 1, 2, 5, 13, 40, len(s.lines) / 2} {
					back := cut + gap
					if back >= len(s.lines) {
						continue
					}
					got := s.tell(t, cut, back, cut%2 == 0)
					slices.Sort(got.entries)
					if !slices.Equal(got.turns, want.turns) || !slices.Equal(got.entries, want.entries) || !slices.Equal(got.users, want.users) || got.used != want.used {
						t.Fatalf("cut before line %d, back before %d:\ngot  %+v\nwant %+v", cut, back, got, want)
					}
				}
			}
		})
	}
}
