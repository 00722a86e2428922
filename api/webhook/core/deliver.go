package core

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

// waits are those between the tries of a delivery; the last try is at the end of life (spec §7.17).
var waits = [...]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, life,
}

// life is how long a delivery is tried.
const life = 72 * time.Hour

// sending decides when deliveries are tried, and what follows from an answer.
type sending struct {
	looking
	hooks []*hook // in the order in which they were made
}

func (s *sending) find(id string) *hook {
	if i := slices.IndexFunc(s.hooks, func(h *hook) bool { return h.ID == id }); i >= 0 {
		return s.hooks[i]
	}
	return nil
}

// head does what the first delivery of a lane is due for.
func (s *sending) head(l *lane) {
	for len(l.queue) > 0 {
		d := l.queue[0]
		switch {
		case d.phase != behind && d.phase != held:
			return
		case d.Request == "":
			s.ready(d)
			return
		}
		open, known := s.asked(d)
		switch {
		case known && !open:
			s.do(&Tell{Hook: l.hook.ID, What: Dropped, Kind: d.Kind})
			s.pop(l)
		case s.now < d.Until:
			s.hold(d, d.Until)
			return
		case !known && s.now < d.Until+unclear:
			s.hold(d, s.now+recheck)
			return
		default:
			s.ready(d)
			return
		}
	}
}

// hold has a delivery wait for an answer to its request.
func (s *sending) hold(d *Delivery, until int64) {
	if d.phase == held && until == d.Until {
		return // there is a timer
	}
	d.phase = held
	s.timers.add(timer{at: until, delivery: d})
}

// ready has a delivery tried at its time.
func (s *sending) ready(d *Delivery) {
	if d.Next > s.now {
		d.phase = waiting
		s.timers.add(timer{at: d.Next, delivery: d})
		return
	}
	d.phase = ready
	d.hook.ready = append(d.hook.ready, d)
	s.launch(d.hook)
}

// due goes on with a delivery whose time has come, if it is still that time.
func (s *sending) due(d *Delivery) {
	switch {
	case d.phase == held:
		s.head(d.lane)
	case d.phase == waiting && d.Next > 0 && d.Next <= s.now:
		s.ready(d)
	}
}

// launch tries what is ready, as far as there are places.
func (s *sending) launch(h *hook) {
	for h.Active() && h.under < s.limits.Under && len(h.ready) > 0 {
		d := h.ready[0]
		h.ready = h.ready[1:]
		if d.phase != ready || h.trying[d.ID] != nil {
			continue // the second: a dead one that is sent again, and that its log has told once more
		}
		h.under++
		h.trying[d.ID] = d
		d.phase, d.Last, d.Next, d.Request = trying, s.now, 0, ""
		if d.First == 0 {
			d.First = s.now
		}
		s.do(&Try{Hook: h.ID, ID: d.ID, Body: d.Body, URL: h.URL, Secrets: h.Secrets(s.now)})
	}
}

// answered takes what came of a try.
func (s *sending) answered(in *Answered) {
	h := s.find(in.Hook)
	if h == nil {
		return
	}
	d := h.trying[in.ID]
	if d == nil {
		return
	}
	delete(h.trying, in.ID)
	h.under--
	d.Tries++
	d.Status, d.Error = in.Status, in.Error
	if in.Error == "" {
		h.delivered(d, s.limits.Done)
		s.do(&Tell{Hook: h.ID, What: Delivered, Kind: d.Kind})
		s.settle(d)
	} else {
		s.do(&Tell{Hook: h.ID, What: Failed, Kind: d.Kind, Error: in.Error})
		s.failed(h, d, in)
	}
	s.launch(h)
}

func (s *sending) failed(h *hook, d *Delivery, in *Answered) {
	switch last := d.First + life.Milliseconds(); {
	case in.Status == http.StatusGone:
		d.phase = waiting // until somebody enables the webhook
		s.keep(d)
		s.disable(h, Gone)
	case s.now >= last || d.Tries > len(waits):
		s.die(h, d)
	default:
		wait := float64(waits[d.Tries-1].Milliseconds())
		d.Next = max(s.now+int64(wait-wait*in.Chance/10), s.now+in.RetryAfter)
		if d.Tries == len(waits) || d.Next > last {
			d.Next = last
		}
		s.keep(d)
		s.ready(d)
	}
}

