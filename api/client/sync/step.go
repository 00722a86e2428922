package sync

import "github.com/ringmaster-agents/ringmaster/protocol"

// Step takes an input and says what is to be done. Jitter, 0 ≤ jitter < 1, is the random share of a wait, if the step leads to one. The effects are valid
// until the next step. What does not fit the phase has no effect.
func (s *State) Step(in Input, jitter float64) []Effect {
	s.out, s.jitter = s.out[:0], jitter
	if _, failed := in.(StoreFailed); !failed {
		s.given, s.evicted, s.hint.asked = batch{}, false, false
	}
	used := s.hint.used
	s.hint.used = false
	switch in := in.(type) {
	case Open:
		s.open(&in)
	case Tick:
		s.store()
	case Due, Wake:
		if s.phase == PhaseWaiting {
			s.connect()
		}
	case Renew:
		if s.phase == PhaseLive {
			s.store()
			s.emit(Disconnect{})
			s.connect()
		}
	case Moved:
		if s.phase == PhaseOver || s.phase == PhaseAside {
			s.connect()
		}
	case Close:
		s.close()
	case StoreFailed:
		s.storeFailed()
	case Unreadable:
		s.unreadable(used)
	case Saved:
		s.hint.size = in.Size
	case Connected:
		if s.phase == PhaseConnecting {
			s.phase = PhaseLive
		}
	case Retry:
		s.retry = in.After
	case Answer:
		if s.phase == PhaseConnecting {
			s.answer(&in)
		}
	case Lost:
		s.lost()
	case Frame:
		if s.reading() {
			s.frame(&in)
		}
	case Heartbeat:
		if s.reading() {
			s.heartbeat(in.At)
		}
	case Reset:
		if s.reading() {
			s.reset(in)
		}
	case Over:
		if s.reading() && s.agrees(in.At) {
			s.rest(PhaseOver)
		}
	case Gone:
		s.letGo(in)
	case Refused:
		if s.reading() {
			s.emit(Tell{NoticeUnavailable, in.Code})
		}
	case Damage:
		if s.reading() {
			s.tell(NoticeDamaged)
		}
	}
	return s.out
}

func (s *State) open(o *Open) {
	if s.phase != PhaseClosed {
		return
	}
	*s = State{at: protocol.Cursor{Epoch: 1}, cached: o.Cached, jitter: s.jitter, out: s.out, hint: hint{every: o.SaveEvery}}
	switch {
	case !o.Cached:
		if !o.Since.Start() {
			s.at = o.Since
		}
	case o.sound():
		s.resume(o)
	case o.Index != nil:
		s.emit(Drop{})
		s.tell(NoticeCacheDropped)
	case o.File.Length > 0 || o.Checkpoint != nil:
		s.emit(Drop{})
	}
	s.connect()
}

// resume goes on from what the cache has.
func (s *State) resume(o *Open) {
	if o.File.Length > o.Index.Length {
		s.emit(Cut{Length: o.Index.Length})
	}
	var from Read
	s.hint.behind(o.Index.Seq, o.Index.Length)
	switch c := o.Checkpoint; {
	case c == nil:
	case c.of(o.Index):
		from = Read{From: c.Length, After: c.Seq}
		s.hint.behind(o.Index.Seq-c.Seq, o.Index.Length-c.Length)
		s.hint.size, s.hint.used = c.Size, true
	default:
		s.emit(DropCheckpoint{})
	}
	s.emit(from)
	s.at = protocol.Cursor{Epoch: o.Index.Epoch, Seq: o.Index.Seq}
}

func (s *State) close() {
	s.leave()
	if s.reading() || s.phase == PhaseConnecting {
		s.emit(Disconnect{})
	}
	s.phase = PhaseClosed
}
