package droid

import (
	"cmp"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// printedLine is a line of `droid exec -o stream-json` or `-o json`, which print a single turn.
type printedLine struct {
	Subtype    string          `json:"subtype"`
	SessionID  string          `json:"session_id"`
	Model      string          `json:"model"`
	Role       string          `json:"role"`
	ID         string          `json:"id"`
	MessageID  string          `json:"messageId"`
	Text       string          `json:"text"`
	ToolName   string          `json:"toolName"`
	Parameters json.RawMessage `json:"parameters"`
	IsError    bool            `json:"isError"`
	Value      json.RawMessage `json:"value"`
	Error      struct {
		Message string `json:"message"`
	} `json:"error"`
	Message string       `json:"message"` // of an error
	Failed  bool         `json:"is_error"`
	Result  string       `json:"result"`
	Usage   printedUsage `json:"usage"`
}

type printedUsage struct {
	Input      int64 `json:"input_tokens"`
	Output     int64 `json:"output_tokens"`
	CacheRead  int64 `json:"cache_read_input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
	Thinking   int64 `json:"thinking_tokens"`
}

func (u printedUsage) tokens() tokens {
	return tokens{Input: u.Input, Output: u.Output, CacheWrite: u.CacheWrite, CacheRead: u.CacheRead, Thinking: u.Thinking}
}

// printed takes a line that is not of the protocol: of another format, or of no known type.
func printed(kind string, line []byte, w *work, out *adapters.Output) {
	var p printedLine
	_ = native.Decode(line, &p)
	switch kind {
	case "system":
		w.told.tell(native.Told{Session: p.SessionID, Model: p.Model}, out)
		w.told.tellReady(out)
	case "message":
		if p.Role == "user" {
			w.beginWith(nil, p.Text, out)
			w.entries.user(p.Text, nil, p.ID, w.turn.round, out)
			return
		}
		w.beginRound(out)
		w.entries.said(protocol.EntryAssistantMessage, p.Text, p.ID, w.turn.round, out)
	case "reasoning":
		w.beginRound(out)
		w.entries.said(protocol.EntryThinking, p.Text, p.ID, w.turn.round, out)
	case "tool_call":
		c := w.announce(p.ID, p.ToolName, p.Parameters, true, out)
		c.bound = true
		c.runs(out)
	case "tool_result":
		r := &contentWire{ToolUseID: p.ID, Content: p.Value, IsError: p.IsError}
		if len(p.Value) == 0 {
			r.Content = encode(p.Error.Message)
		}
		w.turn.inRound = false
		w.result(r, out)
	case "completion":
		p.end("", w, out)
	case "error":
		p.end(cmp.Or(p.Message, "unknown error"), w, out)
	case "result":
		w.told.tell(native.Told{Session: p.SessionID}, out)
		w.begin(nil, out)
		problem := ""
		if p.Failed {
			problem = cmp.Or(p.Result, p.Subtype, "unknown error")
		} else if p.Result != "" {
			w.entries.said(protocol.EntryAssistantMessage, p.Result, "", w.turn.round, out)
		}
		p.end(problem, w, out)
	default:
		native.Keep(kind, line, out)
	}
}

// end ends the turn; a problem without one is a notice.
func (p *printedLine) end(problem string, w *work, out *adapters.Output) {
	problem = native.Head(problem, maxNoticed)
	if !w.turn.on {
		if problem != "" {
			notice("error", "error", problem, out)
		}
		return
	}
	w.usage.ofTurn(p.Usage.tokens(), tokens{}, w.told.Model, out)
	w.forget()
	end := adapters.TurnEnded{Status: protocol.TurnCompleted}
	if problem != "" {
		end.Status, end.Error = protocol.TurnError, problem
	}
	out.Draft(end)
}
