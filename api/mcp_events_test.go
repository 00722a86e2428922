package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// wordy answers a prompt with tools whose output is long, and with a text that takes many bytes in JSON; the prompt "brief" with as many short ones.
func wordy(a *fakeAgent, m session.AdapterMessage) {
	switch m := m.(type) {
	case started:
		a.say(adapters.Ready{})
	case *session.Tell:
		p, ok := m.Command.(adapters.Prompt)
		if !ok {
			return
		}
		drafts := []adapters.Draft{adapters.PromptAnswered{ID: p.ID}, adapters.TurnBegan{}}
		output, text := wordyOutput(), 12000
		if p.Text == "brief" {
			output, text = 10, 10
		}
		for i := range 40 {
			k := a.key()
			data := protocol.ToolCallData{ToolName: "read", CallID: fmt.Sprint(p.ID, "c", i), Arguments: `{"path":"a"}`, Status: protocol.ToolRunning}
			done := data
			done.Status, done.Output = protocol.ToolCompleted, strings.Repeat("<&>\x1b\"", output)
			drafts = append(drafts, adapters.EntryOpened{Key: k, Type: protocol.EntryToolCall, Data: &data}, adapters.EntryClosed{Key: k, Data: &done})
		}
		drafts = append(drafts, a.message(strings.Repeat("<long> ", text)+p.Text, 1)...)
		a.say(append(drafts, adapters.TurnEnded{Status: protocol.TurnCompleted})...)
	default:
		stopped(a, m)
	}
}

// wordyOutput is how many times five bytes a tool of wordy answers with: many times what a page has of it, in a short run as well.
func wordyOutput() int {
	if testing.Short() {
		return 4000
	}
	return 18000
}

// TestMCPEventsAreBounded: no page of events is longer than hosts take, and all pages together are everything; who asks for more gets it.
// Proves: I10.2/bounded
func TestMCPEventsAreBounded(t *testing.T) {
	h := newHarness(t)
	h.tree.agents["wordy"] = wordy
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		m := c.say("", "wordy", "go")
		c.settled(m.SessionID, m.LastEventIndex)
		want, _ := h.expected(m.SessionID)
		var got []protocol.SessionEvent
		pages, since := 0, -1
		for more := true; more; pages++ {
			r := c.call("session_events", args{"session_id": m.SessionID, "since_index": since, "max_events": 1000})
			if n := sizeOfResult(t, r); n > 32<<10 {
				t.Fatalf("page %d: %d bytes", pages, n)
			}
			e := resultOf[toldEvents](t, r)
			text := resultText(r)
			if !strings.HasPrefix(text, fmt.Sprintf("last_index %d, has_more %t", e.LastIndex, e.HasMore)) {
				t.Errorf("the text begins %q", protocol.Head(text, 80))
			}
			for _, it := range e.items() {
				if it.Type == protocol.ItemToolResult && (!it.Truncated || it.Bytes != int64(5*wordyOutput()) || len(it.Text) > protocol.BriefOutput || !strings.Contains(text, it.CallID)) {
					t.Errorf("%d bytes of %d, call %s", len(it.Text), it.Bytes, it.CallID)
				}
				got = append(got, it)
			}
			since, more = e.LastIndex, e.HasMore
		}
		if pages < 4 || len(got) != len(want)-countOf(want, protocol.ItemDelta) {
			t.Errorf("%d items in %d pages, the log has %d", len(got), pages, len(want))
		}
		var all []protocol.SessionEvent
		for e := (toldEvents{HasMore: true, LastIndex: -1}); e.HasMore; all = append(all, e.items()...) {
			e = callTool[toldEvents](c, "session_events", args{"session_id": m.SessionID, "since_index": e.LastIndex, "max_bytes": 4 << 20, "max_text": 1 << 20})
		}
		whole := slices.DeleteFunc(slices.Clone(want), func(it protocol.SessionEvent) bool { return it.Type == protocol.ItemDelta })
		if !sameItems(all, whole) {
			t.Errorf("%d whole items, want %d", len(all), len(whole))
		}
	}
}

func countOf(list []protocol.SessionEvent, types ...protocol.ItemType) (n int) {
	for _, it := range list {
		if slices.Contains(types, it.Type) {
			n++
		}
	}
	return n
}

