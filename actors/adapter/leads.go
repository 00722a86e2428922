package adapter

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// follow says of approvals where their paths lead to: an agent can have made a link under any name. It looks at the disk, which is why it is
// done here, where only this agent waits.
func (p *port) follow(drafts []adapters.Draft) {
	for i, d := range drafts {
		asked, is := d.(adapters.RequestOpened)
		if !is || asked.Request.Kind != protocol.RequestApproval {
			continue
		}
		r := &asked.Request
		switch r.ToolKind {
		case protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit:
			asked.Leads = leads(p.cfg.Cwd, r.Subject)
		case protocol.ToolExecute:
			if r.Cwd != "" && p.cfg.Cwd != "" && filepath.Clean(r.Cwd) != filepath.Clean(p.cfg.Cwd) && same(r.Cwd, p.cfg.Cwd) {
				r.Cwd = ""
			}
		case protocol.ToolFetch, protocol.ToolOther:
		}
		drafts[i] = asked
	}
}

// same says that two names are of one folder.
func same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// leads are the places that a subject's paths lead to, links followed, where they are others than the names say: below cwd, by the name that
// cwd has here. An empty one cannot be told.
func leads(cwd, subject string) (list []string) {
	if subject == "" || strings.HasPrefix(subject, "session://") || strings.HasPrefix(subject, "agent://") { // the daemon's own
		return nil
	}
	add := func(place string) {
		if !slices.Contains(list, place) {
			list = append(list, place)
		}
	}
	home, _ := resolve(cwd)
	for line := range strings.SplitSeq(subject, "\n") {
		name := line
		switch own, err := os.UserHomeDir(); {
		case strings.Contains(name, "://"), strings.HasPrefix(name, "~") && err != nil:
			add("")
			continue
		case name == "~", strings.HasPrefix(name, "~/"):
			name = own + name[1:]
			add(filepath.Clean(name))
		case strings.HasPrefix(name, "~"):
			add("")
		}
		if !filepath.IsAbs(name) {
			if cwd == "" {
				continue // there is no telling from where it counts
			}
			name = cwd + "/" + name
		}
		for _, way := range []string{name, filepath.Clean(name)} { // a program takes ".." away first, or it does not
			place, ok := resolve(way)
			if !ok {
				place = ""
			} else if home != "" && within(home, place) {
				place = cwd + place[len(home):]
			}
			if place != filepath.Clean(name) {
				add(place)
			}
		}
	}
	return list
}

func within(folder, place string) bool {
	return place == folder || strings.HasPrefix(place, strings.TrimSuffix(folder, "/")+"/")
}

// maxLinks is how many links of one path are followed, as Linux has it.
const maxLinks = 40

// resolve follows the links of an absolute path as the kernel does, as far as there is anything; what does not exist yet leads where it
// says. ok is false where that cannot be seen.
func resolve(name string) (place string, ok bool) {
	if !filepath.IsAbs(name) {
		return "", false
	}
	place = "/"
	todo := strings.Split(name, "/")
	links := 0
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			place = filepath.Dir(place)
			continue
		}
		next := filepath.Join(place, part)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode()&fs.ModeSymlink == 0:
			place = next
			continue
		case err != nil && isNotDir(err):
			place = next
			continue
		case err != nil:
			return "", false
		}
		target, err := os.Readlink(next)
		if links++; err != nil || links > maxLinks {
			return "", false
		}
		if filepath.IsAbs(target) {
			place = "/"
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	return place, true
}

func isNotDir(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}
