package supervisor

// reopen has another actor look at a session's journal.
func (s *state) reopen(m *reopen) {
	if x := s.members[m.id]; x != nil && x.pid != nil && !x.stopping && !s.draining {
		x.reopens, x.least = true, max(x.least, m.newest)
		s.stopMember(x)
	}
}
