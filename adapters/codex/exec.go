package codex

import (
	"encoding/json"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// execRun is a run of `codex exec --json`: a poorer format of its own, which is only imported. It has one turn at a time,
// no user messages and no deltas.
type execRun struct {
	turns   int
	problem string
}

func isExec(kind string) bool {
	switch kind {
	case "thread.started", "turn.started", "turn.completed", "turn.failed", "item.started", "item.updated", "item.completed", "error":
		return true
	}
	return false
}

// execItem is an item; its words are not those of the app-server.
type execItem struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Message  string          `json:"message"` // of error
	Status   string          `json:"status"`
	Command  string          `json:"command"`
	Output   *string         `json:"aggregated_output"`
	ExitCode *int            `json:"exit_code"`
	Server   string          `json:"server"`
	Tool     string          `json:"tool"`
	Args     json.RawMessage `json:"arguments"`
	Result   json.RawMessage `json:"result"`
	Error    *struct{ Message string }
	Query    string `json:"query"`
	Changes  []struct {
		Path string `json:"path"`
		Kind string `json:"kind"`
	} `json:"changes"`
	Items []struct {
		Text      string `json:"text"`
		Completed bool   `json:"completed"`
	} `json:"items"`
}

// wire puts an item into the app-server's words; ok is false for what has none.
func (e *execItem) wire() (w wireItem, ok bool) {
	w = wireItem{ID: e.ID, Status: e.Status, Text: e.Text}
	switch e.Type {
	case "agent_message":
		w.Type = "agentMessage"
	case "reasoning":
		w.Type = "reasoning"
		if e.Text != "" {
			w.Summary = []string{e.Text}
		}
	case "command_execution":
		w.Type, w.Command, w.AggregatedOutput, w.ExitCode = "commandExecution", e.Command, e.Output, e.ExitCode
	case "file_change":
		w.Type = "fileChange"
		for _, c := range e.Changes {
			one := change{Path: c.Path, untold: true}
			one.Kind.Type = c.Kind
			w.Changes = append(w.Changes, one)
		}
	case "mcp_tool_call":
		w.Type, w.Server, w.Tool, w.Arguments, w.Result, w.Error = "mcpToolCall", e.Server, e.Tool, e.Args, e.Result, e.Error
	case "web_search":
		w.Type, w.Query = "webSearch", e.Query
	default:
		return w, false
	}
	return w, true
}

// line takes a line of the run.
func (e *execRun) line(kind string, line []byte, t *thread, out *adapters.Output) {
	switch kind {
	case "thread.started":
		if id := text(line, "thread_id"); id != "" {
			t.link.thread = id
		}
		t.ready(out)
	case "turn.started":
		e.begin(t, out)
	case "turn.completed":
		execUsage(line, out)
		t.end(protocol.TurnCompleted, "", "", out)
	case "turn.failed":
		if problem := text(line, "error", "message"); problem != "" {
			e.problem = problem
		}
		e.begin(t, out)
		t.end(protocol.TurnError, native.Head(e.problem, maxNoticed), "", out)
		e.problem = ""
	case "error":
		if e.problem = text(line, "message"); e.problem != "" {
			out.Draft(adapters.Notice{Level: "warning", Kind: "error", Text: native.Head(e.problem, maxNoticed)})
		}
	default:
		e.item(kind, line, t, out)
	}
}

// begin opens a turn where none is open. The format has no ids for turns.
func (e *execRun) begin(t *thread, out *adapters.Output) {
	if !t.turn.on {
		e.turns++
		t.begin("exec-"+strconv.Itoa(e.turns), out)
	}
}

func (e *execRun) item(kind string, line []byte, t *thread, out *adapters.Output) {
	var p struct {
		Item execItem `json:"item"`
	}
	_ = native.Decode(line, &p)
	over := kind == "item.completed"
	switch p.Item.Type {
	case "error":
		if p.Item.Message != "" && over {
			out.Draft(adapters.Notice{Level: "warning", Kind: "error", Text: native.Head(p.Item.Message, maxNoticed)})
		}
		return
	case "todo_list":
		e.begin(t, out)
		t.planned(p.Item.plan(t.turn.id), out)
		return
	}
	w, ok := p.Item.wire()
	if !ok || w.ID == "" {
		native.Keep(kind+"."+p.Item.Type, line, out)
		return
	}
	e.begin(t, out)
	if !over {
		w.Status = "inProgress"
	}
	t.item(t.turn.id, &w, over, out)
}

// plan is a list of things to do as the app-server's plan.
func (e *execItem) plan(turn string) *planUpdate {
	u := &planUpdate{TurnID: turn}
	for _, i := range e.Items {
		status := "pending"
		if i.Completed {
			status = "completed"
		}
		u.Plan = append(u.Plan, planStep{i.Text, status})
	}
	return u
}

// execUsage reads the usage of a turn. It is that of all its model requests together.
func execUsage(line []byte, out *adapters.Output) {
	var u struct {
		Usage snakeTokens `json:"usage"`
	}
	_ = native.Decode(line, &u)
	if k := u.Usage.tokens(); !k.empty() {
		k.Total = k.Input + k.Output
		out.Draft(adapters.Used{Usage: protocol.TokenUsage{Usage: k.usage()}})
	}
}

// snakeTokens is tokens in the words of the other two formats.
type snakeTokens struct {
	Total     int64 `json:"total_tokens"`
	Input     int64 `json:"input_tokens"`
	Cached    int64 `json:"cached_input_tokens"`
	Output    int64 `json:"output_tokens"`
	Reasoning int64 `json:"reasoning_output_tokens"`
}

func (k snakeTokens) tokens() tokens { return tokens(k) }
