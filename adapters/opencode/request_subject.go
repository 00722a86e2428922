package opencode

import (
	"encoding/json"
	"path"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// arguments are those of a call, by their exact names; nil: they are not known.
func arguments(x *part) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if x != nil && x.tool != nil {
		_ = native.Decode([]byte(x.tool.arguments), &members)
	}
	return members
}

// lacks says that a request cannot be judged before the arguments of its call are known: they come a moment later.
func (p *permissionWire) lacks(x *part) bool {
	kind := p.kind(x)
	return (kind == protocol.ToolExecute || kind == protocol.ToolRead) && arguments(x) == nil
}

// subject is what the tool would do it to, and for a command the folder where it says that it would run; empty: not all of it can be told.
func (p *permissionWire) subject(x *part, folder string) (subject, cwd string) {
	given := arguments(x)
	switch p.kind(x) {
	case protocol.ToolExecute:
		return p.command(given, folder)
	case protocol.ToolEdit:
		return p.files(), ""
	case protocol.ToolRead:
		file, ok := word(given, "filePath")
		if !ok {
			return "", ""
		}
		return absolute(folder, file), ""
	case protocol.ToolSearch: // what is looked for is no place
		if p.Permission == "lsp" || x != nil && x.tool.name == "lsp" {
			file, ok := word(given, "filePath")
			if !ok {
				return "", ""
			}
			return absolute(folder, file), ""
		}
		where, _ := word(given, "path")
		if pattern, _ := word(given, "pattern"); given == nil || path.IsAbs(pattern) || strings.Contains(pattern, "..") {
			return "", ""
		}
		return absolute(folder, where), ""
	case protocol.ToolFetch:
		if p.Metadata.URL != "" {
			return p.Metadata.URL, ""
		}
	case protocol.ToolOther:
	}
	if len(p.Patterns) == 1 && p.Patterns[0] == "*" {
		return "", ""
	}
	return strings.Join(p.Patterns, "\n"), ""
}

// command is a command line, as the request and the call say it alike. OpenCode gives the folder with the call alone.
func (p *permissionWire) command(given map[string]json.RawMessage, folder string) (command, cwd string) {
	command, ok := word(given, "command")
	if !ok || p.Metadata.Command != "" && p.Metadata.Command != command {
		return "", ""
	}
	where, ok := word(given, "workdir")
	switch {
	case given["workdir"] == nil || ok && where == "":
		return command, ""
	case !ok:
		return "", ""
	}
	if cwd = absolute(folder, where); cwd == "" {
		return "", ""
	}
	return command, cwd
}

// files are the absolute paths of all files that change, and where they go. Paths that are not absolute count from the worktree, which is not
// always the session's folder.
func (p *permissionWire) files() string {
	list := []string{p.Metadata.FilePath}
	if p.Metadata.Files != nil {
		list = nil
	}
	for _, f := range p.Metadata.Files {
		switch {
		case f.Type == "move" && f.Move != "", f.Move == "" && (f.Type == "add" || f.Type == "update" || f.Type == "delete"):
		default:
			return ""
		}
		if list = append(list, f.Path); f.Move != "" {
			list = append(list, f.Move)
		}
	}
	for _, file := range list {
		if !path.IsAbs(file) || strings.ContainsFunc(file, unicode.IsControl) {
			return ""
		}
	}
	return strings.Join(list, "\n")
}

// changes are the files of a patch for people: its diff does not say where a file goes.
func (p *permissionWire) changes() string {
	var b strings.Builder
	for _, f := range p.Metadata.Files {
		b.WriteString(diff.Quoted(f.Type) + " " + diff.Quoted(f.Path))
		if f.Move != "" {
			b.WriteString(" to " + diff.Quoted(f.Move))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// shown is what a request is about, for people.
func (p *permissionWire) shown() string {
	for _, text := range []string{p.Metadata.Command, p.Metadata.FilePath, p.Metadata.URL} {
		if text != "" {
			return text
		}
	}
	return strings.Join(p.Patterns, "\n")
}

func word(members map[string]json.RawMessage, name string) (text string, ok bool) {
	raw := members[name]
	return native.Text(raw), len(raw) > 0 && raw[0] == '"'
}

// absolute is a path as the agent takes it in its folder; empty: that is not known, or no path that a line can hold.
func absolute(folder, file string) string {
	if strings.ContainsFunc(file, unicode.IsControl) || !path.IsAbs(file) && folder == "" {
		return ""
	}
	if path.IsAbs(file) {
		return file
	}
	return strings.TrimSuffix(folder, "/") + "/" + file
}
