package droid

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Tools of Droid's own that are treated in a way of their own.
const (
	shellTool  = "Execute" // runs commands
	createTool = "Create"  // writes a whole file
)

// kinds are what Droid's own tools do. Tools of MCP servers are not among them: what they do is anybody's word.
var kinds = map[string]protocol.ToolKind{
	"Read": protocol.ToolRead, "LS": protocol.ToolRead,
	"Grep": protocol.ToolSearch, "Glob": protocol.ToolSearch, "ToolSearch": protocol.ToolSearch,
	"Edit": protocol.ToolEdit, "MultiEdit": protocol.ToolEdit, createTool: protocol.ToolEdit, "ApplyPatch": protocol.ToolEdit,
	shellTool: protocol.ToolExecute, "Script": protocol.ToolExecute,
	"FetchUrl": protocol.ToolFetch, "WebSearch": protocol.ToolFetch,
}

// toolInput are the arguments that Droid's own tools have.
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

func inputOf(arguments json.RawMessage) (in toolInput) {
	_ = native.DecodeExact(arguments, &in)
	return in
}
