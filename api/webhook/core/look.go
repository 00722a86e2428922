package core

import "slices"

// looking decides which logs are looked at.
type looking struct {
	output
	sessions map[string]*session
}

// wants says that a lane needs more of its log, and has room for it.
func (s *looking) wants(x *session, l *lane) bool {
	return l.matched && l.hook.Active() && x.newest.After(l.upTo) && len(l.queue) < s.limits.Queue && l.hook.made < s.limits.Made
}

// want has a session's log looked at, where a lane needs it. One that waits for room is in the line of its webhook.
func (s *looking) want(x *session, l *lane) {
	switch {
	case x.gone || x.scanning || x.resting:
	case s.wants(x, l):
		s.scan(x)
	case l.matched && l.hook.Active() && !l.hungry && l.hook.made >= s.limits.Made && x.newest.After(l.upTo):
		l.hungry = true
		l.hook.hungry = append(l.hook.hungry, l)
	}
}

func (s *looking) wantAll(x *session) {
	for _, l := range x.lanes {
		s.want(x, l)
	}
}

// feed goes on with lanes that wait for room.
func (s *looking) feed(h *hook) {
	for len(h.hungry) > 0 && h.made < s.limits.Made {
		l := h.hungry[0]
		h.hungry = h.hungry[1:]
		l.hungry = false
		if x := s.sessions[l.session]; x != nil {
			s.want(x, l)
		}
	}
}

// scan looks at a log from where the first of the lanes stands that have room.
func (s *looking) scan(x *session) {
	var from Position
	for _, l := range x.lanes {
		if s.wants(x, l) && (from == Position{} || from.After(l.seen)) {
			from = l.seen
		}
	}
	x.scanning = true
	s.do(&Scan{x.about.SessionID, from})
}

// asked says whether a request is open still. known is false where the list of sessions is behind the log.
func (s *looking) asked(d *Delivery) (open, known bool) {
	x := s.sessions[d.Session]
	if x == nil || x.gone {
		return false, true
	}
	return slices.Contains(x.open, d.Request), x.told >= d.At.Seq
}

// leave forgets a session that is gone, once everything was told.
func (s *looking) leave(l *lane) {
	x := s.sessions[l.session]
	if x == nil || !x.gone || len(l.queue) > 0 || l.hook.lanes[l.session] != l {
		return
	}
	delete(l.hook.lanes, l.session)
	s.save(Line{Is: LineLeft, Hook: l.hook.ID, Session: l.session})
	x.lanes = slices.DeleteFunc(x.lanes, func(o *lane) bool { return o == l })
	if len(x.lanes) == 0 {
		delete(s.sessions, l.session)
	}
}
