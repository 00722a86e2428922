package codex

import (
	"path"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
)

// unified makes one unified diff of the changes of a patch, with paths below folder.
func unified(changes []change, folder string) string {
	var files []diff.File
	for i := range changes {
		files = append(files, changes[i].file())
	}
	return diff.Format(files, folder)
}

// asked is what a patch would change, for the person who decides; whole says that it is a diff and tells all of it. Where it is not, a change that the diff
// has no words for stands behind it, as Codex has told it: what nobody reads, nobody can refuse.
func asked(changes []change, folder string) (text string, whole bool) {
	var files []diff.File
	var raw strings.Builder
	for i := range changes {
		c := &changes[i]
		if f := c.file(); c.named() && !f.Unknown {
			files = append(files, f)
			continue
		}
		raw.WriteString(diff.Quoted(c.Kind.Type) + " " + diff.Quoted(c.Path))
		if c.Kind.MovePath != "" {
			raw.WriteString(" to " + diff.Quoted(c.Kind.MovePath))
		}
		raw.WriteString("\n" + c.Diff)
		if c.Diff != "" && !strings.HasSuffix(c.Diff, "\n") {
			raw.WriteByte('\n')
		}
	}
	return diff.Format(files, folder) + raw.String(), raw.Len() == 0
}

// file is the change of one file. Codex gives hunks for files that change, and the plain content of those that begin or end.
func (c *change) file() diff.File {
	f := diff.File{Old: c.Path, New: c.Path}
	switch {
	case c.Kind.Type == "add" && !c.untold:
		return diff.Begun(c.Path, c.Diff)
	case c.Kind.Type == "delete" && !c.untold:
		return diff.Gone(c.Path, c.Diff)
	case c.Kind.Type == "add":
		return diff.File{New: c.Path, Unknown: true}
	case c.Kind.Type == "delete":
		return diff.File{Old: c.Path, Unknown: true}
	case c.Kind.MovePath != "":
		f.New = c.Kind.MovePath
	}
	var ok bool
	f.Hunks, ok = diff.Hunks(c.Diff)
	f.Unknown = !ok && (c.Diff != "" || f.Old == f.New)
	return f
}

// named says that there are words for a change of this kind, and that it says which file it is of.
func (c *change) named() bool {
	switch c.Kind.Type {
	case "add", "delete":
		return c.Path != "" && c.Kind.MovePath == ""
	case "update":
		return c.Path != ""
	}
	return false
}

// paths names the files of a patch, a line each, and where they go; empty: not all of them can be told.
func paths(changes []change) string {
	var list []string
	for i := range changes {
		c := &changes[i]
		if !c.named() {
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
