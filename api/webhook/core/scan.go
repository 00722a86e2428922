package core

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

func (s *finding) scanned(in *Scanned) {
	x := s.sessions[in.Session]
	if x == nil {
		return // its webhooks were deleted
	}
	if in.Failed {
		x.resting = true
		s.timers.add(timer{at: s.now + again, session: x})
	} else {
		if in.End != nil {
			x.newest = later(x.newest, *in.End)
		}
		for _, l := range slices.Clone(x.lanes) {
			if l.matched && !in.From.After(l.seen) {
				s.take(x, l, in)
			}
		}
	}
	x.scanning = false // not before: what is settled meanwhile must not have it looked at once more
	if x.gone {
		s.bury(x)
		return
	}
	s.wantAll(x)
}

// take puts into a lane what was found for it, as far as there is room.
func (s *finding) take(x *session, l *lane, in *Scanned) {
	full := func() bool { return len(l.queue) >= s.limits.Queue || l.hook.made >= s.limits.Made }
	if m := in.Missed; m != nil && m.To.After(l.seen) {
		if full() {
			return
		}
		s.make(x, l, &Found{At: m.To, Time: s.now, Kind: notice.EventsMissed, What: notice.Missed{From: m.From, To: m.Up}})
	}
	for i := range in.Found {
		f := &in.Found[i]
		if !f.At.After(l.seen) || !l.hook.Wants(f.Kind) {
			continue
		}
		if full() {
			return
		}
		s.make(x, l, f)
	}
	if in.At.After(l.seen) {
		l.seen = in.At
	}
	if in.Ended != nil {
		l.ended = *in.Ended
	}
	if in.End != nil {
		l.upTo = *in.End
	}
	if len(l.queue) == 0 && l.at != l.seen {
		l.at = l.seen
		s.touch(l)
	}
}

// make makes a delivery of what was found.
func (s *finding) make(x *session, l *lane, f *Found) {
	n := notice.Notice{Kind: f.Kind, Time: f.Time, About: x.about, What: f.What}
	n.About.Cursor = f.Cursor
	d := &Delivery{ID: notice.ID(l.session, protocol.Cursor(f.At), f.Kind), Kind: f.Kind, At: f.At, Body: body(&n)}
	if r, is := f.What.(notice.Request); is && l.hook.DelayMs > 0 {
		d.Request, d.Until = r.RequestID, f.Time+l.hook.DelayMs
	}
	l.seen = f.At
	s.queue(l, d)
}
