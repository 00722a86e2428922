package sync

import "github.com/ringmaster-agents/ringmaster/protocol"

// frame takes an event: the one that follows is shown, one that came before is passed over, any other says that something is missing.
func (s *State) frame(f *Frame) {
	switch {
	case foreign(s.at, f.At, s.at.Seq+1):
		s.startOver(NoticeEpoch)
	case f.Seq != f.At.Seq:
		s.gap(f.At)
	case f.Seq <= s.at.Seq:
	case f.Seq != s.at.Seq+1:
		s.gap(f.At)
	default:
		s.take(f)
	}
}

func (s *State) take(f *Frame) {
	s.phase = PhaseLive
	s.at, s.tries.fails, s.tries.gaps, s.tries.heard = f.At, 0, 0, true
	s.emit(Show{At: f.At, Line: f.Line})
	if !s.cached {
		return
	}
	if s.pending.add(f); s.pending.bytes >= StoreBytes {
		s.store()
	}
}

func (s *State) heartbeat(at *protocol.Cursor) {
	if at == nil || s.agrees(*at) {
		s.tries.agreed()
	}
}

// agrees holds a position that the server has told against the own one, and sees to it that nothing stays missing.
func (s *State) agrees(at protocol.Cursor) bool {
	switch {
	case at.Start(): // good in every epoch, and never ahead
	case foreign(s.at, at, s.at.Seq):
		s.startOver(NoticeEpoch)
		return false
	case at.Seq > s.at.Seq:
		s.gap(at)
		return false
	}
	return true
}

// nowhere is the seq of a cursor that no log can have.
const nowhere = protocol.MaxSeq

// foreign says that what is at a cursor of the server does not belong behind the own one: a reset was due before it, and was lost. At the start every
// epoch is right.
//
// A later epoch is right as well where the server goes on behind the position, for then it has judged that the position lies before that epoch (spec §2.3). It
// does so from the number least on. What it has in that epoch before that number is the beginning of another log, and nothing of it may be passed over as
// known.
func foreign(own, at protocol.Cursor, least uint64) bool {
	if own.Start() {
		return false
	}
	return own.Seq == nowhere || at.Epoch < own.Epoch || at.Epoch > own.Epoch && at.Seq < least
}

// gap asks again for what is missing before a cursor of the server. When what comes then does not fit either, the position itself is not to be trusted.
//
// At the start, the first line that comes may be the oldest one that retention has left, or others were lost before it. Only a reset names the oldest line,
// so the machine asks with a cursor that no log can have.
func (s *State) gap(seen protocol.Cursor) {
	if mark(&s.tries.gaps); s.tries.gaps > 1 {
		s.startOver(NoticeGap)
		return
	}
	if s.at.Start() {
		s.at = protocol.Cursor{Epoch: seen.Epoch + 1, Seq: nowhere}
	}
	mark(&s.tries.strikes)
	s.emit(Disconnect{})
	s.tell(NoticeGap)
	s.again(0)
}

// startOver reads the whole log anew, over a new connection.
func (s *State) startOver(why Notice) {
	mark(&s.tries.strikes)
	s.emit(Disconnect{})
	s.drop(protocol.Cursor{Epoch: 1})
	s.tell(why)
	s.again(0)
}

// reset follows the server to the log that it has now: behind the lines that are of it, over a new connection, or from its oldest event on, which this
// connection brings.
func (s *State) reset(r Reset) {
	mark(&s.tries.strikes)
	if s.rewind(r) {
		s.emit(Disconnect{})
		s.again(0)
		return
	}
	s.drop(beforeOldest(r))
	s.phase = PhaseLive
}

// beforeOldest is the position before the oldest event of a log; what the server did not say is the start.
func beforeOldest(r Reset) protocol.Cursor {
	return protocol.Cursor{Epoch: max(r.Epoch, 1), Seq: max(r.Oldest, 1) - 1}
}

// rest stays where everything was read.
func (s *State) rest(p Phase) {
	s.tries.agreed()
	s.leave()
	s.phase = p
}

// letGo ends the following of a session in a merged stream.
func (s *State) letGo(g Gone) {
	switch {
	case !s.reading() && s.phase != PhaseConnecting:
	case g.Deselected:
		s.rest(PhaseAside)
		s.tell(NoticeDeselected)
	default:
		s.vanish()
	}
}

// vanish is the end of a session that is not there any more.
func (s *State) vanish() {
	s.drop(protocol.Cursor{Epoch: 1})
	s.phase = PhaseGone
	s.tell(NoticeGone)
}
