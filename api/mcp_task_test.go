package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// task is one as the wire has it.
type task struct {
	ResultType    string `json:"resultType"`
	TaskID        string `json:"taskId"`
	Status        string `json:"status"`
	StatusMessage string `json:"statusMessage"`
	InputRequests map[string]struct {
		Method string `json:"method"`
		Params struct {
			Message string `json:"message"`
		} `json:"params"`
	} `json:"inputRequests"`
	Result *struct {
		ResultType string `json:"resultType"`
		IsError    bool   `json:"isError"`
		Content    []struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"result"`
	Error *struct {
		Data struct {
			Code protocol.Code `json:"code"`
		} `json:"data"`
	} `json:"error"`
	Meta struct {
		Session told `json:"ringmaster/session"`
	} `json:"_meta"`
}

func (h *harness) task(r rpc) (k task) {
	h.t.Helper()
	if r.Error != nil {
		h.t.Fatalf("%+v", *r.Error)
	}
	if err := json.Unmarshal(r.Result, &k); err != nil {
		h.t.Fatal(err)
	}
	return k
}

// begin sends a message that becomes a task.
func (h *harness) begin(arguments args) task {
	h.t.Helper()
	k := h.task(h.modern("tools/call", args{"name": "session_message", "arguments": arguments}, true))
	if k.ResultType != "task" || k.TaskID == "" || k.Status == "" {
		h.t.Fatalf("%+v", k)
	}
	return k
}

// awaitTask looks until a task has a status.
func (h *harness) awaitTask(id, status string) task {
	h.t.Helper()
	return h.awaitTaskAt(h.base, id, status)
}

func (h *harness) awaitTaskAt(base, id, status string) task {
	h.t.Helper()
	for begun := time.Now(); ; {
		k := h.task(h.modernAt(base, "tasks/get", args{"taskId": id}, true))
		if k.Status == status {
			return k
		}
		if time.Since(begun) > patience || k.Result != nil {
			h.t.Fatalf("%+v", k)
		}
	}
}

// TestMCPTaskLifecycle: a turn is a task, an approval is input that it requires, the answer is the task's result.
// Proves: I10.2/tasks
func TestMCPTaskLifecycle(t *testing.T) {
	h := newHarness(t)
	k := h.begin(args{"agent": "asking", "cwd": "/work", "message": "rm -r /"})
	if k.Meta.Session.SessionID == "" || !k.Meta.Session.Spawned {
		t.Errorf("the task does not name its session: %+v", k)
	}
	asks := h.awaitTask(k.TaskID, "input_required")
	for id, r := range asks.InputRequests {
		if r.Method != "elicitation/create" || r.Params.Message != "May I?\n\n(asking, in /work)" {
			t.Errorf("%+v", asks)
		}
		for _, bad := range []any{args{"action": "perhaps"}, args{}, "yes"} {
			if r := h.modern("tasks/update", args{"taskId": k.TaskID, "inputResponses": args{id: bad}}, true); r.Error == nil || r.Error.Code != -32602 {
				t.Errorf("%v was taken", bad)
			}
		}
		h.task(h.modern("tasks/update", args{"taskId": k.TaskID, "inputResponses": args{
			id: args{"action": "accept", "content": args{"option": "allow_once"}}, "nobody": args{"action": "accept"},
		}}, true))
	}
	if len(asks.InputRequests) != 1 {
		t.Fatalf("%+v", asks)
	}
	done := h.awaitTask(k.TaskID, "completed")
	if done.Result == nil || done.Result.IsError || done.Result.ResultType != "complete" || !strings.HasPrefix(done.Result.Content[0].Text, "answered") {
		t.Errorf("%+v", done)
	}
	h.task(h.modern("tasks/cancel", args{"taskId": k.TaskID}, true)) // too late, and no error
	h.awaitTask(k.TaskID, "completed")

	// What it was is in the log: a service that is started anew knows it too.
	another, err := New(Config{Supervisor: h.tree, Token: testToken})
	if err != nil {
		t.Fatal(err)
	}
	again := another.mcp
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		again.ServeHTTP(w, r.WithContext(access.With(r.Context(), access.Root)))
	}))
	defer again.Close()
	defer server.Close()
	if same := h.awaitTaskAt(server.URL, k.TaskID, "completed"); same.Result.Content[0].Text != done.Result.Content[0].Text {
		t.Errorf("after a restart: %+v", same)
	}
}

// TestMCPTasksAreCancelled: one that runs by an interrupt, one that waits by leaving the queue.
func TestMCPTasksAreCancelled(t *testing.T) {
	h := newHarness(t)
	running := h.begin(args{"agent": "busy", "cwd": "/work", "message": "first"})
	id := running.Meta.Session.SessionID
	waits := h.begin(args{"session_id": id, "message": "second"})
	h.task(h.modern("tasks/cancel", args{"taskId": waits.TaskID}, true))
	h.awaitTask(waits.TaskID, "cancelled")
	h.awaitTask(running.TaskID, "working")
	h.task(h.modern("tasks/cancel", args{"taskId": running.TaskID}, true))
	h.awaitTask(running.TaskID, "cancelled")

	third := h.begin(args{"session_id": id, "message": "third"})
	h.awaitTask(third.TaskID, "working")
	h.want(200, "POST", "/sessions/"+id+"/end", "")
	k := h.task(h.modern("tasks/get", args{"taskId": third.TaskID}, true))
	if k.Status != "cancelled" || !strings.Contains(k.StatusMessage, "ended") && !strings.Contains(k.StatusMessage, "interrupted") {
		t.Errorf("the session was ended, and the task is %+v", k)
	}
}

// TestMCPTasksAreOffered to clients that declare them alone.
func TestMCPTasksAreOffered(t *testing.T) {
	h := newHarness(t)
	r := h.modern("tools/call", args{"name": "session_message", "arguments": args{"agent": "echo", "cwd": "/work", "message": "x"}}, false)
	var plain struct {
		ResultType        string `json:"resultType"`
		StructuredContent told   `json:"structuredContent"`
	}
	if err := json.Unmarshal(r.Result, &plain); err != nil || plain.ResultType == "task" || plain.StructuredContent.SessionID == "" {
		t.Fatalf("%s, %v", r.Result, err)
	}
	id := plain.StructuredContent.SessionID + "." + plain.StructuredContent.PromptID
	if r := h.modern("tasks/get", args{"taskId": id}, false); r.Error == nil || r.Error.Code != sdk.CodeMissingRequiredClientCapabilities {
		t.Errorf("%+v", r)
	}
	h.awaitTask(id, "completed") // also a prompt that was no task at first
	for _, bad := range []string{
		"", ".", "x", id + "x", id[1:], strings.ToUpper(id), plain.StructuredContent.SessionID, plain.StructuredContent.SessionID + ".",
		"00000000-0000-4000-8000-000000000000.p1", "../../etc/passwd.p1", strings.Repeat("a", 10000),
	} {
		for _, method := range []string{"tasks/get", "tasks/cancel", "tasks/update"} {
			if r := h.modern(method, args{"taskId": bad}, true); r.Error == nil || r.Error.Code != -32602 || r.Status != 400 {
				t.Errorf("%s of %.40q: %+v", method, bad, r)
			}
		}
	}
}

// TestMCPElicitation: the user of a client of the old era answers an approval; whoever is first counts.
func TestMCPElicitation(t *testing.T) {
	h := newHarness(t)
	asked := make(chan *sdk.ElicitParams, 4)
	answer := make(chan *sdk.ElicitResult, 1)
	c := h.connect(oldEra, func(o *sdk.ClientOptions) {
		o.ElicitationHandler = func(ctx context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			asked <- r.Params
			select {
			case a := <-answer:
				return a, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}).listening()
	answer <- &sdk.ElicitResult{Action: "accept", Content: map[string]any{"option": protocol.AllowOnce}}
	m := c.say("", "asking", "rm -r /")
	got := c.until(idleAgain(1))
	if p := <-asked; !strings.HasPrefix(p.Message, "May I?") {
		t.Errorf("%+v", p)
	}
	if !strings.HasPrefix(got[len(got)-2].Text, "answered") {
		t.Errorf("%+v", got)
	}
	var opened *protocol.RequestResolved
	for line := range strings.Lines(string(h.log(m.SessionID, ""))) {
		e, err := protocol.Decode([]byte(strings.TrimSpace(line)))
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := e.Payload.(*protocol.RequestResolved); ok {
			opened = r
		}
	}
	if opened == nil || opened.Outcome != protocol.OutcomeAllowed || opened.By != "client:mcp" {
		t.Errorf("%+v", opened)
	}

	// Somebody else is first: the form is taken away, and nothing breaks.
	m = c.say("", "asking", "again")
	received(t, asked)
	callTool[args](c, "session_answer", args{"session_id": m.SessionID, "option": "deny", "message": "no"})
	c.until(idleAgain(2))
}
