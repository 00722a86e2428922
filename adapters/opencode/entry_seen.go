package opencode

// seen remembers ids: of messages and parts that are in the log and done with. Late updates of them, and snapshots that list
// them, open nothing. The oldest are forgotten.
type seen struct {
	ids   map[string]bool
	order []string
}

// maxSeen is how many ids are remembered: far more than a snapshot lists.
const maxSeen = 20_000

func (s *seen) add(id string) {
	if id == "" || s.ids[id] {
		return
	}
	if s.ids == nil {
		s.ids = map[string]bool{}
	}
	if len(s.order) >= maxSeen {
		half := len(s.order) / 2
		for _, old := range s.order[:half] {
			delete(s.ids, old)
		}
		s.order = append(s.order[:0], s.order[half:]...)
	}
	s.ids[id] = true
	s.order = append(s.order, id)
}

func (s *seen) has(id string) bool { return s.ids[id] }

// some says that one of the parts is in the log.
func (s *seen) some(parts []partWire) bool {
	for i := range parts {
		if s.has(parts[i].ID) {
			return true
		}
	}
	return false
}

// lacks says that one of the parts would make an entry and is not in the log.
func (s *seen) lacks(parts []partWire) bool {
	for i := range parts {
		switch p := &parts[i]; p.Type {
		case "text", "reasoning":
			if p.Text != "" && !p.Synthetic && !s.has(p.ID) {
				return true
			}
		case "tool":
			if !s.has(p.ID) {
				return true
			}
		}
	}
	return false
}
