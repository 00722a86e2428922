package opencode_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// store is what a server has stored of its sessions, by the events that it said: GET lists it.
type store struct {
	status   map[string]json.RawMessage // of sessions that are not idle
	messages map[string][]*storedMessage
	asked    map[string]json.RawMessage // permissions and questions
	children map[string]string
}

type storedMessage struct {
	id    string
	Info  json.RawMessage   `json:"info"`
	Parts []json.RawMessage `json:"parts"`
	ids   []string
}

func newStore() *store {
	return &store{
		status: map[string]json.RawMessage{}, messages: map[string][]*storedMessage{}, asked: map[string]json.RawMessage{},
		children: map[string]string{},
	}
}

// take takes an event. Deltas are not stored: until a text ends, it is empty.
func (s *store) take(line []byte) {
	var e struct {
		Type       string `json:"type"`
		Properties struct {
			SessionID string          `json:"sessionID"`
			ID        string          `json:"id"`
			RequestID string          `json:"requestID"`
			Status    json.RawMessage `json:"status"`
			Info      json.RawMessage `json:"info"`
			Part      json.RawMessage `json:"part"`
		} `json:"properties"`
	}
	if json.Unmarshal(line, &e) != nil {
		return
	}
	p := &e.Properties
	var ids struct{ ID, SessionID, MessageID string }
	switch e.Type {
	case "session.status":
		if s.status[p.SessionID] = p.Status; bytes.Contains(p.Status, []byte(`"idle"`)) {
			delete(s.status, p.SessionID)
		}
	case "message.updated":
		_ = json.Unmarshal(p.Info, &ids)
		s.message(ids.SessionID, ids.ID).Info = p.Info
	case "message.part.updated":
		_ = json.Unmarshal(p.Part, &ids)
		m := s.message(ids.SessionID, ids.MessageID)
		if i := slices.Index(m.ids, ids.ID); i >= 0 {
			m.Parts[i] = p.Part
		} else {
			m.ids, m.Parts = append(m.ids, ids.ID), append(m.Parts, p.Part)
		}
	case "permission.asked", "question.asked":
		var whole struct {
			Properties json.RawMessage `json:"properties"`
		}
		_ = json.Unmarshal(line, &whole)
		s.asked[p.ID] = whole.Properties
	case "permission.replied", "question.replied", "question.rejected":
		delete(s.asked, p.RequestID)
	}
}

func (s *store) message(session, id string) *storedMessage {
	for _, m := range s.messages[session] {
		if m.id == id {
			return m
		}
	}
	m := &storedMessage{id: id, Parts: []json.RawMessage{}}
	s.messages[session] = append(s.messages[session], m)
	slices.SortStableFunc(s.messages[session], func(a, b *storedMessage) int { return strings.Compare(a.id, b.id) })
	return m
}

// answer answers a call, as the server would now.
func (s *store) answer(line []byte) []byte {
	l, _ := httpline.Parse(line)
	call, ok := l.(*httpline.Call)
	if !ok {
		return nil
	}
	path, _, _ := strings.Cut(call.Path, "?")
	a := httpline.Answer{N: call.N, Status: 200}
	var v any
	switch {
	case path == "/session/status":
		v = s.status
	case strings.HasSuffix(path, "/message"):
		list := []*storedMessage{}
		for _, m := range s.messages[strings.Split(path, "/")[2]] {
			if m.Info != nil {
				list = append(list, m)
			}
		}
		v = list
	case path == "/permission", path == "/question":
		list := []json.RawMessage{}
		for id, asked := range s.asked {
			if strings.HasPrefix(id, "que_") == (path == "/question") {
				list = append(list, asked)
			}
		}
		v = list
	default:
		a.Status = 404
		return a.Append(nil)
	}
	a.Body, _ = json.Marshal(v)
	return a.Append(nil)
}

// events are those of a recording's only stream.
func events(t testing.TB, name string) (list [][]byte) {
	t.Helper()
	raw, err := os.ReadFile("testdata/recordings/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range recording.Read(bytes.NewReader(raw)) {
		if err != nil {
			t.Fatal(err)
		}
		if out, ok := r.Step.(recording.Out); ok && !httpline.Is(out.Line) && !bytes.Contains(out.Line, []byte(`"plugin.added"`)) {
			list = append(list, out.Line)
		}
	}
	return list
}

