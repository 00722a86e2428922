package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// fate sends a prompt with its key and gives what the receipt says of it, over HTTP and MCP, which must agree.
func (h *harness) fate(c *mcpClient, id, key, text string) resource.PromptFate {
	h.t.Helper()
	var a resource.PromptAccepted
	h.keyed(key, http.MethodPost, "/sessions/"+id+"/prompts", `{"text":"`+text+`"}`).into(h.t, &a)
	if !a.Repeated || a.Became == nil || a.Became.State != resource.PromptQueued && a.Position != 0 {
		h.t.Fatalf("%s of %s: %+v", key, id, a)
	}
	type message struct {
		PromptID string `json:"prompt_id"`
		Became   output.Fate
	}
	m := callTool[message](c, "session_message", args{"session_id": id, "message": text, "idempotency_key": key})
	outcome := ""
	if a.Became.Outcome != nil {
		outcome = a.Became.Outcome.Outcome
	}
	if m.PromptID != a.PromptID || m.Became.State != a.Became.State || m.Became.TurnID != a.Became.TurnID || m.Became.Outcome != outcome {
		h.t.Errorf("%s: over MCP %+v, over HTTP %+v", key, m, a.Became)
	}
	return *a.Became
}

// count reads a session's log until it has so many events of a type.
func (h *harness) count(id string, of protocol.Type, n int) {
	h.t.Helper()
	h.until(id, func(e *protocol.Event) bool {
		if e.Payload.Type() == of {
			n--
		}
		return n == 0
	})
}

// TestReceiptsTellWhatBecame: the receipt of a prompt that is asked for again by its key says what became of the prompt, from the log, over HTTP and MCP, also
// when the session's actor was started anew, when the session has ended, and when its folder has gone.
//
// Proves: I13.4/receipts
func TestReceiptsTellWhatBecame(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	send := func(id, key, text string) {
		t.Helper()
		var a resource.PromptAccepted
		h.keyed(key, http.MethodPost, "/sessions/"+id+"/prompts", `{"text":"`+text+`"}`).into(t, &a)
		if a.Repeated || a.Became != nil {
			t.Errorf("a new prompt is %+v", a)
		}
	}
	is := func(id, key, text, state, turn, outcome string) resource.PromptFate {
		t.Helper()
		f := h.fate(c, id, key, text)
		if f.State != state || f.TurnID != turn || (f.Outcome == nil) != (outcome == "") || f.Outcome != nil && f.Outcome.Outcome != outcome {
			t.Errorf("%s is %+v %+v, want %s %s %s", key, f, f.Outcome, state, turn, outcome)
		}
		return f
	}

	busy := h.create("busy")
	send(busy, "one", "a")
	h.count(busy, protocol.TypeTurnStart, 1)
	send(busy, "two", "b")
	send(busy, "three", "c")
	is(busy, "one", "a", "running", "t1", "")
	is(busy, "two", "b", "queued", "", "")
	h.want(http.StatusNoContent, "DELETE", "/sessions/"+busy+"/prompts/p2", "")
	is(busy, "two", "b", "settled", "", "cancelled")
	h.want(http.StatusAccepted, "POST", "/sessions/"+busy+"/interrupt", "")
	h.count(busy, protocol.TypeTurnEnd, 1)
	if f := is(busy, "one", "a", "settled", "t1", "interrupted"); f.Outcome != nil && f.Outcome.Error == "" {
		t.Errorf("why is not said: %+v", f.Outcome)
	}

	echo := h.create("echo")
	send(echo, "one", "hi")
	h.count(echo, protocol.TypeTurnEnd, 1)
	if f := is(echo, "one", "hi", "settled", "t1", "completed"); f.Outcome == nil || f.Outcome.Text == "" {
		t.Errorf("without its answer: %+v", f.Outcome)
	}
	h.awaitReaders(echo, "stream", 0)
	h.tree.passivate(echo)
	is(echo, "one", "hi", "settled", "t1", "completed")
	h.want(http.StatusOK, "POST", "/sessions/"+echo+"/end", "")
	is(echo, "one", "hi", "settled", "t1", "completed")

	body := `{"agent":"echo","cwd":"/work","prompt":"hi"}`
	var first, again resource.CreatedSession
	h.keyed("made", http.MethodPost, "/sessions", body).into(t, &first)
	h.count(first.ID, protocol.TypeTurnEnd, 1)
	h.keyed("made", http.MethodPost, "/sessions", body).into(t, &again)
	if first.Prompt.Became != nil || again.ID != first.ID || again.Prompt.Became == nil || again.Prompt.Became.State != "settled" {
		t.Errorf("of a creation: %+v, first %+v", again.Prompt, first.Prompt)
	}
	made := callTool[struct {
		ID       string `json:"session_id"`
		Repeated bool
		Became   *output.Fate
	}](c, "session_create", args{"agent": "echo", "cwd": "/work", "prompt": "hi", "idempotency_key": "tool"})
	if made.Repeated || made.Became != nil {
		t.Errorf("%+v", made)
	}
	h.count(made.ID, protocol.TypeTurnEnd, 1)
	made = callTool[struct {
		ID       string `json:"session_id"`
		Repeated bool
		Became   *output.Fate
	}](c, "session_create", args{"agent": "echo", "cwd": "/work", "prompt": "hi", "idempotency_key": "tool"})
	if !made.Repeated || made.Became == nil || made.Became.Outcome != output.Completed {
		t.Errorf("%+v", made)
	}
}

