package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
)

const (
	// retainEvery is how often retention looks where nothing goes, and retainSoon where something did.
	retainEvery = 10 * time.Second
	retainSoon  = time.Second
	// retainTogether is how many sessions are put away or removed at once, each with a goroutine, and retainLooks at how many one step looks.
	retainTogether = 32
	retainLooks    = 256
	// measureTogether is how many sessions are measured by one goroutine, of which there is one.
	measureTogether = 256
	// steadyFor is how long age counts for nothing after the clock has stepped far.
	steadyFor = time.Hour
)

// rule is what is kept now.
func (s *world) rule() *keep.Rule {
	if s.retention.asked != nil {
		return s.retention.asked
	}
	return &s.cfg.Keep
}

// sizes says that sessions have to be measured.
func (s *world) sizes() bool { return s.cfg.Keep.Sizes() || s.rule().Sizes() }

// tick looks for what goes, and comes again.
func (s *removals) tick() {
	r := &s.retention
	if s.draining {
		return
	}
	s.seeClock()
	s.lookAgain()
	r.queue, r.dirty = append(r.queue, r.dirty...), nil
	busy := r.going > 0 || len(r.queue) > 0
	s.measure(s.cfg.Keep.Free > 0)
	s.retain()
	after := retainEvery
	if busy || r.going > 0 || r.asked != nil {
		after = retainSoon
	}
	if s.cfg.Keep != (keep.Rule{}) || r.asked != nil {
		s.out.add(RetainLater{after})
	}
}

// lookAgain has those looked at again that were put aside long ago.
func (s *world) lookAgain() {
	r := &s.retention
	for len(r.aside) > 0 && r.aside[0].until <= s.now.UnixNano() {
		first := r.aside[0]
		r.aside[0], r.aside = aside{}, r.aside[1:]
		if first.member.shelf.until == first.until {
			s.back(first.member)
		}
	}
}

// seeClock has age count for nothing for a while where the clock has stepped so far that it alone would make sessions old: a clock that is set wrongly
// must not cost a session.
func (s *world) seeClock() {
	r := &s.retention
	now := s.now.Round(0) // by the wall
	far := keep.RestingFor / 2
	if kept := s.rule().For; kept > 0 {
		far = max(kept/2, time.Minute)
	}
	if !r.seen.IsZero() && now.Sub(r.seen) > far {
		r.held = s.now.Add(steadyFor)
		s.out.add(ClockStepped{By: now.Sub(r.seen), Until: r.held})
	}
	r.seen = now
}

// back has a member be looked at again.
func (s *world) back(x *member) {
	x.shelf.until, x.shelf.read = 0, false
	if s.members.byID[x.summary.ID] == x {
		s.retention.shelve(x, s.sizes())
	}
}

// measure has the next sessions measured, and the disk where nobody else is.
func (s *world) measure(disk bool) {
	r := &s.retention
	if r.measuring || s.draining || len(r.queue) == 0 && !disk {
		return
	}
	n := min(len(r.queue), measureTogether)
	e := Measure{IDs: r.queue[:n:n]}
	if r.queue = r.queue[n:]; len(r.queue) == 0 {
		r.queue = nil
	}
	r.measuring = true
	for _, id := range e.IDs {
		if x := s.members.byID[id]; x != nil {
			x.shelf.seq = x.summary.Seq
		}
	}
	s.out.add(e)
}

// measured takes what was measured.
func (s *removals) measured(in *Measured) {
	r := &s.retention
	r.measuring = false
	for _, size := range in.Sizes {
		x := s.members.byID[size.ID]
		if x == nil {
			continue
		}
		h := &x.shelf
		if h.dirty = false; x.deleted() { // where its folder stays it is measured again
			h.sized = false
			continue
		}
		h.sized = true
		r.measured(x, size.Bytes, size.Raw)
		r.shelve(x, s.sizes())
	}
	if in.Free > 0 {
		r.short = s.cfg.Keep.Free - in.Free
	}
	s.measure(false)
	s.retain()
}

// retain has go what is due, a bounded piece at a time: the end of each removal calls it again.
func (s *removals) retain() {
	r := &s.retention
	s.removeNext()
	if s.proofs.left > 0 { // what a copy tells may not be true: the last proof calls it again
		return
	}
	for looks := retainLooks; looks > 0 && r.going < retainTogether && !s.draining; {
		x, why, archive := s.foremost()
		if x == nil {
			if r.going == 0 && len(r.queue) == 0 && !r.measuring { // what has changed since is not waited for: on a busy daemon there is always some
				r.asked = nil
			}
			return
		}
		looks -= s.goes(x, why, archive)
		s.removeNext()
	}
}

// foremost gives what goes first; nil: nothing does. archive: its native lines alone.
func (s *removals) foremost() (x *member, why keep.Why, archive bool) {
	r, rule, now := &s.retention, s.rule(), s.now
	if r.asked != nil {
		now = r.askedAt
	}
	oldest, lines := r.lines[lineRest].first(), r.lines[lineRaw].first()
	over := rule.Bytes > 0 && r.total > rule.Bytes
	switch {
	case oldest != nil && rule.For > 0 && now.UnixMilli()-oldest.shelf.since >= rule.For.Milliseconds() && !s.now.Before(r.held):
		return oldest, keep.WhyAge, false
	case over && lines != nil:
		return lines, keep.WhyBytes, true
	case over && oldest != nil:
		return oldest, keep.WhyBytes, false
	case rule.Free > 0 && r.short > 0 && lines != nil:
		return lines, keep.WhyDisk, true
	}
	return nil, "", false
}