// keep writes a pending delivery down: its event may be dropped from the log, or deleted with it, before it is delivered.
func (s *sending) keep(d *Delivery) {
	d.saved = true
	of := *d
	s.save(Line{Is: LineLate, Hook: d.hook.ID, Of: &of})
}

// settle takes a delivery out that nothing more comes of.
func (s *sending) settle(d *Delivery) {
	if l := d.lane; l != nil {
		s.pop(l)
		return
	}
	d.hook.apart = slices.DeleteFunc(d.hook.apart, func(o *Delivery) bool { return o == d })
	d.hook.made--
	s.save(Line{Is: LineDone, Hook: d.hook.ID, ID: d.ID})
	s.feed(d.hook)
}

// pop takes out the first delivery of a lane, and goes on with the next.
func (s *sending) pop(l *lane) {
	d := s.shift(l)
	line := l.line(LineDone)
	line.ID = d.ID
	s.save(line)
	s.next(l)
}

// shift moves a lane on behind its first delivery.
func (s *sending) shift(l *lane) *Delivery {
	d := l.queue[0]
	l.queue = l.queue[1:]
	l.hook.made--
	if d.At.After(l.at) {
		l.at = d.At
	}
	if len(l.queue) == 0 && l.seen.After(l.at) {
		l.at = l.seen
	}
	l.unsaved = false // what is written now says it
	return d
}

// next goes on with a lane.
func (s *sending) next(l *lane) {
	s.head(l)
	if x := s.sessions[l.session]; x != nil {
		s.want(x, l)
	}
	s.feed(l.hook)
	s.leave(l)
}

// queue puts a delivery behind the others of its lane.
func (s *sending) queue(l *lane, d *Delivery) {
	d.Session, d.Made, d.hook, d.lane = l.session, s.now, l.hook, l
	l.queue = append(l.queue, d)
	l.hook.made++
	s.head(l)
}

func body(n *notice.Notice) string {
	text, err := json.Marshal(n)
	if err != nil {
		return "{}" // no member of a notice can fail
	}
	return string(text)
}

// die puts a delivery among the dead ones, of which the oldest may have to go.
func (s *sending) die(h *hook, d *Delivery) {
	d.phase, d.Next = behind, 0
	line := Line{Is: LineDead, Hook: h.ID}
	if l := d.lane; l != nil {
		s.shift(l)
		line = l.line(LineDead)
		defer s.next(l)
	} else {
		h.apart = slices.DeleteFunc(h.apart, func(o *Delivery) bool { return o == d })
		h.made--
		defer s.feed(h)
	}
	of := *d
	line.Of = &of
	h.dead = append(h.dead, d)
	d.lane = nil
	s.save(line)
	s.do(&Tell{Hook: h.ID, What: Died, Kind: d.Kind, Error: d.Error})
	for len(h.dead) > s.limits.Dead {
		oldest := h.dead[0]
		h.dead[0] = nil
		h.dead = h.dead[1:]
		h.lost++
		s.save(Line{Is: LineDone, Hook: h.ID, ID: oldest.ID, Lost: h.lost})
		s.do(&Tell{Hook: h.ID, What: Lost, Kind: oldest.Kind})
	}
}

// disable stops a webhook.
func (s *sending) disable(h *hook, why Reason) {
	if h.Disabled == why || h.Disabled == Token {
		return
	}
	h.Disabled = why
	s.save(h.line())
	s.do(&Tell{Hook: h.ID, What: Disabled, Error: string(why)})
}

// resume goes on with all of a webhook that is active again: each delivery has all its tries once more.
func (s *sending) resume(h *hook) {
	for _, d := range h.apart {
		s.afresh(d)
	}
	for _, id := range sorted(h.lanes) {
		l := h.lanes[id]
		if len(l.queue) > 0 {
			s.afresh(l.queue[0])
		}
		if x := s.sessions[id]; x != nil {
			s.want(x, l)
		}
	}
	s.launch(h)
}

func (s *sending) afresh(d *Delivery) {
	if d.phase != waiting && d.phase != ready {
		return
	}
	d.Tries, d.First, d.Next = 0, 0, 0
	if d.phase == waiting {
		s.ready(d)
	}
}
