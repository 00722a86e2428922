package core

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
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
	x.gone, x.left = in.Gone, false // also where it had left: it is back, or it was and is deleted
	for _, h := range s.hooks {
		s.meet(h, x, slices.Contains(in.Matches, h.ID), in.Gone)
	}
	if len(x.lanes) == 0 {
		return
	}
	s.sessions[id] = x
	if in.Gone {
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
		if gone {
			matches = l.matched // nobody knows any more
		}
		if l.matched != matches || l.away {
			l.matched, l.away = matches, false
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
