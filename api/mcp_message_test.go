package api

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// answered is what session_message answers with wait_ms.
type answered struct {
	told
	Outcome  string           `json:"outcome"`
	Text     string           `json:"text"`
	Bytes    int              `json:"text_bytes"`
	Error    string           `json:"error"`
	Requests []map[string]any `json:"requests"`
}

// TestMCPMessageWaits: one call sends a message and gives its answer, with little around it.
// Proves: I10.2/message
func TestMCPMessageWaits(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		r := c.call("session_message", args{"agent": "echo", "cwd": "/work", "message": "hello", "new_session": true, "wait_ms": 110000})
		m := resultOf[answered](t, r)
		if m.Outcome != "completed" || !strings.HasPrefix(m.Text, "hello 0.") || m.PromptID != "p1" {
			t.Fatalf("%s: %+v", version, m)
		}
		text := resultText(r)
		if around := len(text) - len(m.Text); around > 400 || !strings.Contains(text, m.SessionID) || !strings.Contains(text, m.Text) {
			t.Errorf("%s: %d bytes around the answer: %s", version, around, text)
		}
		if around := sizeOfResult(t, r) - len(text) - len(m.Text); around > 400 {
			t.Errorf("%s: %d bytes of structured content around the answer", version, around)
		}
	}
}

// TestMCPMessageIntoASessionAtWork: the answer is that of the message, never of what the session was doing.
// Proves: I10.2/message
func TestMCPMessageIntoASessionAtWork(t *testing.T) {
	h := newHarness(t)
	go1, go2 := make(chan struct{}), make(chan struct{})
	first := true
	h.tree.agents["slow"] = func(a *fakeAgent, m session.AdapterMessage) {
		switch m := m.(type) {
		case started:
			a.say(adapters.Ready{})
		case *session.Tell:
			p, ok := m.Command.(adapters.Prompt)
			if !ok {
				return
			}
			a.say(append([]adapters.Draft{adapters.PromptAnswered{ID: p.ID}, adapters.TurnBegan{}}, a.message("of "+p.Text, 1)...)...)
			release := go2
			if first {
				release, first = go1, false
			}
			go func() { // ends with the test's word
				<-release
				a.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
			}()
		default:
			stopped(a, m)
		}
	}
	c := h.connect(newEra)
	m := c.say("", "slow", "one")
	got := make(chan answered, 1)
	go func() { // ends with the call
		got <- callTool[answered](c, "session_message", args{"session_id": m.SessionID, "message": "two", "wait_ms": 110000})
	}()
	h.awaitReaders(m.SessionID, "mcp", 1)
	close(go1)
	h.until(m.SessionID, func(e *protocol.Event) bool { p, ok := e.Payload.(*protocol.TurnEnd); return ok && p.TurnID == "t1" })
	select {
	case a := <-got:
		t.Fatalf("answered by another prompt's end: %+v", a)
	default:
	}
	close(go2)
	if a := <-got; a.Outcome != "completed" || !strings.HasPrefix(a.Text, "of two") || a.PromptID != "p2" {
		t.Errorf("%+v", a)
	}
	j := callTool[joinedSessions](c, "session_join", args{"session_ids": []string{m.SessionID}, "prompt_id": "p1"})
	if !j.Done || !strings.HasPrefix(j.Sessions[0].Text, "of one") {
		t.Errorf("%+v", j)
	}
	c.fails(protocol.CodePromptNotFound, "session_join", args{"session_ids": []string{m.SessionID}, "prompt_id": "p9"})
	c.fails(protocol.CodeInvalidRequest, "session_join", args{"session_ids": []string{m.SessionID, h.create("echo")}, "prompt_id": "p1"})
}

