package claude

import (
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

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
