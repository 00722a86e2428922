package session

import "github.com/ringmaster-agents/ringmaster/protocol"

// setPending notes a choice that is not in force yet; an empty value, that there is none any more.
func (s *State) setPending(what Setting, value string) {
	if s.pending[what] == value {
		return
	}
	m := protocol.SessionMeta{PendingModel: &value}
	if what == SettingMode {
		m = protocol.SessionMeta{PendingMode: &value}
	}
	s.metaChanged(m)
}

// applyPending takes what the log says of a choice.
func (s *State) applyPending(what Setting, value *string) {
	switch {
	case value == nil:
	case *value == "":
		if delete(s.pending, what); len(s.pending) == 0 {
			s.pending = nil
		}
	default:
		if s.pending == nil {
			s.pending = map[Setting]string{}
		}
		s.pending[what] = *value
		if what == SettingModel {
			s.model = *value // also of an agent session that is begun anew
		}
	}
}

// fulfil ends the waiting of a choice that is in force now.
func (s *State) fulfil(what Setting, now *string, pending **string) {
	if now != nil && *now != "" && *now == s.pending[what] && *pending == nil {
		*pending = new(string)
	}
}

// readyWith completes what an agent that was started with a choice says of it: one that does not say has taken it.
func (s *State) readyWith(what Setting, now, pending **string, said string) {
	value := s.pending[what]
	if value == "" || s.link.choices().told[what] != value {
		return
	}
	switch said {
	case value:
		*pending = new(string)
	case "":
		*now, *pending = &value, new(string)
	default: // it goes by another name, or was not heeded: the agent is asked once more
		delete(s.link.choices().told, what)
	}
}
