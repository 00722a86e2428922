package core

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

// listed takes leave of the sessions that are known and not there any more.
func (s *finding) listed(in *Listed) {
	for _, id := range s.lacking(in.There) {
		_, shelved := in.Shelved[id]
		s.part(id, s.isAway(id) || shelved && s.isDoubtful(id))
	}
}

// lacking are the sessions that are known and not among those that there are.
func (s *finding) lacking(there map[string]struct{}) []string {
	lacks := map[string]struct{}{}
	note := func(id string) {
		if _, is := there[id]; !is {
			lacks[id] = struct{}{}
		}
	}
	for _, h := range s.hooks {
		for id := range h.begin {
			note(id)
		}
		for id := range h.lanes {
			note(id)
		}
	}
	for id := range s.sessions {
		note(id)
	}
	return sorted(lacks)
}

// isAway says that a session has left, as far as this daemon and those before it have seen, and was not seen here since.
func (s *finding) isAway(id string) bool {
	return slices.ContainsFunc(s.hooks, func(h *hook) bool {
		l := h.lanes[id]
		return l != nil && l.away
	})
}

// isDoubtful says that nobody knows whether a session that is not there has left, or was deleted. One that this daemon has seen here was deleted: it would
// know otherwise. What is set aside of that one is about to be removed with it.
func (s *finding) isDoubtful(id string) bool { return s.sessions[id] == nil && !s.isAway(id) }

// missing is a session that is not there, as far as it is known.
func (s *finding) missing(id string) *session {
	x := s.sessions[id]
	if x == nil {
		x = &session{about: notice.About{SessionID: id}}
		s.sessions[id] = x
	}
	return x
}

// miss has a lane, which may be of an earlier daemon, be one of its session that is not there.
func (s *finding) miss(l *lane) {
	if x := s.missing(l.session); !slices.Contains(x.lanes, l) {
		x.lanes = append(x.lanes, l)
	}
}

// part takes leave of a session that is not there any more: it was deleted, or it has left, and its log is elsewhere. What was to be told of it is kept.
func (s *finding) part(id string, left bool) {
	for _, h := range s.hooks {
		if l := h.lanes[id]; l != nil {
			s.miss(l)
		} else if b := h.begin[id]; b.matched { // the file is to say so
			s.lane(h, s.missing(id), b)
		}
		delete(h.begin, id)
	}
	x := s.sessions[id]
	if x == nil {
		return
	}
	if x.gone, x.left = true, left; left {
		s.noteAway(x)
	}
	if !x.scanning {
		s.bury(x)
	}
}

// noteAway notes in the lanes of a session that it has left: the next daemon has to know it of those that stay, since it may not find the session in the list
// for as long as Core is away.
func (s *finding) noteAway(x *session) {
	for _, l := range x.lanes {
		if l.away {
			continue
		}
		if l.away = true; x.scanning || len(l.queue) > 0 {
			s.note(l)
		}
	}
}

// bury tells that a session was deleted, unless it has left, and keeps what was to be told of it: its log is not there any more.
func (s *finding) bury(x *session) {
	for _, l := range slices.Clone(x.lanes) {
		if !x.left {
			s.tellDeleted(x, l)
		}
		for _, d := range l.queue {
			if d.Request == "" && !d.saved {
				s.keep(d)
			}
		}
		s.head(l)
		s.leave(l)
	}
}

// tellDeleted tells that a session was deleted, where its end was not told.
func (s *finding) tellDeleted(x *session, l *lane) {
	if l.matched && l.hook.Wants(notice.SessionEnded) && !l.ended {
		n := notice.Notice{Kind: notice.SessionEnded, Time: s.now, About: x.about, What: notice.End{Reason: x.reason, Deleted: true}}
		s.queue(l, &Delivery{ID: notice.DeletedID(l.session), Kind: n.Kind, At: l.seen, Body: body(&n)})
	}
	l.ended = true
}
