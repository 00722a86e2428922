package pi

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// shells are the commands that the user runs through Pi, beside the model: tool calls that need no turn. The daemon sends none;
// recordings have them.
type shells struct {
	limit int // bytes of a text
	open  map[string]*shell
}

// shell is one of them.
type shell struct {
	key     adapters.EntryKey
	id      string // of the native command
	command string // empty: not known
	budget  native.Budget
}

// start opens the entry of a command.
func (s *shells) start(id, command string, keys *keys, round int, out *adapters.Output) *shell {
	one := &shell{key: keys.Next(), id: id, budget: native.Budget{Limit: s.limit}}
	one.command, _ = native.Cut(command, s.limit)
	s.open[id] = one
	out.Draft(adapters.EntryOpened{Key: one.key, Type: protocol.EntryToolCall, Data: one.data(protocol.ToolRunning), Round: round})
	return one
}

func (s *shell) data(status protocol.ToolStatus) *protocol.ToolCallData {
	return &protocol.ToolCallData{ToolName: "bash", CallID: s.id, Command: s.command, Status: status}
}

// update adds to the output of a command. One whose start was not seen is opened.
func (s *shells) update(line []byte, keys *keys, round int, out *adapters.Output) {
	var e struct {
		ID    string `json:"id"`
		Delta string `json:"delta"`
	}
	_ = native.Decode(line, &e)
	one := s.open[e.ID]
	if one == nil {
		one = s.start(e.ID, "", keys, round, out)
	}
	one.budget.Grow(one.key, e.Delta, native.AsText, out)
}

// end closes a command with its response: the last update may be missing.
func (s *shells) end(r *response, keys *keys, round int, out *adapters.Output) *shell {
	var d struct {
		Output    string `json:"output"`
		ExitCode  *int   `json:"exitCode"`
		Cancelled bool   `json:"cancelled"`
	}
	_ = native.Decode(r.Data, &d)
	one := s.open[r.ID]
	if one == nil {
		one = s.start(r.ID, "", keys, round, out)
	}
	delete(s.open, r.ID)
	status := protocol.ToolCompleted
	if !r.Success || d.Cancelled || (d.ExitCode != nil && *d.ExitCode != 0) {
		status = protocol.ToolError
	}
	data := one.data(status)
	data.Output, data.Cut = native.Cut(d.Output+r.Error, s.limit)
	data.ExitCode = d.ExitCode
	if raw, err := json.Marshal(struct {
		Command string `json:"command"`
	}{one.command}); err == nil && one.command != "" {
		data.Arguments = native.CutMember(string(raw), "arguments", s.limit, &data.Extra)
	}
	out.Draft(adapters.EntryClosed{Key: one.key, Data: data})
	return one
}
