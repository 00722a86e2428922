package task

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Wire is a task as tasks/get and tools/call answer it.
type Wire struct {
	sdk.ResultBase
	ResultType     string              `json:"resultType"`
	TaskID         string              `json:"taskId"`
	Status         string              `json:"status"`
	StatusMessage  string              `json:"statusMessage,omitempty"`
	CreatedAt      time.Time           `json:"createdAt"`
	LastUpdatedAt  time.Time           `json:"lastUpdatedAt"`
	TTLMs          *int64              `json:"ttlMs"` // null: as long as the session is
	PollIntervalMs int64               `json:"pollIntervalMs,omitempty"`
	InputRequests  sdk.InputRequestMap `json:"inputRequests,omitempty"`
	Result         *Result             `json:"result,omitempty"`
	Error          *jsonrpc.Error      `json:"error,omitempty"`
}

// Result is the result of the call that became the task. It says of which type it is as any result of its revision does: the
// SDK says so only of what it sends itself.
type Result struct {
	ResultType        string        `json:"resultType"`
	Content           []sdk.Content `json:"content"`
	StructuredContent any           `json:"structuredContent,omitempty"`
	IsError           bool          `json:"isError,omitempty"`
}

// The states of a task.
const (
	Working       = "working"
	InputRequired = "input_required"
	Completed     = "completed" // also where the agent says that it failed: that is a result, with isError
	Failed        = "failed"    // no result, for the agent was lost, the daemon ended, or the log is damaged
	Cancelled     = "cancelled" // somebody did not want it any more
)

const taskPoll = 500 // milliseconds between two looks

// wire is the task as it stands, for a client that can be asked with forms or cannot. With mu held.
func (f *taskLog) wire(id string, forms bool) *Wire {
	sessionID, _, _ := ParseID(id)
	w := &Wire{
		ResultType: "complete", TaskID: id, Status: f.state, StatusMessage: f.why, CreatedAt: time.UnixMilli(f.created).UTC(),
		LastUpdatedAt: time.UnixMilli(f.updated).UTC(), PollIntervalMs: taskPoll,
	}
	switch {
	case f.lost():
		w.Status, w.StatusMessage, w.Error = Failed, output.EndUnknown, f.failure(sessionID)
	case f.state == "":
		w.Status = Working
		f.wireOpen(w, sessionID, forms)
	case f.state == Completed:
		w.Result = f.result(sessionID)
	case f.state == Failed:
		w.Error = f.failure(sessionID)
	}
	return w
}

// wireOpen says what a task that is not over waits for.
func (f *taskLog) wireOpen(w *Wire, sessionID string, forms bool) {
	asks := f.asks()
	switch {
	case f.turnID == "":
		w.StatusMessage = "The prompt waits in the queue."
	case len(asks) == 0:
	case forms:
		w.Status, w.InputRequests = InputRequired, sdk.InputRequestMap{}
		for _, r := range asks {
			w.InputRequests[r.RequestID] = form.Elicitation(r)
		}
	default:
		r := asks[0]
		w.StatusMessage = fmt.Sprintf("The agent waits for an answer: %s Call session_answer with session_id %s and request_id %s.",
			protocol.Head(r.Title, MaxAsked), sessionID, r.RequestID)
	}
}

// MaxAsked is how much of a request's title a task's message shows, in bytes.
const MaxAsked = 200

// result is what session_message answers in the end.
func (f *taskLog) result(sessionID string) *Result {
	out := output.Message{SessionID: sessionID, LastEventIndex: f.lastBefore(), PromptID: f.promptID, Push: output.PushUnavailable, Result: f.outcome()}
	out.Result.Shorten(protocol.BriefMessage, output.MaxReason)
	content := []sdk.Content{&sdk.TextContent{Text: f.answer}}
	switch {
	case f.failed:
		content[0] = &sdk.TextContent{Text: f.why}
	case out.Bytes > 0:
		var b strings.Builder
		out.WriteRest(&b)
		content = append(content, &sdk.TextContent{Text: b.String()})
	}
	return &Result{"complete", content, out, f.failed}
}

// taskError is the data of the error of a task that has no result.
type taskError struct {
	*protocol.Problem
	SessionID      string `json:"session_id"`
	PromptID       string `json:"prompt_id"`
	LastEventIndex int    `json:"last_event_index"`
}

// failure is why there is no result.
func (f *taskLog) failure(sessionID string) *jsonrpc.Error {
	p := protocol.NewProblem(protocol.CodeUnavailable, f.why, "session_events tells what was done. Send the message again, if it is still wanted.")
	if f.lost() {
		p = protocol.NewProblem(protocol.CodeDamaged, output.EndUnknown, output.EndsEarly(f.damage))
	}
	data, err := json.Marshal(taskError{p, sessionID, f.promptID, f.lastBefore()})
	if err != nil {
		data = nil // strings and numbers always encode
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: p.Detail, Data: data}
}
