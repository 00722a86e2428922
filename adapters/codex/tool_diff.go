package codex

import (
	"path"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
)

// unified makes one unified diff of the changes of a patch, with paths below folder. Codex gives hunks for files that change, and the plain content of those
// that begin or end.
func unified(changes []change, folder string) string {
	var files []diff.File
	for _, c := range changes {
		f := diff.File{Old: c.Path, New: c.Path}
		switch {
		case c.Kind.Type == "add" && !c.untold:
			f = diff.Begun(c.Path, c.Diff)
		case c.Kind.Type == "delete" && !c.untold:
			f = diff.Gone(c.Path, c.Diff)
		case c.Kind.Type == "add":
			f = diff.File{New: c.Path, Unknown: true}
		case c.Kind.Type == "delete":
			f = diff.File{Old: c.Path, Unknown: true}
		default:
			if c.Kind.MovePath != "" {
				f.New = c.Kind.MovePath
			}
			var ok bool
			f.Hunks, ok = diff.Hunks(c.Diff)
			f.Unknown = !ok && (c.Diff != "" || f.Old == f.New)
		}
		files = append(files, f)
	}
	return diff.Format(files, folder)
}

// paths names the files of a patch, a line each, and where they go; empty: not all of them can be told.
func paths(changes []change) string {
	var list []string
	for _, c := range changes {
		switch c.Kind.Type {
		case "add", "delete", "update":
		default:
			return ""
		}
		if list = append(list, c.Path); c.Kind.MovePath != "" {
			list = append(list, c.Kind.MovePath)
		}
	}
	for _, file := range list {
		if !path.IsAbs(file) || strings.ContainsFunc(file, unicode.IsControl) {
			return ""
		}
	}
	return strings.Join(list, "\n")
}
