package pi

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// shell is a command that the user ran through Pi, beside the model: a tool call that needs no run. The daemon sends none;
// recordings have them.
type shell struct {
	key     adapters.EntryKey
	id      string // of the native command
	command string
	budget  native.Budget
}

func (t *Translator) shellStart(id, command string, out *adapters.Output) *shell {
	s := &shell{key: t.entry(), id: id, budget: native.Budget{Limit: t.spec.TextLimit()}}
	s.command, _ = native.Cut(command, t.spec.TextLimit())
	t.shells[id] = s
	out.Draft(adapters.EntryOpened{
		Key: s.key, Type: protocol.EntryToolCall, Data: s.data(protocol.ToolRunning), Round: t.run.round,
	})
	return s
}

func (s *shell) data(status protocol.ToolStatus) *protocol.ToolCallData {
	return &protocol.ToolCallData{ToolName: "bash", CallID: s.id, Command: s.command, Status: status}
}

func (t *Translator) shellUpdate(line []byte, out *adapters.Output) {
	var e struct {
		ID    string `json:"id"`
		Delta string `json:"delta"`
	}
	_ = native.Decode(line, &e)
	s := t.shells[e.ID]
	if s == nil {
		s = t.shellStart(e.ID, "", out)
	}
	if delta := s.budget.Take(e.Delta); delta != "" {
		out.Draft(adapters.EntryChanged{Key: s.key, Delta: &protocol.TextAppend{Text: delta}})
	}
}

// shellEnd closes a shell command with its response: the last update may be missing.
func (t *Translator) shellEnd(r *response, out *adapters.Output) {
	var d struct {
		Output    string `json:"output"`
		ExitCode  *int   `json:"exitCode"`
		Cancelled bool   `json:"cancelled"`
	}
	_ = native.Decode(r.Data, &d)
	s := t.shells[r.ID]
	if s == nil {
		s = t.shellStart(r.ID, "", out)
	}
	delete(t.shells, r.ID)
	status := protocol.ToolCompleted
	if !r.Success || d.Cancelled || (d.ExitCode != nil && *d.ExitCode != 0) {
		status = protocol.ToolError
	}
	data := s.data(status)
	data.Output, data.Cut = native.Cut(d.Output+r.Error, t.spec.TextLimit())
	data.ExitCode = d.ExitCode
	if raw, err := json.Marshal(struct {
		Command string `json:"command"`
	}{s.command}); err == nil && s.command != "" {
		data.Arguments = native.CutMember(string(raw), "arguments", t.spec.TextLimit(), &data.Extra)
	}
	out.Draft(adapters.EntryClosed{Key: s.key, Data: data})
	if s.command != "" {
		t.binder.wait(wanted{role: "bashExecution", mark: s.command}, out, s.key)
		t.fetch(out)
	}
}