// goes has a member go with its tree, or its native lines alone, unless the tree is used: then all of it is put aside. A tree whose actors are there still
// is put away first. It says at how many members it has looked.
func (s *removals) goes(x *member, why keep.Why, archive bool) (looked int) {
	r := &s.retention
	tree := s.members.tree(x)
	newest, awake := x.shelf.since, false
	for _, m := range tree {
		sum := s.current(m)
		young := !keep.Rested(m.ended(), sum.Updated, s.now) || !m.ended() && s.now.Before(r.held)
		unsent := !archive && s.cfg.Unsent != nil && s.cfg.Unsent(sum.ID, sum.Seq)
		if !m.rests() || unsent || why == keep.WhyBytes && !archive && young {
			r.putAside(s.now, resting(tree)...)
			return len(tree)
		}
		newest = max(newest, sum.Updated.UnixMilli())
		awake = awake || m.live
	}
	switch {
	case newest > x.shelf.since: // the tree goes when its newest member may, and is not looked at for each of the others before
		for _, m := range tree {
			m.shelf.since = newest
			r.shelve(m, false)
		}
	case archive:
		s.dropArchive(x, why)
	case awake:
		r.putAside(s.now, tree...)
		for _, m := range tree {
			if m.live && !m.parking && !m.stopping {
				s.putAway(m)
			}
		}
	default:
		for _, m := range tree {
			s.discard(m, why)
		}
	}
	return len(tree)
}

func resting(tree []*member) (list []*member) {
	for _, m := range tree {
		if m.shelf.places[lineRest] > 0 {
			list = append(list, m)
		}
	}
	return list
}

// putAway has a session's actor stopped so that the session can go; awakened follows.
func (s *removals) putAway(x *member) {
	x.shelf.leaving = true
	s.retention.going++
	s.park(x)
}

// awakened takes the end of that: the actor has stopped, or stays because somebody reads.
func (s *removals) awakened(x *member, stopped bool) {
	if !x.shelf.leaving {
		return
	}
	x.shelf.leaving = false
	s.retention.going--
	if stopped {
		for _, m := range s.members.tree(x) {
			s.back(m)
		}
	}
	s.retain()
}

// dropArchive removes a session's native lines; Dropped follows.
func (s *removals) dropArchive(x *member, why keep.Why) {
	r := &s.retention
	r.going++
	s.removing++
	s.out.add(DropArchive{ID: x.summary.ID, Why: why, Bytes: x.shelf.raw})
	r.short -= x.shelf.raw
	r.measured(x, x.shelf.bytes-x.shelf.raw, 0)
	r.shelve(x, false)
}

// dropped takes the end of that. What a disk did not let go is counted again.
func (s *removals) dropped(in *Dropped) {
	s.retention.going--
	s.removing--
	if x := s.members.byID[in.ID]; x != nil && !x.deleted() {
		x.shelf.sized = false
		if !in.Done {
			s.retention.putAside(s.now, x)
		}
		s.retention.shelve(x, s.sizes())
	}
	s.retain()
}

// letGo puts away sessions that have ended, where too many of them have an actor.
func (s *removals) letGo() {
	awake := &s.retention.lines[lineAwake]
	for len(awake.list) > maxAwake && !s.draining {
		s.park(awake.first()) // which takes it out of the line
	}
}

// collect has go what is due by a rule of the caller's, or by the configuration, from now on.
func (s *removals) collect(in *Collect) {
	if s.draining {
		s.out.fail(in.Ticket, draining())
		return
	}
	rule := s.cfg.Keep
	if in.Keep != nil {
		rule = *in.Keep
	}
	r := &s.retention
	if s.cfg.Keep == (keep.Rule{}) && r.asked == nil { // nobody has looked at the clock: that time has passed is no step
		r.seen = s.now.Round(0)
	}
	if r.asked, r.askedAt = &rule, s.now; rule.Sizes() {
		for _, x := range s.members.inOrder() {
			r.shelve(x, true)
		}
		r.queue, r.dirty = append(r.queue, r.dirty...), nil
		s.measure(false)
	}
	s.retain()
	s.out.add(RetainLater{retainSoon})
	s.out.done(in.Ticket)
}

// pin keeps a session, and with it its tree, whatever retention says; or lets go of it.
func (s *removals) pin(in *Pin) {
	x := s.members.get(in.ID)
	switch {
	case x == nil:
		s.out.fail(in.Ticket, NotFound())
	case x.unread:
		s.out.fail(in.Ticket, unpinnable())
	case x.copied && s.draining:
		s.out.fail(in.Ticket, draining())
	case s.proofs.await(in.Ticket, x):
	default:
		sum := *s.current(x)
		sum.Pinned = in.Pinned
		x.summary = &sum
		s.show(x)
		s.out.add(Note{ID: in.ID, Kept: x.kept(), Safely: true})
		s.out.add(OnceNoted{in.Ticket, in.ID})
	}
}