// TestMCPFollowEndsAtWhatNeedsTheCaller: who waits for the end of a turn is answered when the turn waits for it, be it an approval or the call of
// a tool that it offers itself. The tool of another client is none of its business.
// Proves: I10.2/waits
func TestMCPFollowEndsAtWhatNeedsTheCaller(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		m := c.say("", "asking", "go")
		e := callTool[toldEvents](c, "session_events", args{"session_id": m.SessionID, "since_index": m.LastEventIndex, "follow": true, "wait_ms": 55000})
		if countOf(e.items(), protocol.ItemRequest) != 1 || e.State != string(protocol.StateAwaitingApproval) {
			t.Errorf("%s: %+v", version, e)
		}

		c, id := h.offering(version)
		var token struct{ Token string }
		h.want(http.StatusCreated, "POST", "/tokens", `{"name":"other","scope":"admin"}`).into(t, &token)
		other := h.connectAs(token.Token, h.base, version)
		a := h.agentOf(id, version)
		since := callTool[toldEvents](c, "session_events", args{"session_id": id}).LastIndex
		follow := args{"session_id": id, "since_index": since, "follow": true, "wait_ms": 55000}
		mine, others := c.follows(follow), other.follows(follow)
		h.awaitReaders(id, "mcp", 2)
		called := a.calls(t.Context(), "editor_beep", args{})
		if e := <-mine; countOf(e.items(), protocol.ItemCallerTool) != 1 {
			t.Errorf("%s: %+v", version, e)
		}
		callTool[args](c, "caller_tool_response", args{"session_id": id, "request_id": "c1", "result": "beeped"})
		received(t, called)
		select {
		case e := <-others:
			t.Errorf("%s: the other client's wait has ended: %+v", version, e)
		default:
		}
		callTool[args](c, "session_interrupt", args{"session_id": id})
		if e := <-others; e.Status != "idle" || countOf(e.items(), protocol.ItemCompletion) != 1 {
			t.Errorf("%s: %+v", version, e)
		}
	}
}

// TestMCPEventsOfAPrompt: what is read of a prompt is of no other, and waiting for it ends with it.
// Proves: I10.2/prompts
func TestMCPEventsOfAPrompt(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	m := c.say("", "echo", "one")
	second := c.say(m.SessionID, "", "two")
	for prompt, text := range map[string]string{m.PromptID: "one", second.PromptID: "two"} {
		e := callTool[toldEvents](c, "session_events", args{"session_id": m.SessionID, "prompt_id": prompt, "follow": true, "wait_ms": 55000})
		list := e.items()
		if len(list) == 0 || countOf(list, protocol.ItemCompletion) != 1 {
			t.Errorf("%s: %+v", prompt, list)
		}
		for _, it := range list {
			if it.PromptID != prompt || !strings.Contains(it.Text, text) {
				t.Errorf("of %s: %+v", prompt, it)
			}
		}
		last := callTool[toldEvents](c, "session_events", args{"session_id": m.SessionID, "prompt_id": prompt, "follow": true, "wait_ms": 55000, "since_index": e.LastIndex})
		if len(last.Events) != 0 {
			t.Errorf("behind its end: %+v", last)
		}
	}
	c.fails(protocol.CodePromptNotFound, "session_events", args{"session_id": m.SessionID, "prompt_id": "p99"})

	busy := c.say("", "busy", "go")
	waits := c.say(busy.SessionID, "", "later")
	done := c.follows(args{"session_id": busy.SessionID, "prompt_id": waits.PromptID, "follow": true, "wait_ms": 55000})
	h.waited(busy.SessionID)
	callTool[args](c, "session_prompts", args{"session_id": busy.SessionID, "action": "cancel", "prompt_id": waits.PromptID})
	began := time.Now()
	if got := <-done; len(got.Events) != 0 || time.Since(began) > 30*time.Second {
		t.Errorf("of a prompt that was taken out of the queue, after %v: %+v", time.Since(began), got)
	}
}

// follows calls session_events beside the test.
func (c *mcpClient) follows(arguments args) <-chan toldEvents {
	done := make(chan toldEvents, 1)
	go func() { // ends with the call
		defer close(done)
		r := c.call("session_events", arguments)
		done <- resultOf[toldEvents](c.t, r)
	}()
	return done
}
