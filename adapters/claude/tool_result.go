package claude

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// result is the call with the result that the model gets, and with what the structured one says more. That belongs to the line: only tells of a
// single result. cwd is the session's folder.
func (c *tool) result(r *contentWire, u *userLine, only bool, cwd string) *protocol.ToolCallData {
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
	diff.Set(d, more.diff(cwd), c.limit)
	return d
}

// serverResult is the call of a server-side tool with its result, which is a block of the same message.
func (c *tool) serverResult(r *contentWire) *protocol.ToolCallData {
	list := blocks(r.Content)
	status := protocol.ToolCompleted
	if r.IsError || len(list) == 1 && list[0].ErrorCode != "" {
		status = protocol.ToolError
	}
	d := c.data(status)
	d.Output, d.Cut = native.Cut(plain(list), c.limit)
	return d
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
