package pace

import "time"

// Speaker is one agent's output. All but what the keeper guards is of the goroutine that reads it.
type Speaker struct {
	keeper *Keeper

	begun  time.Duration // this span
	lines  int           // in it
	bytes  int           // in it
	waited bool          // in it
	loud   bool          // it floods
	told   time.Duration // when the keeper last heard that it speaks
	due    time.Duration // when what it has said would have been read at the pace of a flood

	counted time.Duration // guarded by the keeper: the census in which it was counted as one that floods, and one
}

// Said notes what was read of the agent, and gives how long to wait before more is read; 0: not at all. A nil Speaker never waits.
func (s *Speaker) Said(lines, bytes int) time.Duration {
	if s == nil {
		return 0
	}
	now := s.keeper.now()
	s.count(lines, bytes, now)
	if !s.loud {
		if s.told == 0 || now-s.told >= span {
			s.told = now
			s.keeper.spoke(s, now)
		}
		return 0
	}
	share := s.keeper.floods(s, now)
	if share == 0 {
		s.due = now
		return 0
	}
	cost := max(time.Duration(lines)*perLine, time.Duration(bytes)*perMiB>>20) * time.Duration(share)
	s.due = max(s.due, now-slack) + cost
	wait := min(s.due-now, longest)
	if wait <= 0 {
		return 0
	}
	s.waited = true
	s.keeper.held.Add(int64(wait))
	return wait
}

// count says whether the agent floods: in this span, or in the one before. One that had to wait does, however little was read of it.
func (s *Speaker) count(lines, bytes int, now time.Duration) {
	if gone := now - s.begun; gone >= span {
		s.loud = s.waited && now-s.due < 2*span || gone < 2*span && s.much()
		s.begun, s.lines, s.bytes, s.waited = now, 0, 0, false
	}
	s.lines += lines
	s.bytes += bytes
	s.loud = s.loud || s.much()
}

func (s *Speaker) much() bool { return s.lines >= loudLines || s.bytes >= loudBytes }
