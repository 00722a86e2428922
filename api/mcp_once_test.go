package api

import (
	"maps"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/api/submission"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// onceArgs are arguments with which tools change something of a session; waits is a prompt of its queue.
func onceArgs(id, waits string) map[string]args {
	return map[string]args{
		"session_change":    {"session_id": id, "title": "Cart", "labels": args{"b": "1", "a": "2"}, "model": "big"},
		"session_interrupt": {"session_id": id},
		"session_answer":    {"session_id": id, "option": "deny"},
		"session_prompts":   {"session_id": id, "action": "cancel", "prompt_id": waits},
		"session_end":       {"session_id": id, "reason": "done"},
		"session_cleanup":   {"max_age_hours": 0, "labels": args{"of": id}},
		"session_delete":    {"session_id": id},
	}
}

// TestMCPOnce: a tool that changes something does so once for a key, in both eras, by its own name or as an action, and across lives of the daemon; the repeat
// gets what the first call got, says so, and leaves no event; other arguments are a conflict, and so is a call over HTTP.
//
// Proves: I13.4/tools
func TestMCPOnce(t *testing.T) {
	dir := t.TempDir()
	tr := newTree(t)
	begin := func() (*harness, *submission.Submissions) {
		kept, err := submission.Open(dir, disk.OS(), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		return serveTree(t, tr, func(c *Config) { c.Submissions, c.MCPCompat = kept, true }), kept
	}
	h, kept := begin()
	for tool, agent := range map[string]string{
		"session_change": "choosy", "session_interrupt": "busy", "session_answer": "asking", "session_prompts": "busy", "session_end": "echo", "session_cleanup": "echo",
		"session_delete": "echo",
	} {
		c := h.connect(oldEra)
		m := callTool[told](c, "session_message", args{"agent": agent, "cwd": "/work", "message": "go", "new_session": true})
		id, waits := m.SessionID, ""
		switch tool {
		case "session_prompts":
			waits = c.say(id, "", "later").PromptID
		case "session_answer":
			c.settledRequest(id)
		case "session_cleanup":
			callTool[args](c, "session_change", args{"session_id": id, "labels": args{"of": id}})
			callTool[args](c, "session_end", args{"session_id": id})
		}
		in := maps.Clone(onceArgs(id, waits)[tool])
		in["idempotency_key"] = "k-" + tool
		first := callTool[args](c, tool, in)
		if first["replayed"] != nil {
			t.Fatalf("%s: a first call is %v", tool, first)
		}
		if tool == "session_interrupt" || tool == "session_answer" {
			over := false // what the first call had the agent do
			h.until(id, func(e *protocol.Event) bool {
				over = over || e.Payload.Type() == protocol.TypeTurnEnd
				s, isStatus := e.Payload.(*protocol.Status)
				return over && isStatus && s.State == protocol.StateIdle
			})
		}
		version := h.version(id)
		first["replayed"] = true
		h.repeated(first, tool, in)
		if now := h.version(id); now != version {
			t.Errorf("%s was done twice: the log has %s events, before %s", tool, now, version)
		}
		other := maps.Clone(in)
		other["session_id"] = nowhere
		if tool == "session_cleanup" {
			delete(other, "session_id")
			other["max_age_hours"] = 1
		}
		c.fails(protocol.CodeConflict, tool, other)
		if r := h.keyed("k-"+tool, http.MethodPost, "/sessions/"+id+"/end", ""); r.problem(t).Code != protocol.CodeConflict {
			t.Errorf("%s: its key over HTTP: %s", tool, r.body)
		}
		if tool == "session_delete" || tool == "session_cleanup" {
			continue
		}
		kept.Close()
		h, kept = begin()
		h.repeated(first, tool, in)
		if now := h.version(id); now != version {
			t.Errorf("%s was done again in the next life: the log has %s events, before %s", tool, now, version)
		}
	}
	kept.Close()
}

// repeated calls a tool with its key again, and wants the same answer, in both eras and as an action of the tool session.
func (h *harness) repeated(want args, tool string, in args) {
	h.t.Helper()
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		r := c.call(tool, in)
		if got := resultOf[args](h.t, r); r.IsError || !reflect.DeepEqual(got, want) || !strings.HasPrefix(resultText(r), "Done before") {
			h.t.Errorf("%s, %s: repeated, it gets %v %s, want %v", tool, version, got, resultText(r), want)
		}
	}
	action := maps.Clone(in)
	action["action"] = strings.TrimPrefix(tool, "session_")
	if tool == "session_prompts" {
		action["action"] = "cancel_prompt"
	}
	r := h.connect(oldEra).call("session", action)
	if r.IsError || !strings.Contains(resultText(r), `"replayed":true`) {
		h.t.Errorf("as an action, %s gets %s", tool, resultText(r))
	}
}

// TestMCPKeysOfTools: every tool that changes something takes a key, and says by which member of its result a repeat is known; what reads takes none.
//
// Proves: I13.4/tools
func TestMCPKeysOfTools(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	for name, tool := range c.list() {
		in, out := tool.InputSchema.(map[string]any), tool.OutputSchema.(map[string]any)
		_, takes := in["properties"].(map[string]any)["idempotency_key"]
		marks, _ := out["properties"].(map[string]any)
		_, replayed := marks["replayed"]
		_, repeated := marks["repeated"]
		if reads := tool.Annotations.ReadOnlyHint; takes == reads || (replayed || repeated) == reads {
			t.Errorf("%s: reads %v, takes a key %v, marks repeats %v", name, reads, takes, replayed || repeated)
		}
	}
	id := c.say("", "busy", "go").SessionID
	c.say(id, "", "waits")
	for range 2 { // a key of a call that only reads is passed over
		if got := callTool[args](c, "session_prompts", args{"session_id": id, "idempotency_key": "k"}); got["replayed"] != nil || got["total"] != 1.0 {
			t.Errorf("%v", got)
		}
		callTool[args](c, "session_cleanup", args{"dry_run": true, "idempotency_key": "k"})
		c.fails(protocol.CodePromptNotFound, "session_prompts", args{"session_id": id, "action": "cancel", "prompt_id": "p9", "idempotency_key": "k"}) // refused: not used
	}
	callTool[args](c, "session_prompts", args{"session_id": id, "action": "cancel", "prompt_id": "p2", "idempotency_key": "k"})
	c.fails(protocol.CodeInvalidRequest, "session_end", args{"session_id": id, "idempotency_key": strings.Repeat("k", 129)})
	c.fails(protocol.CodeInvalidRequest, "session_prompts", args{"session_id": id, "action": "move", "prompt_id": "p2", "idempotency_key": "l"})
	callTool[args](c, "session_delete", args{"session_id": id})
	if r := c.call("session_prompts", args{"session_id": id, "action": "cancel", "prompt_id": "p2", "idempotency_key": "k"}); !strings.Contains(resultText(r), "session_prompts with session_id "+id) || !strings.Contains(resultText(r), "(answer_gone)") {
		t.Errorf("of a session that is gone: %s", resultText(r))
	}
}

// TestMCPOnceAsATask: a message with a key that runs as a task is the same task when it comes again, with the same prompt.
//
// Proves: I13.4/tasks
func TestMCPOnceAsATask(t *testing.T) {
	h := newHarness(t)
	in := args{"agent": "echo", "cwd": "/work", "message": "hello", "new_session": true, "idempotency_key": "k"}
	first := h.begin(maps.Clone(in))
	h.awaitTask(first.TaskID, "completed")
	again := h.begin(maps.Clone(in))
	if again.TaskID != first.TaskID || again.Status != "completed" || again.Meta.Session.PromptID != first.Meta.Session.PromptID || first.TaskID == "" {
		t.Errorf("%+v, first %+v", again, first)
	}
	end := args{"name": "session_end", "arguments": args{"session_id": first.Meta.Session.SessionID, "idempotency_key": "e"}}
	for n := range 2 { // no task, but a result
		r := h.modern("tools/call", maps.Clone(end), true)
		if strings.Contains(string(r.Result), `"replayed":true`) != (n == 1) || !strings.Contains(string(r.Result), `"resultType":"complete"`) {
			t.Errorf("%d: %s", n, r.Result)
		}
	}
}
