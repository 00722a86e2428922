package droid

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// announce takes a call as announced: first empty, then with its input, then in its message, which is final.
func (w *work) announce(id, name string, input json.RawMessage, final bool, out *adapters.Output) *tool {
	c := w.tools.calls[id]
	// The provider gives the ids: one that comes again after its end is another call.
	if c == nil || c.closed && (c.bound || !final) {
		c = w.openTool(id, name, protocol.ToolPending, out)
	}
	c.read(input, final, out)
	return c
}

func (w *work) openTool(id, name string, status protocol.ToolStatus, out *adapters.Output) *tool {
	w.beginRound(out)
	w.entries.endTexts(out)
	return w.tools.open(w.entries.keys.Next(), id, name, status, w.turn.round, out)
}

// known finds a call, or opens the entry of one whose announcement was lost. Outside of a turn there is none: late lines open
// nothing.
func (w *work) known(id, name string, out *adapters.Output) *tool {
	if c := w.tools.calls[id]; c != nil || !w.turn.on || id == "" {
		return c
	}
	return w.openTool(id, name, protocol.ToolRunning, out)
}

// call takes tool_call.
func (w *work) call(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		ToolUse contentWire `json:"toolUse"`
	}
	_ = native.Decode(raw, &n)
	if u := &n.ToolUse; u.ID != "" {
		w.announce(u.ID, u.Name, u.Input, false, out)
	}
}

// executes takes tool_execution_phase_changed.
func (w *work) executes(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		ToolUseID string `json:"toolUseId"`
		ToolName  string `json:"toolName"`
		Phase     string `json:"phase"`
	}
	_ = native.Decode(raw, &n)
	if n.Phase != "executing" {
		return
	}
	if c := w.known(n.ToolUseID, n.ToolName, out); c != nil {
		c.runs(out)
	}
}

// progress takes tool_progress_update.
func (w *work) progress(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		ToolUseID string `json:"toolUseId"`
		ToolName  string `json:"toolName"`
		Update    struct {
			FullOutput string `json:"fullOutput"`
		} `json:"update"`
	}
	_ = native.Decode(raw, &n)
	if c := w.known(n.ToolUseID, n.ToolName, out); c != nil {
		c.gives(n.Update.FullOutput, out)
	}
}

// result takes the result of a call. Those of interrupted ones may be followed by another.
func (w *work) result(r *contentWire, out *adapters.Output) {
	if c := w.known(r.ToolUseID, "", out); c != nil {
		w.endTool(c, r, w.turn.aborting, out)
	}
}
