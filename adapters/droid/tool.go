package droid

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tool is a tool call: everything about one id is one entry.
type tool struct {
	limit     int    // bytes of a text
	cwd       string // of the session
	key       adapters.EntryKey
	name, id  string
	arguments string // compact JSON; empty: not known yet
	streamed  bool   // the arguments went out as a delta
	output    native.Growth
	running   bool
	bound     bool                   // its message is complete
	closed    bool                   // stays until the end of the turn, so that late lines open nothing
	held      *protocol.ToolCallData // the result of an interrupted call, which another one may follow
}

// toolUse takes a call as announced: first empty, then with its input, then in its message, which is final.
func (t *Translator) toolUse(id, name string, input json.RawMessage, final bool, out *adapters.Output) *tool {
	c := t.tools[id]
	// The provider gives the ids: one that comes again after its end is another call.
	if c == nil || c.closed && (c.bound || !final) {
		c = t.openTool(id, name, protocol.ToolPending, out)
	}
	args := native.Compact(input)
	if args == "" || args == "{}" && !final {
		return c
	}
	c.arguments = args
	if !c.streamed && !c.closed {
		c.streamed = true
		out.Draft(adapters.EntryChanged{Key: c.key, Delta: &protocol.ArgumentsAppend{Text: native.Head(args, c.limit)}})
	}
	return c
}

func (t *Translator) openTool(id, name string, status protocol.ToolStatus, out *adapters.Output) *tool {
	t.beginRound(out)
	t.endTexts(out)
	limit := t.spec.TextLimit()
	c := &tool{
		limit: limit, cwd: t.spec.Cwd, key: t.entry(), name: cmp.Or(name, "unknown"), id: id, running: status == protocol.ToolRunning,
		output: native.Growth{Budget: native.Budget{Limit: limit}},
	}
	t.tools[id] = c
	out.Draft(adapters.EntryOpened{Key: c.key, Type: protocol.EntryToolCall, Data: c.data(status), Round: t.run.round})
	return c
}

// data is the call as known so far.
func (c *tool) data(status protocol.ToolStatus) *protocol.ToolCallData {
	d := &protocol.ToolCallData{ToolName: c.name, CallID: c.id, Status: status}
	if c.name == shellTool {
		d.Command, _ = native.Cut(c.input().Command, c.limit)
	}
	d.Arguments = native.CutMember(c.arguments, "arguments", c.limit, &d.Extra)
	return d
}

// input reads the arguments that Droid's own tools have.
func (c *tool) input() (in toolInput) {
	_ = native.DecodeExact([]byte(c.arguments), &in)
	return in
}

type toolInput struct {
	Command   string `json:"command"`
	FilePath  string `json:"file_path"`
	Directory string `json:"directory_path"`
	Folder    string `json:"folder"`
	Path      string `json:"path"`
	URL       string `json:"url"`
	Query     string `json:"query"`
	Pattern   string `json:"pattern"`
	OldText   string `json:"old_str"` // of Edit
	NewText   string `json:"new_str"`
}

// shellTool is the tool that runs commands.
const shellTool = "Execute"

func (t *Translator) toolCall(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		ToolUse content `json:"toolUse"`
	}
	_ = native.Decode(raw, &n)
	if n.ToolUse.ID != "" {
		t.toolUse(n.ToolUse.ID, n.ToolUse.Name, n.ToolUse.Input, false, out)
	}
}

// known finds a call, or opens the entry of one whose announcement was lost. Outside of a turn there is none: late lines open
// nothing.
func (t *Translator) known(id, name string, out *adapters.Output) *tool {
	if c := t.tools[id]; c != nil || !t.run.on || id == "" {
		return c
	}
	return t.openTool(id, name, protocol.ToolRunning, out)
}

