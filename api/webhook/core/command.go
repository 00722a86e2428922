package core

import (
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Standing is where a session stands when a webhook is made.
type Standing struct {
	Session        string
	Newest         protocol.Cursor
	Ended, Matches bool
}

// Add takes a webhook that begins behind what there is, and gives the line that must be written before it is answered. Nothing is sent before a session
// was seen.
func (s *State) Add(w *Webhook, there []Standing) Line {
	h := newHook(w)
	for _, x := range there {
		h.begin[x.Session] = begin{Position{max(1, x.Newest.Epoch), x.Newest.Seq}, x.Ended, x.Matches}
	}
	s.hooks = append(s.hooks, h)
	return h.first()
}

// first is the line of a webhook that says where it has begun.
func (h *hook) first() Line {
	line := h.line()
	line.Fresh, line.Begin = true, make(map[string]string, len(h.begin))
	for id, b := range h.begin {
		line.Begin[id] = b.String()
	}
	return line
}

// Change has a webhook be as this one is from now on, and gives the line to be written, and what is to be done; false: there is none.
func (s *State) Change(now time.Time, w *Webhook) (line Line, effects []Effect, ok bool) {
	s.now = now.UnixMilli()
	h := s.find(w.ID)
	if h == nil {
		return Line{}, nil, false
	}
	was := h.Active()
	h.Webhook = *w
	if !was && h.Active() {
		s.resume(h)
	}
	return h.line(), s.taken(), true
}

// Remove forgets a webhook, and gives the line to be written; false: there is none.
func (s *State) Remove(id string) (line Line, ok bool) {
	h := s.find(id)
	if h == nil {
		return Line{}, false
	}
	s.hooks = slices.DeleteFunc(s.hooks, func(o *hook) bool { return o == h })
	for session, l := range h.lanes {
		x := s.sessions[session]
		if x == nil {
			continue
		}
		if x.lanes = slices.DeleteFunc(x.lanes, func(o *lane) bool { return o == l }); len(x.lanes) == 0 {
			delete(s.sessions, session)
		}
	}
	h.lanes, h.apart, h.ready, h.hungry = nil, nil, nil, nil
	return Line{Is: LineRemoved, Hook: id}, true
}

// Disable stops a webhook, for a reason that came up outside.
func (s *State) Disable(id string, why Reason) []Effect {
	if h := s.find(id); h != nil {
		s.disable(h, why)
	}
	return s.taken()
}

// Send tries a delivery at once that waits, or sends a dead one again; false: there is none of this id.
func (s *State) Send(now time.Time, hook, id string) (effects []Effect, ok bool) {
	s.now = now.UnixMilli()
	h := s.find(hook)
	if h == nil {
		return nil, false
	}
	if i := slices.IndexFunc(h.dead, func(d *Delivery) bool { return d.ID == id }); i >= 0 {
		s.revive(h, i)
		return s.taken(), true
	}
	d := h.pending(id)
	if d == nil {
		return nil, false
	}
	if d.phase == waiting {
		d.Next = s.now
		s.ready(d)
	}
	return s.taken(), true
}

// SendDead sends all dead deliveries of a webhook again, as far as there is room for them, and says how many.
func (s *State) SendDead(now time.Time, hook string) (n int, effects []Effect, ok bool) {
	s.now = now.UnixMilli()
	h := s.find(hook)
	if h == nil {
		return 0, nil, false
	}
	for ; len(h.dead) > 0 && h.made < s.limits.Made; n++ {
		s.revive(h, 0)
	}
	return n, s.taken(), true
}

// revive makes a dead delivery a pending one, with no place in its session's order.
func (s *State) revive(h *hook, i int) {
	d := *h.dead[i] // a copy: timers of the old one mean nothing
	h.dead = slices.Delete(h.dead, i, i+1)
	d.Apart, d.Tries, d.First, d.Next, d.phase, d.lane, d.hook = true, 0, 0, 0, behind, nil, h
	h.apart = append(h.apart, &d)
	h.made++
	s.keep(&d)
	s.ready(&d)
}
