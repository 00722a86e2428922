package adapter

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/vault"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// follow notes in approvals where their paths lead to: an agent can have made a link under any name. It looks at the disk, and is therefore done
// in the adapter, where only this agent waits.
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

// leads are the places that a subject's paths lead to with links followed, where these differ from the paths themselves: below cwd, by the name that
// cwd has here. An empty one means that the place is not known.
func leads(cwd, subject string) (list []string) {
	if subject == "" || strings.HasPrefix(subject, "session://") || strings.HasPrefix(subject, "agent://") { // the daemon's own
		return nil
	}
	add := func(place string) {
		if !slices.Contains(list, place) {
			list = append(list, place)
		}
	}
	home := ""
	if filepath.IsAbs(cwd) {
		home, _ = vault.Follow("/", cwd)
	}
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
				continue // the folder that the path is relative to is not known
			}
			name = cwd + "/" + name
		}
		for _, way := range []string{name, filepath.Clean(name)} { // a program takes ".." away first, or it does not
			place, known := vault.Follow("/", way)
			if !known {
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
