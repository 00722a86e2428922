package vault

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Vault is the data folder. It is immutable; a nil one is touched by nothing.
type Vault struct {
	dir  string // absolute and clean, as it was named
	real string // the same without links
	home string
}

// inside are the files that a path of which only the end is known may mean.
var inside = []string{"token", "tokens.json", "address", "instance", "idempotency", "ringmaster.sock", "sessions", "lock"}

// New is the vault of a folder, which is there. Without a path there is none.
func New(dir string) *Vault {
	if dir == "" {
		return nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	home, _ := os.UserHomeDir()
	return &Vault{dir: dir, real: resolve(dir), home: home}
}

// Folder is the folder without links; empty, where there is none.
func (v *Vault) Folder() string {
	if v == nil {
		return ""
	}
	return v.real
}

// Touches says whether what is asked for reaches into the folder, as far as can be seen: by a path, also through links and wildcards, by a command
// that names it, or that takes in a folder above it. cwd is where the agent works.
func (v *Vault) Touches(cwd string, r *protocol.RequestOpened) bool {
	if v == nil || r.Kind != protocol.RequestApproval {
		return false
	}
	if cwd != "" && v.holds(resolve(cwd)) {
		return true
	}
	for _, text := range []string{r.Subject, r.Title, r.Text, r.Diff} {
		if v.named(text) {
			return true
		}
	}
	s := v.look()
	switch r.ToolKind {
	case protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit:
		if r.ToolKind == protocol.ToolSearch && v.below(resolve(cwd)) {
			return true // of the whole folder, unless it says less
		}
		for line := range strings.SplitSeq(r.Subject, "\n") {
			in, above := s.reaches([]string{cwd}, patternOf(line, v.home))
			if in || above && r.ToolKind != protocol.ToolRead {
				return true
			}
		}
		return false
	case protocol.ToolExecute:
		return s.run(cwd, r.Subject)
	case protocol.ToolFetch, protocol.ToolOther:
	}
	for _, word := range fields(r.Subject) { // arguments as JSON
		if in, _ := s.reaches([]string{cwd}, patternOf(word, v.home)); in {
			return true
		}
	}
	return false
}

// fields are the words of a text in some language.
func fields(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\"'`{}[](),;:=<>|& \t\r\n", r) })
}

// named says that the folder's own name stands in a text. Letter case does not count: there are file systems for which it does not.
func (v *Vault) named(text string) bool {
	text = strings.ToLower(text)
	for _, name := range []string{v.dir, v.real} {
		for rest := text; ; {
			_, after, found := strings.Cut(rest, strings.ToLower(name))
			if !found {
				break
			}
			if after == "" || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789_-", rune(after[0])) {
				return true
			}
			rest = after
		}
	}
	return false
}

// holds says that a clean path is the folder or lies in it, or that it may.
func (v *Vault) holds(path string) bool {
	return isBelow(path, v.dir) || isBelow(path, v.real) || path == selfCwd
}

// below says that the folder lies in a clean path.
func (v *Vault) below(path string) bool {
	return path != "" && !v.holds(path) && (isBelow(v.dir, path) || isBelow(v.real, path))
}

func isBelow(path, folder string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(path), strings.ToLower(strings.TrimSuffix(folder, "/")))
	return ok && (rest == "" || rest[0] == '/')
}
