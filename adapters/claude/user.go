package claude

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// userLine is a message of the user's side: results of tools, what Claude Code told the model itself, and echoes.
type userLine struct {
	UUID        string          `json:"uuid"`
	Message     message         `json:"message"`
	Result      json.RawMessage `json:"tool_use_result"` // structured; a string for errors
	Meta        []resultMeta    `json:"tool_result_meta"`
	IsReplay    bool            `json:"isReplay"`
	IsSynthetic bool            `json:"isSynthetic"`
}

// resultMeta says how a result came about.
type resultMeta struct {
	ID  string `json:"id"`
	Why string `json:"non_execution_kind"` // why the tool did not run, or not to its end
}

// launched says that the result is only that of a start: what was started goes on.
func (u *userLine) launched() bool {
	var r struct {
		Status  string `json:"status"`
		IsAsync bool   `json:"isAsync"`
		Task    string `json:"backgroundTaskId"`
	}
	_ = native.Decode(u.Result, &r)
	return r.IsAsync || strings.HasSuffix(r.Status, "_launched") || r.Task != ""
}

// stopped says that somebody stopped the call.
func (u *userLine) stopped(id string) bool {
	return slices.ContainsFunc(u.Meta, func(m resultMeta) bool {
		return m.ID == id && (m.Why == "user-rejected" || m.Why == "interrupted")
	})
}

// interruptMark begins what Claude Code tells the model of an interruption.
const interruptMark = "[Request interrupted by user"

// commandOutput begins what a local command printed.
const commandOutput = "<local-command-std"

func (t *Translator) user(line []byte, out *adapters.Output) {
	var u userLine
	_ = native.Decode(line, &u)
	list := blocks(u.Message.Content)
	results := 0
	for i := range list {
		if list[i].Type == "tool_result" {
			results++
		}
	}
	for i := range list {
		if c := &list[i]; c.Type == "tool_result" {
			t.toolResult(c, &u, results == 1, out)
		}
	}
	if results > 0 {
		return
	}
	text := plain(list)
	switch {
	case strings.HasPrefix(text, interruptMark):
		t.turn.aborted = t.turn.on
	case t.compact.open && (u.IsSynthetic || !u.IsReplay):
		t.endCompaction(text, out)
	case u.IsSynthetic, strings.HasPrefix(text, commandOutput):
		// For the model only: "go on", the content of a skill, the output of a local command.
	case t.spec.Child:
		t.childPrompt(text, out)
	case u.IsReplay:
		t.replayed(u.UUID, list, out)
	}
}

// toolResult ends a call with the result that the model gets, and with what the structured one says more. That belongs to
// the line: only tells of a single result.
func (t *Translator) toolResult(r *content, u *userLine, only bool, out *adapters.Output) {
	c := t.tools[r.ToolUseID]
	if c == nil || c.closed {
		return
	}
	status := protocol.ToolCompleted
	if r.IsError {
		status = protocol.ToolError
	}
	d := c.data(status)
	output := plain(blocks(r.Content))
	var more structured
	if only {
		_ = native.Decode(u.Result, &more)
	}
	if whole := more.streams(); len(whole) > len(output) {
		output = whole
	}
	d.Output, d.Cut = native.Cut(output, c.limit)
	if more.PersistedSize > int64(len(output)) {
		d.Cut = protocol.Cut{Truncated: true, Bytes: more.PersistedSize}
	}
	if kindOf(c.name) == protocol.ToolExecute && r.IsError {
		d.ExitCode = exitCode(output)
	}
	c.launched = only && u.launched()
	diff.Set(d, more.diff(t.spec.Cwd), c.limit)
	t.endTool(c, d, out)
}

// exitCode reads the code that the output of a failed command begins with; nil: it does not say one.
func exitCode(output string) *int {
	rest, ok := strings.CutPrefix(output, "Exit code ")
	if !ok {
		return nil
	}
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	code := native.Number([]byte(rest[:n]))
	if code < 0 {
		return nil
	}
	return &code
}
