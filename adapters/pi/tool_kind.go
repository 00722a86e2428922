package pi

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// toolKind says what a tool of Pi's own does; an extension's may do anything.
func toolKind(name string) protocol.ToolKind {
	switch name {
	case "read":
		return protocol.ToolRead
	case "ls", "find", "grep":
		return protocol.ToolSearch
	case "edit", "write":
		return protocol.ToolEdit
	case "bash":
		return protocol.ToolExecute
	default:
		return protocol.ToolOther
	}
}

// subject is what a call does its work to, for policies; empty: nothing that one word names. Members count by their exact names, and
// only those that the tool reads: the model may send others beside them, which Pi overlooks.
func subject(kind protocol.ToolKind, input json.RawMessage) string {
	var members map[string]json.RawMessage
	_ = native.Decode(input, &members) // what is no object has no members
	word := func(name string) string { return native.Text(members[name]) }
	switch kind {
	case protocol.ToolExecute:
		return cut(word("command"))
	case protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit:
		return cut(onePath(word("path")))
	case protocol.ToolFetch, protocol.ToolOther:
	}
	found := ""
	for _, name := range []string{"command", "path", "url"} {
		switch w := word(name); {
		case w != "" && found != "":
			return ""
		case w != "":
			found = w
		}
	}
	return cut(found)
}

// onePath is a path that means what it says; empty: Pi takes something away from it or makes something else of it (its path-utils), or no one
// line holds it.
func onePath(file string) string {
	odd := func(r rune) bool {
		return unicode.IsControl(r) || r != ' ' && unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
	}
	for _, special := range []string{"@", "~", "file:"} {
		if strings.HasPrefix(strings.ToLower(file), special) {
			return ""
		}
	}
	if strings.ContainsFunc(file, odd) || strings.TrimSpace(file) != file {
		return ""
	}
	return file
}

// cut leaves as much as the session takes for a whole subject, or more: one that is cut further would seem to be whole.
func cut(subject string) string {
	s, _ := native.Cut(subject, adapters.MaxText)
	return s
}
