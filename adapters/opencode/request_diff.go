package opencode

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
)

// diff is the diff of a request to change files; whole says that it is one, and that it tells all of the change. OpenCode's own does not say which files
// begin, end or go elsewhere: the list of files beside it does. Paths stand in it as they are, so one of several lines could make a file of its own.
// Where it is not whole, the text is OpenCode's own, as it came: a diff of what was read of it would leave out the rest.
func (p *permissionWire) diff(cwd string) (text string, whole bool) {
	files, ok := diff.Read(p.Metadata.Diff)
	told := p.Metadata.Files
	if told == nil {
		told = []fileWire{{Path: p.Metadata.FilePath, Type: "update"}}
	}
	if !ok || len(told) != len(files) {
		return p.Metadata.Diff, false
	}
	byPaths := map[[2]string][]*diff.File{} // before and after; a list of thousands is no reason to look at all of them for each
	for i := range files {
		f := &files[i]
		byPaths[[2]string{f.Old, f.New}] = append(byPaths[[2]string{f.Old, f.New}], f)
	}
	for i := range told {
		f := told[i].among(byPaths)
		if f == nil || !told[i].of(f) || f.Unknown {
			return p.Metadata.Diff, false
		}
	}
	text = diff.Format(files, cwd)
	if text == "" {
		return p.Metadata.Diff, false
	}
	return text, true
}

// among takes out of the files of a diff one that has the path of this one, where it has one, and no other; nil: there is none.
func (f *fileWire) among(byPaths map[[2]string][]*diff.File) *diff.File {
	if f.Path == "" || strings.ContainsFunc(f.Path, unicode.IsControl) || strings.ContainsFunc(f.Move, unicode.IsControl) {
		return nil
	}
	may := [][2]string{{f.Path, f.Path}}
	switch f.Type {
	case "move":
		may = append(may, [2]string{f.Path, f.Move})
	case "delete":
		may = append(may, [2]string{f.Path, ""})
	case "add":
		may = append(may, [2]string{"", f.Path})
	}
	for _, paths := range may {
		if list := byPaths[paths]; len(list) > 0 {
			byPaths[paths] = list[1:]
			return list[0]
		}
	}
	return nil
}

// of puts into the diff of a file what the list of files says of it; false: they do not fit each other, or there are no words for it.
func (f *fileWire) of(d *diff.File) bool {
	only := func(sign byte) bool {
		return !slices.ContainsFunc(d.Hunks, func(h diff.Hunk) bool {
			return slices.ContainsFunc(h.Lines, func(l diff.Line) bool { return l.Sign != sign })
		})
	}
	switch {
	case f.Type == "add" && f.Move == "" && only('+'):
		d.Old, d.New, d.Unknown = "", f.Path, false
	case f.Type == "delete" && f.Move == "" && only('-'):
		d.Old, d.New, d.Unknown = f.Path, "", false
	case f.Type == "update" && f.Move == "":
	case f.Type == "move" && f.Move != "":
		d.Old, d.New, d.Unknown = f.Path, f.Move, false
	default:
		return false
	}
	return true
}
