package droid

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// details are what a permission is asked for.
type details struct {
	Type                string `json:"type"`
	FullCommand         string `json:"fullCommand"`
	Command             string `json:"command"` // of a shield violation: the whole; else only names
	FilePath            string `json:"filePath"`
	Content             string `json:"content"`
	PatchContent        string `json:"patchContent"`
	Plan                string `json:"plan"`
	Proposal            string `json:"proposal"`
	Title               string `json:"title"`
	Target              string `json:"target"`
	Reason              string `json:"reason"`
	ViolatingToolName   string `json:"violatingToolName"`
	RunningMissionCount int    `json:"runningMissionCount"`
	ServerName          string `json:"serverName"`     // of an MCP tool
	ActualToolName      string `json:"actualToolName"` // its server's own name of it
	Files               []struct {
		FilePath string `json:"filePath"`
		Path     string `json:"path"`
	} `json:"files"` // of a patch
}

// kinds are what Droid's own tools do. Tools of MCP servers are not among them: what they do is anybody's word.
var kinds = map[string]protocol.ToolKind{
	"Read": protocol.ToolRead, "LS": protocol.ToolRead,
	"Grep": protocol.ToolSearch, "Glob": protocol.ToolSearch, "ToolSearch": protocol.ToolSearch,
	"Edit": protocol.ToolEdit, "MultiEdit": protocol.ToolEdit, "Create": protocol.ToolEdit, "ApplyPatch": protocol.ToolEdit,
	shellTool: protocol.ToolExecute, "Script": protocol.ToolExecute,
	"FetchUrl": protocol.ToolFetch, "WebSearch": protocol.ToolFetch,
}

// kindOf says what a tool does that asks for a permission.
func kindOf(tool string, d *details) protocol.ToolKind {
	switch d.Type {
	case "exec":
		return protocol.ToolExecute
	case "edit", "create", "apply_patch":
		return protocol.ToolEdit
	case "mcp_tool", "exit_spec_mode", "propose_mission", "start_mission_run", "sandbox_violation", "droid_shield_violation":
		return protocol.ToolOther // to leave the sandbox in order to read is not what a rule for reading allows
	}
	return cmp.Or(kinds[tool], protocol.ToolOther)
}

// subjectOf says what the tool does it to; empty: nothing that one word names. A patch of several files has no one path: a rule
// for one of them must not decide over the others.
func subjectOf(d *details, in toolInput) string {
	switch d.Type {
	case "exec":
		return cmp.Or(d.FullCommand, in.Command)
	case "droid_shield_violation":
		return cmp.Or(d.Command, in.Command)
	case "sandbox_violation":
		return d.Target
	case "apply_patch":
		var paths []string
		for _, f := range d.Files {
			paths = append(paths, cmp.Or(f.FilePath, f.Path))
		}
		if d.FilePath != "" && !slices.Contains(paths, d.FilePath) {
			paths = append(paths, d.FilePath)
		}
		if slices.Contains(paths, "") {
			return "" // one of them is not known
		}
		return strings.Join(paths, "\n")
	case "mcp_tool", "exit_spec_mode":
		return ""
	}
	return cmp.Or(d.FilePath, in.FilePath, in.Command, in.URL, in.Path, in.Directory, in.Folder, in.Query, in.Pattern)
}

// textOf is what people need to decide.
func textOf(d *details, in toolInput, input json.RawMessage) string {
	switch d.Type {
	case "exec":
		return d.FullCommand
	case "create":
		return d.FilePath + "\n\n" + d.Content
	case "edit":
		return d.FilePath + "\n\n" + signed("-", in.OldText) + signed("+", in.NewText)
	case "apply_patch":
		return cmp.Or(d.PatchContent, d.FilePath)
	case "exit_spec_mode":
		return d.Plan
	case "propose_mission":
		return d.Proposal
	case "sandbox_violation", "droid_shield_violation":
		return cmp.Or(d.Command, d.Target) + "\n\n" + d.Reason
	}
	return native.Compact(input)
}

// signed puts a sign before each line of a text.
func signed(sign, text string) string {
	if text == "" {
		return ""
	}
	return sign + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+sign) + "\n"
}

// titleOf is the question.
func titleOf(tool string, d *details) string {
	switch d.Type {
	case "exit_spec_mode":
		if d.Title != "" {
			return "Carry out the plan: " + d.Title + "?"
		}
		return "Carry out the plan?"
	case "propose_mission":
		return "Accept the mission?"
	case "sandbox_violation":
		return "Allow " + cmp.Or(d.ViolatingToolName, tool) + " to leave the sandbox?"
	}
	return "Allow " + tool + "?"
}

// once, always and never are the values of Droid's options, those preferred first that allow the least.
var (
	once   = []string{"proceed_once"}
	always = []string{
		"proceed_always_tools", "proceed_always", "proceed_always_server",
		"proceed_auto_run_low", "proceed_auto_run_medium", "proceed_auto_run_high", "proceed_auto_run",
	}
	never = []string{"cancel"}
)

// option is one way to answer a permission.
type option struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// pick finds the first of some values among the options.
func pick(options []option, values []string) option {
	for _, v := range values {
		if i := slices.IndexFunc(options, func(o option) bool { return o.Value == v }); i >= 0 {
			return options[i]
		}
	}
	return option{}
}
