package claude

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tool is a tool call of the running turn: its block and its result are one entry.
type tool struct {
	key        adapters.EntryKey
	limit      int // bytes of a text
	name, id   string
	generation int    // of the message that called it: the same id in another one is another call
	arguments  []byte // as streamed
	final      string // as the agent read them
	budget     native.Budget
	running    bool
	launched   bool // its result was that of a start
	closed     bool // stays until the end of the turn, so that late lines open nothing
}

// openTool opens the entry of a call. Arguments that are known already say that it runs.
func (t *Translator) openTool(c *content, arguments string, out *adapters.Output) *tool {
	if old := t.tools[c.ID]; old != nil {
		if old.generation == t.stream.generation {
			return old
		}
		t.leaveTool(old, "superseded", out)
	}
	t.endTexts(out)
	limit := t.spec.TextLimit()
	call := &tool{
		key: t.entry(), limit: limit, name: c.Name, id: c.ID, generation: t.stream.generation, final: arguments, running: arguments != "",
		budget: native.Budget{Limit: limit},
	}
	t.tools[c.ID] = call
	status := protocol.ToolPending
	if call.running {
		status = protocol.ToolRunning
	}
	out.Draft(adapters.EntryOpened{
		Key: call.key, Type: protocol.EntryToolCall, Data: call.data(status), PersistentID: c.ID, Round: t.turn.round,
	})
	return call
}

// data is the call as known so far.
func (c *tool) data(status protocol.ToolStatus) *protocol.ToolCallData {
	d := &protocol.ToolCallData{ToolName: c.name, CallID: c.id, Status: status, Arguments: c.final}
	if d.Arguments == "" {
		d.Arguments = string(c.arguments)
	}
	if kindOf(c.name) == protocol.ToolExecute {
		d.Command, _ = native.Cut(readInput([]byte(c.final)).Command, c.limit)
	}
	d.Arguments = native.CutMember(d.Arguments, "arguments", c.limit, &d.Extra)
	return d
}

func (t *Translator) addArguments(c *tool, delta string, out *adapters.Output) {
	if c.closed || c.running {
		return
	}
	if delta = c.budget.Take(delta); delta != "" {
		c.arguments = append(c.arguments, delta...)
		out.Draft(adapters.EntryChanged{Key: c.key, Delta: &protocol.ArgumentsAppend{Text: delta}})
	}
}

// leaveTool closes a call that will get no result.
func (t *Translator) leaveTool(c *tool, reason string, out *adapters.Output) {
	if c.closed {
		return
	}
	t.dropAsks(c.key, out)
	c.closed = true
	out.Draft(adapters.EntryClosed{Key: c.key, Data: c.data(protocol.ToolError), Incomplete: true, Reason: reason})
}

// endTool closes a call with its result.
func (t *Translator) endTool(c *tool, d *protocol.ToolCallData, out *adapters.Output) {
	t.dropAsks(c.key, out)
	c.closed = true
	out.Draft(adapters.EntryClosed{Key: c.key, Data: d})
}

// serverResult ends the call of a server-side tool: its result is a block of the same message.
func (t *Translator) serverResult(r *content, out *adapters.Output) {
	c := t.tools[r.ToolUseID]
	if c == nil || c.closed {
		return
	}
	list := blocks(r.Content)
	status := protocol.ToolCompleted
	if r.IsError || len(list) == 1 && list[0].ErrorCode != "" {
		status = protocol.ToolError
	}
	d := c.data(status)
	d.Output, d.Cut = native.Cut(plain(list), c.limit)
	t.endTool(c, d, out)
}

// input are the members of tool inputs that say what a call does.
type input struct {
	Command    string `json:"command"`
	FilePath   string `json:"file_path"`
	Notebook   string `json:"notebook_path"`
	Path       string `json:"path"`
	Pattern    string `json:"pattern"`
	URL        string `json:"url"`
	Query      string `json:"query"`
	Plan       string `json:"plan"`
	Content    string `json:"content"`
	Old        string `json:"old_string"`
	New        string `json:"new_string"`
	ReplaceAll bool   `json:"replace_all"`
	Edits      []edit `json:"edits"`
	Unboxed    bool   `json:"dangerouslyDisableSandbox"`
}

// edit is one replacement.
type edit struct {
	Old        string `json:"old_string"`
	New        string `json:"new_string"`
	ReplaceAll bool   `json:"replace_all"`
}

func readInput(raw []byte) (in input) {
	_ = native.DecodeExact(raw, &in) // what is no object has no members
	return in
}

// kinds are the tools of Claude Code by what they do. All others, those of MCP servers among them, are ToolOther.
var kinds = map[string]protocol.ToolKind{
	"Read": protocol.ToolRead, "NotebookRead": protocol.ToolRead, "LS": protocol.ToolRead,
	"Glob": protocol.ToolSearch, "Grep": protocol.ToolSearch,
	"Edit": protocol.ToolEdit, "MultiEdit": protocol.ToolEdit, "Write": protocol.ToolEdit, "NotebookEdit": protocol.ToolEdit,
	"Bash": protocol.ToolExecute, "PowerShell": protocol.ToolExecute, "Monitor": protocol.ToolExecute,
	"WebFetch": protocol.ToolFetch, "WebSearch": protocol.ToolFetch,
}

func kindOf(name string) protocol.ToolKind {
	if k, ok := kinds[name]; ok {
		return k
	}
	return protocol.ToolOther
}
