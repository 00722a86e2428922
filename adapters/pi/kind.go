package pi

import (
	"cmp"
	"encoding/json"

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

// subject is what a call does its work to, for policies.
func subject(input json.RawMessage) string {
	var a struct {
		Command string `json:"command"`
		Path    string `json:"path"`
		URL     string `json:"url"`
	}
	_ = native.Decode(input, &a)
	s, _ := native.Cut(cmp.Or(a.Command, a.Path, a.URL), maxSubject)
	return s
}

// maxSubject bounds what a policy compares, in bytes.
const maxSubject = 8 << 10