// live plays events to a session that joined, as if they came from a server that answers. Those from dropped[0] up to
// dropped[1] are not heard: the stream is lost there. Answers come late lines after they were asked for.
func live(t testing.TB, list [][]byte, dropped [2]int, late int) *bench {
	spec := adapters.Spec{NativeSessionID: firstSession(list)}
	b := &bench{tb: t, splitter: opencode.Agent{}.Splitter(spec), lanes: map[adapters.Lane]*actor{}}
	b.join(spec)
	s := newStore()
	type pending struct {
		at   int
		line []byte
	}
	var answers []pending
	settle := func(now int) {
		for {
			for _, line := range b.written {
				at := now + late
				if bytes.Contains(line, []byte(`"after":`)) {
					at = len(list) + 1 // long after everything
				}
				answers = append(answers, pending{at, line})
			}
			b.written = nil
			if len(answers) == 0 || answers[0].at > now {
				return
			}
			next := answers[0]
			answers = answers[1:]
			if a := s.answer(next.line); a != nil {
				b.line(string(a))
			}
		}
	}
	for i, line := range list {
		if i == dropped[0] && dropped[0] < dropped[1] {
			b.line(`{"http":"stream","state":"lost","path":"/event","error":"EOF"}`)
		}
		if i == dropped[1] && dropped[0] < dropped[1] {
			b.line(`{"http":"stream","state":"open","path":"/event"}`)
			settle(i)
		}
		s.take(line)
		if i < dropped[0] || i >= dropped[1] {
			b.line(string(line))
		}
		settle(i)
	}
	if dropped[0] < dropped[1] && dropped[1] >= len(list) {
		b.line(`{"http":"stream","state":"open","path":"/event"}`)
	}
	for i := range 20 { // questions that follow answers
		settle(len(list) + i*(late+1))
	}
	return b
}

func firstSession(list [][]byte) string {
	for _, line := range list {
		if i := bytes.Index(line, []byte(`"ses_`)); i >= 0 {
			id, _, _ := strings.Cut(string(line[i+1:]), `"`)
			return id
		}
	}
	return ""
}

// named is the session with an id of the agent's. One whose beginning was lost is nobody's first.
func (b *bench) named(native string) *actor {
	for _, a := range slices.Backward(b.all) {
		if a.native == native {
			return a
		}
	}
	return nil
}

// finals are the entries of a session with their final content, by the agent's ids; those that the agent never ended without.
func (a *actor) finals() map[string]string {
	found := map[string]string{}
	ids := map[adapters.EntryKey]string{}
	for _, d := range a.said {
		switch d := d.(type) {
		case adapters.EntryOpened:
			if _, twice := found[d.PersistentID]; twice {
				a.bench.tb.Errorf("%s is in the log twice", d.PersistentID)
			}
			ids[d.Key] = d.PersistentID
			found[d.PersistentID] = ""
		case adapters.EntryClosed:
			if !d.Incomplete {
				found[ids[d.Key]] = content(d.Data)
			}
		}
	}
	return found
}

func content(data protocol.EntryData) string {
	switch d := data.(type) {
	case *protocol.MessageData:
		return d.Role + ": " + d.Text
	case *protocol.ThinkingData:
		return "thinking: " + d.Text
	case *protocol.CompactionData:
		return "summary: " + d.Summary
	case *protocol.ToolCallData:
		return d.ToolName + " " + string(d.Status) + ": " + d.Output
	}
	return fmt.Sprintf("%T", data)
}

// outcome is how the turns of a session ended, and the tokens that it used.
func (a *actor) outcome() string {
	var turns []string
	var tokens int64
	open := false
	for _, d := range a.said {
		switch d := d.(type) {
		case adapters.TurnBegan:
			open = true
		case adapters.TurnEnded:
			open = false
			turns = append(turns, string(d.Status))
		case adapters.Used:
			tokens += d.Usage.Usage.TotalTokens
		}
	}
	return fmt.Sprint(turns, " open ", open, " tokens ", tokens)
}

// TestLostStretch loses a stretch of every recording's events, of any length and at any place, and answers what is asked
// then: every entry is there once, with its final content; the turns and the tokens are the same.
// Proves: 001.antipatterns, C42, T22
func TestLostStretch(t *testing.T) {
	for _, name := range []string{
		"text_short", "text_long_stream", "reasoning_text", "tool_bash", "tool_edit", "tool_parallel", "tool_error", "permission_once", "question",
		"multi_turn", "busy_prompt", "busy_prompt_stream", "compaction_manual", "compaction_auto", "model_switch", "todo", "subagent_task",
		"subagent_permission", "malformed_tool_args", "old1165_text_short", "old1165_tool_edit", "old1165_multi_turn",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := events(t, name)
			undisturbed := live(t, list, [2]int{}, 0)
			rnd := rand.New(rand.NewPCG(7, 7))
			for round := range 25 {
				from := rnd.IntN(len(list))
				dropped := [2]int{from, from + 1 + rnd.IntN(len(list)-from)}
				late := rnd.IntN(6)
				b := live(t, list, dropped, late)
				for i, want := range undisturbed.all {
					a := b.named(want.native)
					if a == nil || (a.parent == 0) != (want.parent == 0) {
						t.Fatalf("round %d, lost %d, late %d: session %s is missing", round, dropped, late, want.native)
					}
					if got, want := a.finals(), want.finals(); fmt.Sprint(got) != fmt.Sprint(want) {
						t.Fatalf("round %d, lost %d, late %d: session %d has\n%v, want\n%v", round, dropped, late, i+1, got, want)
					}
					if a.outcome() != want.outcome() {
						t.Fatalf("round %d, lost %d, late %d: session %d: %s, want %s", round, dropped, late, i+1, a.outcome(), want.outcome())
					}
				}
			}
		})
	}
}
