package core

// The times of sessions, in milliseconds.
const (
	again   = 5_000 // until a log that could not be read is looked at once more
	flush   = 1_000 // until positions are written at which nothing was told
	unclear = 5_000 // for which a request is held beyond its time, while the list of sessions is behind the log
	recheck = 250   // until that is looked at once more
)

// output has what is to be done, at once and later.
type output struct {
	limits  Limits
	now     int64
	timers  timers
	dirty   []*lane // whose position is not written
	effects []Effect
}

// taken gives the effects that have come together.
func (s *output) taken() []Effect {
	out := s.effects
	s.effects = nil
	return out
}

func (s *output) do(e Effect) { s.effects = append(s.effects, e) }

func (s *output) save(l Line) { s.do(&Save{l}) }

// Next is when Tick should come, in Unix milliseconds; 0: nothing is due.
func (s *output) Next() int64 {
	if len(s.timers) == 0 {
		return 0
	}
	return s.timers[0].at
}

// note writes where a lane stands.
func (s *output) note(l *lane) {
	l.unsaved = false
	if l.hook.lanes[l.session] == l {
		s.save(l.line(LineAt))
	}
}

// touch has the position of a lane written soon.
func (s *output) touch(l *lane) {
	if l.unsaved {
		return
	}
	l.unsaved = true
	if len(s.dirty) == 0 {
		s.timers.add(timer{at: s.now + flush})
	}
	s.dirty = append(s.dirty, l)
}

func (s *output) write() {
	for _, l := range s.dirty {
		if l.unsaved {
			s.note(l)
		}
	}
	s.dirty = nil
}