// run says that the call is being carried out.
func (c *tool) run(out *adapters.Output) {
	if !c.running && !c.closed {
		c.running = true
		out.Draft(adapters.EntryChanged{Key: c.key, Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
	}
}

func (t *Translator) toolPhase(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		ToolUseID string `json:"toolUseId"`
		ToolName  string `json:"toolName"`
		Phase     string `json:"phase"`
	}
	_ = native.Decode(raw, &n)
	if n.Phase != "executing" {
		return
	}
	if c := t.known(n.ToolUseID, n.ToolName, out); c != nil {
		c.run(out)
	}
}

// toolProgress takes the whole output so far, which Droid repeats.
func (t *Translator) toolProgress(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		ToolUseID string `json:"toolUseId"`
		ToolName  string `json:"toolName"`
		Update    struct {
			FullOutput string `json:"fullOutput"`
		} `json:"update"`
	}
	_ = native.Decode(raw, &n)
	c := t.known(n.ToolUseID, n.ToolName, out)
	if c == nil || c.closed || n.Update.FullOutput == "" {
		return
	}
	c.run(out)
	if d := c.output.Grow(n.Update.FullOutput); d != nil {
		out.Draft(adapters.EntryChanged{Key: c.key, Delta: d})
	}
}

func (t *Translator) toolResult(raw json.RawMessage, out *adapters.Output) {
	var n content
	_ = native.Decode(raw, &n)
	t.endTool(&n, out)
}

// results ends the calls whose results come inside a message.
func (t *Translator) results(list []content, out *adapters.Output) {
	for i := range list {
		if list[i].Type == "tool_result" {
			t.endTool(&list[i], out)
		}
	}
}

// endTool closes a call with its result. An interrupted one may have two: the last counts.
func (t *Translator) endTool(r *content, out *adapters.Output) {
	c := t.known(r.ToolUseID, "", out)
	if c == nil || c.closed {
		return
	}
	t.asks.dropOf(c.key, out)
	if c.held = c.result(r); !t.aborting || !r.IsError {
		c.close(out)
	}
}

func (c *tool) close(out *adapters.Output) {
	c.closed = true
	out.Draft(adapters.EntryClosed{Key: c.key, Data: c.held})
}

// closeHeld closes the interrupted calls, at the end of their turn.
func (t *Translator) closeHeld(out *adapters.Output) {
	for _, c := range t.sortedTools() {
		if c.held != nil && !c.closed {
			c.close(out)
		}
	}
}

// sortedTools lists the calls of the turn in the order of their opening.
func (t *Translator) sortedTools() []*tool {
	return slices.SortedFunc(maps.Values(t.tools), func(a, b *tool) int { return cmp.Compare(a.key, b.key) })
}

// result is the final data of a call.
func (c *tool) result(r *content) *protocol.ToolCallData {
	status := protocol.ToolCompleted
	if r.IsError {
		status = protocol.ToolError
	}
	d := c.data(status)
	text := plain(blocks(r.Content))
	if c.name == shellTool {
		d.ExitCode = exitCode(text)
	}
	if kinds[c.name] == protocol.ToolEdit {
		diff.Set(d, unified(c.name, text, c.cwd), c.limit)
	}
	d.Output, d.Cut = native.Cut(text, c.limit)
	return d
}

// exitCode reads the status that Droid appends to a command's output.
func exitCode(output string) *int {
	const mark = "[Process exited with code "
	rest, ok := strings.CutSuffix(strings.TrimRight(output, " \n"), "]")
	at := strings.LastIndex(rest, mark)
	if !ok || at < 0 {
		return nil
	}
	code, err := strconv.Atoi(rest[at+len(mark):])
	if err != nil {
		return nil
	}
	return &code
}

// leaveAnnounced closes the calls of a message that was taken back.
func (t *Translator) leaveAnnounced(reason string, out *adapters.Output) {
	for _, c := range t.sortedTools() {
		if c.closed || c.bound || c.running {
			continue
		}
		t.asks.dropOf(c.key, out)
		c.closed = true
		d := c.data(protocol.ToolError)
		d.Output, d.Cut = native.Cut(c.output.Last(), c.limit)
		out.Draft(adapters.EntryClosed{Key: c.key, Data: d, Incomplete: true, Reason: reason})
	}
}
