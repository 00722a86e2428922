package core

import (
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Read takes a line of an earlier daemon's file; false: it makes no sense behind those before it, and is passed over. What a line repeats changes nothing.
func (s *State) Read(l *Line) bool {
	h := s.find(l.Hook)
	if l.Is == LineHook {
		return l.Set != nil && s.readHook(h, l)
	}
	if h == nil {
		return l.Is == LineRemoved
	}
	if l.Lost > 0 {
		h.lost = l.Lost
	}
	switch l.Is {
	case LineRemoved:
		s.Remove(l.Hook)
		return true
	case LineLeft:
		delete(h.lanes, l.Session)
		delete(h.begin, l.Session)
		return true
	case LineAt, LineDone, LineDead, LineLate:
		h.forget(l)
		return h.readAt(l) && h.readOf(l)
	case LineHook: // above
	}
	return false
}

// readHook takes a webhook. One whose beginning is not there must not be guessed at: it would be told everything from the first event on.
func (s *State) readHook(h *hook, l *Line) bool {
	set := *l.Set
	set.ID = l.Hook
	if h != nil {
		h.Webhook, h.lost = set, max(h.lost, l.Lost)
		return true
	}
	if !l.Fresh {
		return false
	}
	h = newHook(&set)
	h.lost = l.Lost
	for id, text := range l.Begin {
		if b, ok := parseBegin(text); ok {
			h.begin[id] = b
		}
	}
	s.hooks = append(s.hooks, h)
	return true
}

// forget takes out the delivery that a line is about, wherever it was.
func (h *hook) forget(l *Line) {
	id, session := l.ID, l.Session
	if l.Of != nil {
		id, session = l.Of.ID, l.Of.Session
	}
	is := func(d *Delivery) bool { return d.ID == id }
	if id == "" {
		return
	}
	h.dead, h.apart = slices.DeleteFunc(h.dead, is), slices.DeleteFunc(h.apart, is)
	if x := h.lanes[session]; x != nil && l.Is != LineLate {
		x.queue = slices.DeleteFunc(x.queue, is)
	}
}

func (h *hook) readAt(l *Line) bool {
	if l.At == "" {
		return true
	}
	at, ok := parse(l.At)
	if !ok || l.Session == "" {
		return false
	}
	x := h.readLane(l.Session)
	x.at, x.seen, x.upTo, x.ended, x.matched, x.away = at, at, protocol.Cursor(at), l.Ended, !l.Apart, l.Away
	return true
}

func (h *hook) readLane(session string) *lane {
	x := h.lanes[session]
	if x == nil {
		x = &lane{hook: h, session: session, at: Start, seen: Start, upTo: protocol.Cursor(Start), matched: true}
		h.lanes[session] = x
		delete(h.begin, session)
	}
	return x
}

func (h *hook) readOf(l *Line) bool {
	switch {
	case l.Is == LineDead && l.Of != nil:
		of := *l.Of
		of.hook = h
		h.dead = append(h.dead, &of)
	case l.Is == LineLate && l.Of != nil && l.Of.Apart:
		of := *l.Of
		of.hook, of.saved = h, true
		h.apart = append(h.apart, &of)
	case l.Is == LineLate && l.Of != nil:
		of, x := *l.Of, h.readLane(l.Of.Session)
		of.hook, of.lane, of.saved = h, x, true
		if i := slices.IndexFunc(x.queue, func(d *Delivery) bool { return d.ID == of.ID }); i >= 0 {
			x.queue[i] = &of
		} else {
			x.queue = append(x.queue, &of)
		}
	case l.Is == LineDead || l.Is == LineLate:
		return false
	}
	return true
}

// Begin goes on with what was read.
func (s *State) Begin(now time.Time) []Effect {
	s.now = now.UnixMilli()
	for _, h := range s.hooks {
		h.made = len(h.apart)
		for _, d := range h.apart {
			s.ready(d)
		}
		for _, id := range sorted(h.lanes) {
			l := h.lanes[id]
			h.made += len(l.queue)
			for _, d := range l.queue {
				if d.At.After(l.seen) {
					l.seen, l.upTo = d.At, protocol.Cursor(d.At)
				}
				l.ended = d.ends()
			}
		}
		for _, id := range sorted(h.lanes) {
			s.head(h.lanes[id])
		}
	}
	return s.taken()
}

// Lines are what a file holds that has no more than what counts.
func (s *State) Lines() (all []Line) {
	for _, h := range s.hooks {
		all = append(all, h.first())
		for _, id := range sorted(h.lanes) {
			l := h.lanes[id]
			all = append(all, l.line(LineAt))
			for _, d := range l.queue {
				if d.saved {
					of := *d
					all = append(all, Line{Is: LineLate, Hook: h.ID, Of: &of})
				}
			}
		}
		for _, d := range h.apart {
			of := *d
			all = append(all, Line{Is: LineLate, Hook: h.ID, Of: &of})
		}
		for _, d := range h.dead {
			of := *d
			all = append(all, Line{Is: LineDead, Hook: h.ID, Of: &of})
		}
	}
	return all
}