// TestMCPMessageEnds: the wait ends with what becomes of the message, whatever that is, and never calls a lost agent a success.
// Proves: I10.2/message
func TestMCPMessageEnds(t *testing.T) {
	h := newHarness(t)
	h.tree.agents["dying"] = func(a *fakeAgent, m session.AdapterMessage) {
		switch m := m.(type) {
		case started:
			a.say(adapters.Ready{})
		case *session.Tell:
			if p, ok := m.Command.(adapters.Prompt); ok {
				k := a.key()
				a.say(adapters.PromptAnswered{ID: p.ID}, adapters.TurnBegan{},
					adapters.EntryOpened{Key: k, Type: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}},
					adapters.EntryChanged{Key: k, Delta: &protocol.TextAppend{Text: "half"}})
				a.exit(adapters.Exit{Code: -1, Signal: "killed"})
			}
		default:
			stopped(a, m)
		}
	}
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		send := func(agent string) answered {
			return callTool[answered](c, "session_message", args{"agent": agent, "cwd": "/work", "message": "go", "new_session": true, "wait_ms": 110000})
		}
		lost := send("dying")
		if lost.Outcome != "failed" || !strings.Contains(lost.Error, "signal killed") {
			t.Errorf("%s: lost: %+v", version, lost)
		}
		if j := callTool[joinedSessions](c, "session_join", args{"session_ids": []string{lost.SessionID}}); !j.Done || !strings.Contains(j.Sessions[0].Error, "killed") {
			t.Errorf("%s: lost: %+v", version, j)
		}
		asks := send("asking")
		if asks.Outcome != "waiting" || len(asks.Requests) != 1 || asks.Requests[0]["request_id"] != "r1" {
			t.Errorf("%s: asks: %+v", version, asks)
		}
		if a := callTool[answered](c, "session_message", args{"session_id": h.create("busy"), "message": "go", "wait_ms": 1}); a.Outcome != "working" {
			t.Errorf("%s: works: %+v", version, a)
		}
		got := make(chan answered, 1)
		id := h.create("busy")
		go func() { // ends with the call
			got <- callTool[answered](c, "session_message", args{"session_id": id, "message": "go", "wait_ms": 110000})
		}()
		h.awaitReaders(id, "mcp", 1)
		callTool[args](c, "session_interrupt", args{"session_id": id})
		if a := <-got; a.Outcome != "interrupted" {
			t.Errorf("%s: interrupted: %+v", version, a)
		}
		c.fails(protocol.CodeInvalidRequest, "session_message", args{"session_id": id, "message": "go", "wait_ms": -1})
	}
}

// TestMCPLongAnswer: an answer that is too long for a result is cut, and read whole page by page; a summary is short however much there was,
// and a message does not cost more for it.
// Proves: I10.2/message
func TestMCPLongAnswer(t *testing.T) {
	h := newHarness(t)
	h.tree.agents["wordy"] = wordy
	c := h.connect(newEra)
	r := c.call("session_message", args{"agent": "wordy", "cwd": "/work", "message": "go", "new_session": true, "wait_ms": 110000})
	m := resultOf[struct {
		answered
		Entry string `json:"text_entry"`
	}](t, r)
	if n := sizeOfResult(t, r); n > 32<<10 || m.Outcome != "completed" || m.Bytes < 80000 || m.Entry == "" {
		t.Fatalf("%d bytes, %s, %d of %d", n, m.Outcome, len(m.Text), m.Bytes)
	}
	whole := ""
	for offset, pages := 0, 0; offset > 0 || pages == 0; pages++ {
		r := c.call("session_text", args{"session_id": m.SessionID, "entry_id": m.Entry, "offset": offset})
		if n := sizeOfResult(t, r); n > 32<<10 {
			t.Fatalf("a page of %d bytes", n)
		}
		p := resultOf[struct {
			Next int `json:"next_offset"`
			Text string
		}](t, r)
		whole += p.Text
		offset = p.Next
	}
	if len(whole) != m.Bytes || !strings.HasPrefix(whole, m.Text) || !strings.HasSuffix(whole, "go 0. ") {
		t.Errorf("%d bytes of %d", len(whole), m.Bytes)
	}
	c.fails(protocol.CodeInvalidRequest, "session_text", args{"session_id": m.SessionID, "entry_id": m.Entry, "offset": m.Bytes + 1})
	c.fails(protocol.CodeNotFound, "session_text", args{"session_id": m.SessionID, "entry_id": "e999"})

	var before, after runtime.MemStats
	least := uint64(math.MaxUint64) // others of the process allocate, too
	for range 14 {
		runtime.ReadMemStats(&before)
		c.call("session_message", args{"session_id": m.SessionID, "message": "brief", "wait_ms": 110000})
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	if least > 4<<20 { // the first turn alone has 8 MB
		t.Errorf("a message whose answer is short took %d bytes: what was said long before it was read again", least)
	}
	r = c.call("session_summary", args{"session_id": m.SessionID})
	s := resultOf[struct {
		LastIndex int `json:"last_index"`
		Older     int `json:"older_turns"`
		Turns     []struct {
			Prompt  string         `json:"prompt"`
			Outcome string         `json:"outcome"`
			Text    string         `json:"text"`
			Tools   map[string]int `json:"tools"`
		}
	}](t, r)
	last := s.Turns[len(s.Turns)-1]
	if n := sizeOfResult(t, r); n > 32<<10 || s.Older != 3 || len(s.Turns) != 12 || last.Outcome != "completed" || last.Tools["read"] != 40 || last.Prompt != "brief" || last.Text == "" {
		t.Errorf("%d bytes: %+v", n, s)
	}
	since := resultOf[struct{ Turns []any }](t, c.call("session_summary", args{"session_id": m.SessionID, "since_index": s.LastIndex}))
	if len(since.Turns) != 0 {
		t.Errorf("after its last index: %+v", since)
	}
}
