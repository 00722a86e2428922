package claude

import (
	"path"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// subject is what a tool does it to; empty: nothing that one word names. Only the member counts that the tool reads, since the model may
// send others beside it. A relative path counts from where the last command has gone to, which is not told.
func subject(name string, in *input) string {
	switch kindOf(name) {
	case protocol.ToolExecute:
		if name == "PowerShell" || in.Unboxed { // of another language; or who may allow the command need not be one who may let it out of the sandbox
			return ""
		}
		return in.Command
	case protocol.ToolRead, protocol.ToolEdit:
		file := in.FilePath
		switch name {
		case "NotebookRead", "NotebookEdit":
			file = in.Notebook
		case "LS":
			file = in.Path
		}
		return onePath(file)
	case protocol.ToolSearch:
		switch { // the pattern of Glob is a path, that of Grep is none
		case name != "Glob":
			return onePath(in.Path)
		case in.Path == "" || path.IsAbs(in.Pattern):
			return onePath(in.Pattern)
		}
		return onePath(path.Join(in.Path, in.Pattern))
	case protocol.ToolFetch:
		if name == "WebSearch" {
			return in.Query
		}
		return in.URL
	case protocol.ToolOther:
	}
	return ""
}

// onePath is a path that one line holds and that is the same from everywhere; empty: it is not.
func onePath(file string) string {
	if strings.ContainsFunc(file, unicode.IsControl) || !path.IsAbs(file) && !strings.HasPrefix(file, "~/") {
		return ""
	}
	return file
}
