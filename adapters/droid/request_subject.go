package droid

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// details are what a permission is asked for.
type details struct {
	Type              string  `json:"type"`
	FullCommand       string  `json:"fullCommand"`
	Command           string  `json:"command"` // of a shield violation: the whole; else only names
	FilePath          string  `json:"filePath"`
	Content           string  `json:"content"`
	OldContent        *string `json:"oldContent"` // of an edit: the whole file, before and after
	NewContent        *string `json:"newContent"`
	PatchContent      string  `json:"patchContent"`
	Plan              string  `json:"plan"`
	Proposal          string  `json:"proposal"`
	Title             string  `json:"title"`
	Target            string  `json:"target"`
	Reason            string  `json:"reason"`
	ViolatingToolName string  `json:"violatingToolName"`
	ServerName        string  `json:"serverName"`     // of an MCP tool
	ActualToolName    string  `json:"actualToolName"` // its server's own name of it
	Files             []struct {
		FilePath  string `json:"filePath"`
		Operation string `json:"operation"`
		MoveTo    string `json:"moveTo"`
	} `json:"files"` // of a patch
}

// kindOf says what a tool does that asks for a permission.
func kindOf(tool string, d *details) protocol.ToolKind {
	switch d.Type {
	case "exec": // also of other tools, whose summary stands in the command's place then
		return cmp.Or(kinds[tool], protocol.ToolOther)
	case "edit", "create", "apply_patch":
		return protocol.ToolEdit
	case "mcp_tool", "exit_spec_mode", "propose_mission", "start_mission_run", "sandbox_violation", "droid_shield_violation":
		return protocol.ToolOther // to leave the sandbox in order to read is not what a rule for reading allows
	}
	return cmp.Or(kinds[tool], protocol.ToolOther)
}

// subjectOf says what the tool does it to; empty: not all of it can be told. Of a command only the call's own words count: fullCommand has
// them without a "bash -c" that they may begin with, cut off as if there were nothing behind it.
func subjectOf(tool string, d *details, in *toolInput) string {
	switch d.Type {
	case "droid_shield_violation":
		return cmp.Or(d.Command, in.Command)
	case "sandbox_violation":
		return d.Target
	case "apply_patch":
		return filesOf(d)
	case "edit", "create":
		if in.FilePath != "" && d.FilePath != "" && in.FilePath != d.FilePath {
			return ""
		}
		return onePath(cmp.Or(d.FilePath, in.FilePath))
	case "mcp_tool", "exit_spec_mode":
		return ""
	}
	switch kindOf(tool, d) {
	case protocol.ToolExecute:
		return in.Command
	case protocol.ToolRead:
		return onePath(cmp.Or(in.FilePath, in.Directory))
	case protocol.ToolEdit:
		return onePath(in.FilePath)
	case protocol.ToolSearch:
		return onePath(cmp.Or(in.Path, in.Folder))
	case protocol.ToolFetch:
		return cmp.Or(in.URL, in.Query)
	case protocol.ToolOther:
	}
	found := ""
	for _, word := range []string{in.FilePath, in.Command, in.URL, in.Path, in.Directory, in.Folder, in.Query, in.Pattern} {
		switch {
		case word != "" && found != "":
			return ""
		case word != "":
			found = word
		}
	}
	return found
}

// filesOf are the files of a patch, and where they go.
func filesOf(d *details) string {
	var list []string
	for _, f := range d.Files {
		switch f.Operation {
		case "create", "update", "delete", "":
		default:
			return ""
		}
		if list = append(list, f.FilePath); f.MoveTo != "" {
			list = append(list, f.MoveTo)
		}
	}
	if len(d.Files) > 0 && d.FilePath != "" && !slices.Contains(list, d.FilePath) {
		list = append(list, d.FilePath) // without files it is a word for that they are not known
	}
	for _, file := range list {
		if onePath(file) == "" {
			return ""
		}
	}
	return strings.Join(list, "\n")
}

// onePath is a path that one line holds; empty: it is none. Droid works in the session's folder, from where a relative one counts.
func onePath(file string) string {
	if strings.ContainsFunc(file, unicode.IsControl) {
		return ""
	}
	return file
}

// textOf is what people need to decide.
func textOf(d *details, in *toolInput, input json.RawMessage) string {
	switch d.Type {
	case "exec":
		if in.Command != "" && strings.TrimSpace(in.Command) != d.FullCommand {
			return in.Command
		}
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