// TestReceiptsOfDamagedLogs: of a log that cannot be read to its end, a prompt that is in what can be read has its receipt, and one that may be behind it is
// uncertain, with what to look at; without a key it is refused as ever.
//
// Proves: I13.4/uncertain_prompts
func TestReceiptsOfDamagedLogs(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	path := "/sessions/" + id + "/prompts"
	for n, key := range []string{"one", "two"} {
		h.keyed(key, http.MethodPost, path, `{"text":"`+key+`"}`)
		h.count(id, protocol.TypeTurnEnd, n+1)
	}
	log := string(h.log(id, ""))
	h.awaitReaders(id, "stream", 0)
	h.cutShort(id, int64(strings.Index(log, `"type":"turn_end"`)+10)) // in the end of the first turn
	c := h.connect(newEra)
	if f := h.fate(c, id, "one", "one"); f.State != resource.PromptUnknown || f.Outcome != nil {
		t.Errorf("a prompt whose end cannot be read: %+v", f)
	}
	r := h.keyed("two", http.MethodPost, path, `{"text":"two"}`)
	if p := r.problem(t); p.Code != protocol.CodeUncertain || p.LookAt != "/sessions/"+id+"/log" || p.Hint == "" {
		t.Errorf("a prompt that may be behind the damage: %s", r.body)
	}
	if r := h.keyed("one", http.MethodPost, path, `{"text":"other"}`); r.problem(t).Code != protocol.CodeConflict {
		t.Errorf("%s", r.body)
	}
	c.fails(protocol.CodeUncertain, "session_message", args{"session_id": id, "message": "two", "idempotency_key": "two"})
	if r := h.do(http.MethodPost, path, `{"text":"three"}`, "Content-Type", "application/json"); r.problem(t).Code != protocol.CodeReadOnly {
		t.Errorf("without a key: %s", r.body)
	}
}

// TestReceiptsWithoutTheFolder: a prompt that was taken has its receipt where the agent could not be started for it any more; a new one is refused.
func TestReceiptsWithoutTheFolder(t *testing.T) {
	tr := newTree(t)
	h := serveTree(t, tr)
	id := h.create("echo")
	path := "/sessions/" + id + "/prompts"
	h.keyed("k", http.MethodPost, path, `{"text":"hi"}`)
	h.count(id, protocol.TypeTurnEnd, 1)
	tr.folder = protocol.NewProblem(protocol.CodeCwdNotAllowed, "it is a link", "put it back")
	if f := h.fate(h.connect(newEra), id, "k", "hi"); f.State != resource.PromptSettled {
		t.Errorf("%+v", f)
	}
	if r := h.keyed("l", http.MethodPost, path, `{"text":"hi"}`); r.problem(t).Code != protocol.CodeCwdNotAllowed {
		t.Errorf("%s", r.body)
	}
}
