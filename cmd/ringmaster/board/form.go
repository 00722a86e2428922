package board

import (
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
)

// form is a session that somebody is about to make: agent, folder, first prompt.
type form struct {
	agents []string // that there are; nil: not known yet
	agent  int
	want   string // the agent that was used before
	cwd    keys.Editor
	prompt keys.Editor
	field  int    // which of the three takes keys
	sent   string // the key of the session that is being made of it; empty: none is
}

const formFields = 3

func (m *form) have(names []string) {
	if m.agent < len(m.agents) {
		m.want = m.agents[m.agent]
	}
	m.agents = names
	m.agent = max(0, slices.Index(names, m.want))
}

// make takes a key; what is to be made is sent once.
func (m *form) make(k keys.Key, s *State) []desk.Wish {
	wish := m.key(k)
	switch {
	case wish == nil:
		return nil
	case wish.Agent == "":
		s.note = "There is no agent to make it with."
		return nil
	}
	for _, words := range s.sending {
		if words == "session" { // pressed twice
			return nil
		}
	}
	wish.Key = s.opt.Key()
	m.sent = wish.Key
	s.sending[wish.Key] = "session"
	s.note = "Making the session…"
	return []desk.Wish{*wish}
}

// key takes a key; made is the session that is to be made, without its key.
func (m *form) key(k keys.Key) (made *desk.Create) {
	switch {
	case k.Is("tab", "down"):
		m.field = (m.field + 1) % formFields
	case k.Is("shift+tab", "up"):
		m.field = (m.field + formFields - 1) % formFields
	case k.Is("enter") && m.field < formFields-1:
		m.field++
	case k.Is("enter"):
		made = &desk.Create{Cwd: strings.TrimSpace(m.cwd.Text), Text: m.prompt.Text}
		if len(m.agents) > 0 {
			made.Agent = m.agents[m.agent]
		}
	case m.field == 0 && len(m.agents) > 0 && k.Is("left", "right", " "):
		by := 1
		if k.Is("left") {
			by = len(m.agents) - 1
		}
		m.agent = (m.agent + by) % len(m.agents)
	case m.field == 1:
		m.cwd.Key(k)
	case m.field == 2:
		m.prompt.Key(k)
	}
	return made
}
