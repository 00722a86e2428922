package pi

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// changed is what a call of Pi's own edit or write would change, as a diff; "": it is no such call, or it has members that say more than the diff would, or a
// path that does not mean what it says.
func changed(tool string, input json.RawMessage, cwd string) string {
	var members map[string]json.RawMessage
	_ = native.Decode(input, &members) // what is no object has no members
	path := native.Text(members["path"])
	if onePath(path) == "" || len(members) != 2 {
		return ""
	}
	var f diff.File
	switch {
	case tool == "write" && len(members["content"]) > 0 && members["content"][0] == '"':
		f = diff.Written(path, native.Text(members["content"]))
	case tool == "edit" && members["edits"] != nil:
		passages, ok := replacements(members["edits"])
		if !ok {
			return ""
		}
		f = diff.Replaced(path, passages)
	}
	return diff.Format([]diff.File{f}, cwd)
}

// replacements reads the edits of a call; ok is false where one of them is something else, or more.
func replacements(raw json.RawMessage) (list []diff.Passage, ok bool) {
	var edits []map[string]*string
	if json.Unmarshal(raw, &edits) != nil {
		return nil, false
	}
	for _, e := range edits {
		before, after := e["oldText"], e["newText"]
		if len(e) != 2 || before == nil || after == nil {
			return nil, false
		}
		list = append(list, diff.Passage{Old: *before, New: *after})
	}
	return list, len(list) > 0
}
