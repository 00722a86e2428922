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
func (t *Translator) printed(kind string, line []byte, out *adapters.Output) {
	var p printedLine
	_ = native.Decode(line, &p)
	switch kind {
	case "system":
		t.tell(native.Told{Session: p.SessionID, Model: p.Model}, out)
		t.ready(out)
	case "message":
		t.printedMessage(&p, out)
	case "reasoning":
		t.beginRound(out)
		t.whole(protocol.EntryThinking, t.textData(protocol.EntryThinking, p.Text), p.ID, out)
	case "tool_call":
		c := t.toolUse(p.ID, p.ToolName, p.Parameters, true, out)
		c.bound = true
		c.run(out)
	case "tool_result":
		r := &content{ToolUseID: p.ID, Content: p.Value, IsError: p.IsError}
		if len(p.Value) == 0 {
			r.Content = encode(p.Error.Message)
		}
		t.run.inRound = false
		t.endTool(r, out)
	case "completion":
		t.printedEnd(&p, "", out)
	case "error":
		t.printedEnd(&p, cmp.Or(p.Message, "unknown error"), out)
	case "result":
		t.tell(native.Told{Session: p.SessionID}, out)
		t.begin(nil, out)
		problem := ""
		if p.Failed {
			problem = cmp.Or(p.Result, p.Subtype, "unknown error")
		} else if p.Result != "" {
			t.whole(protocol.EntryAssistantMessage, t.textData(protocol.EntryAssistantMessage, p.Result), "", out)
		}
		t.printedEnd(&p, problem, out)
	default:
		native.Keep(kind, line, out)
	}
}

func (t *Translator) printedMessage(p *printedLine, out *adapters.Output) {
	if p.Role == "user" {
		t.begin(&protocol.Prompt{Text: native.Head(p.Text, t.spec.TextLimit())}, out)
		data := &protocol.MessageData{Role: "user"}
		data.Text, data.Cut = native.Cut(p.Text, t.spec.TextLimit())
		t.whole(protocol.EntryUserMessage, data, p.ID, out)
		return
	}
	t.beginRound(out)
	t.whole(protocol.EntryAssistantMessage, t.textData(protocol.EntryAssistantMessage, p.Text), p.ID, out)
}

// printedEnd ends the turn; a problem without one is a notice.
func (t *Translator) printedEnd(p *printedLine, problem string, out *adapters.Output) {
	problem = native.Head(problem, maxNoticed)
	if !t.run.on {
		if problem != "" {
			out.Draft(adapters.Notice{Level: "error", Kind: "error", Text: problem})
		}
		return
	}
	t.turnUsage(p.Usage.tokens(), tokens{}, out)
	t.forgetTurn()
	end := adapters.TurnEnded{Status: protocol.TurnCompleted}
	if problem != "" {
		end.Status, end.Error = protocol.TurnError, problem
	}
	out.Draft(end)
}
