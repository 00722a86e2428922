package codex

import (
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// notices are what was said beside the conversation.
type notices struct {
	warning string // the last one about the configuration
}

// maxNoticed is how much of a text goes into a notice, in bytes.
const maxNoticed = 2 << 10

// maxTitle is the longest title, in bytes.
const maxTitle = 256

// take takes the notifications that are no part of the conversation: some are worth a notice, some say what other lines say as
// well, and what is new is kept.
func (n *notices) take(m *message, line []byte, out *adapters.Output) {
	notice := func(level, kind, text string) {
		if text != "" {
			out.Draft(adapters.Notice{Level: level, Kind: kind, Text: native.Head(text, maxNoticed)})
		}
	}
	p := m.params
	switch m.method {
	case "warning", "guardianWarning":
		notice("warning", "warning", text(p, "message"))
	case "configWarning":
		if warning := join(text(p, "summary"), text(p, "details")); warning != n.warning { // again with each handshake
			n.warning = warning
			notice("warning", "config_warning", warning)
		}
	case "mcpServer/startupStatus/updated":
		if text(p, "status") == "failed" {
			notice("warning", "mcp_failed", "MCP server "+join(text(p, "name"), text(p, "error")))
		}
	case "item/commandExecution/terminalInteraction":
		if in := text(p, "stdin"); in != "" {
			notice("info", "terminal_input", fmt.Sprintf("The agent typed %q.", native.Head(in, maxTitle)))
		}
	case "thread/reverted":
		notice("info", "reverted", "The agent's own history was taken back to an earlier turn.")
	default:
		if !isSilent(m.method) {
			native.Keep(m.method, line, out)
		}
	}
}

func join(what, why string) string {
	if what == "" || why == "" {
		return what + why
	}
	return what + ": " + why
}

// isSilent says that a notification has nothing for a reader of the session: what it tells comes with other lines, or is about a
// client's own windows.
func isSilent(method string) bool {
	switch method {
	case "account/rateLimits/updated", "account/updated", "app/list/updated", "deprecationNotice", "item/reasoning/summaryPartAdded",
		"project/changed", "rawResponse/completed", "rawResponseItem/completed", "remoteControl/status/changed", "skills/changed",
		"thread/archived", "thread/closed", "thread/compacted", "thread/deleted", "thread/queue/changed", "thread/readState/changed",
		"thread/section/changed", "thread/status/changed", "thread/unarchived", "turn/diff/updated", "turn/moderationMetadata":
		return true
	}
	return strings.HasPrefix(method, "thread/goal/") || strings.HasPrefix(method, "fuzzyFileSearch/")
}
