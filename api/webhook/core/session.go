package core

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

// finding takes what sessions and their logs show.
type finding struct{ sending }

// saw takes what the list shows of a session.
func (s *finding) saw(in *Saw) {
	id := in.About.SessionID
	x := s.sessions[id]
	if x == nil {
		x = &session{newest: in.Newest}
	}
	x.about, x.told, x.open, x.reason = in.About, in.Told, in.Open, in.Ended
	x.newest = later(x.newest, in.Newest)
	for _, h := range s.hooks {
		s.meet(h, x, slices.Contains(in.Matches, h.ID), in.Gone)
	}
	if len(x.lanes) == 0 {
		return
	}
	s.sessions[id] = x
	if in.Gone {
		x.gone = true
		if !x.scanning { // otherwise what it finds may be the last that is known of the session
			s.bury(x)
		}
		return
	}
	for _, l := range slices.Clone(x.lanes) {
		s.head(l)
	}
	s.wantAll(x)
}

func later(a, b protocol.Cursor) protocol.Cursor {
	if b.Epoch > a.Epoch || b.Epoch == a.Epoch && b.Seq > a.Seq {
		return b
	}
	return a
}

// meet gives a session a lane, where a webhook needs one: it matches, and something has happened in it since the webhook was made.
func (s *finding) meet(h *hook, x *session, matches, gone bool) {
	id := x.about.SessionID
	if l := h.lanes[id]; l != nil {
		if !slices.Contains(x.lanes, l) {
			x.lanes = append(x.lanes, l)
		}
		if l.matched != matches && !gone { // of one that is gone nobody knows
			l.matched = matches
			s.note(l)
		}
		return
	}
	b, was := h.begin[id]
	if gone {
		delete(h.begin, id)
		if was && b.matched || !was && matches {
			s.lane(h, x, b)
		}
		return
	}
	if !matches || was && b.matched && !x.newest.After(protocol.Cursor(b.at)) {
		return
	}
	delete(h.begin, id)
	s.note(s.lane(h, x, b))
}

// lane makes a lane that begins where a webhook stands; the zero begin is the log's.
func (s *finding) lane(h *hook, x *session, b begin) *lane {
	if b.at == (Position{}) {
		b.at = Start
	}
	l := &lane{hook: h, session: x.about.SessionID, at: b.at, seen: b.at, upTo: protocol.Cursor(b.at), ended: b.ended, matched: true}
	h.lanes[l.session] = l
	x.lanes = append(x.lanes, l)
	return l
}

// listed buries the sessions that are known and not there any more.
func (s *finding) listed(in *Listed) {
	for _, h := range s.hooks {
		for _, id := range sorted(h.begin) {
			if _, there := in.There[id]; there {
				continue
			}
			if b := h.begin[id]; b.matched {
				s.lane(h, s.missing(id), b)
			}
			delete(h.begin, id)
		}
		for _, id := range sorted(h.lanes) {
			if _, there := in.There[id]; !there {
				if x, l := s.missing(id), h.lanes[id]; !slices.Contains(x.lanes, l) {
					x.lanes = append(x.lanes, l)
				}
			}
		}
	}
	for _, id := range sorted(s.sessions) {
		if _, there := in.There[id]; there {
			continue
		}
		x := s.sessions[id]
		x.gone = true
		if !x.scanning {
			s.bury(x)
		}
	}
}

// missing is a session that is not there, as far as it is known.
func (s *finding) missing(id string) *session {
	x := s.sessions[id]
	if x == nil {
		x = &session{about: notice.About{SessionID: id}}
		s.sessions[id] = x
	}
	return x
}

// bury tells that a session is gone, and keeps what was to be told of it: its log is not there any more.
func (s *finding) bury(x *session) {
	for _, l := range slices.Clone(x.lanes) {
		if l.matched && l.hook.Wants(notice.SessionEnded) && !l.ended {
			n := notice.Notice{Kind: notice.SessionEnded, Time: s.now, About: x.about, What: notice.End{Reason: x.reason, Deleted: true}}
			s.queue(l, &Delivery{ID: notice.DeletedID(l.session), Kind: n.Kind, At: l.seen, Body: body(&n)})
		}
		l.ended = true
		for _, d := range l.queue {
			if d.Request == "" && !d.saved {
				s.keep(d)
			}
		}
		s.head(l)
		s.leave(l)
	}
}
