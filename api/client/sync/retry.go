package sync

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// lost is the end of a connection. The first retry after one that worked comes at once.
func (s *State) lost() {
	if s.phase != PhaseLive && s.phase != PhaseConnecting {
		return
	}
	s.store()
	mark(&s.tries.fails)
	s.again(0)
}

// again connects at once, or when some time has passed: the longer, the less the last tries brought. A server that brings lines and is wrong about them every
// time must not be asked without end either, which is what strikes are for.
func (s *State) again(asked time.Duration) {
	try := max(s.tries.fails, s.tries.strikes-1)
	if try > 1 || !s.tries.heard {
		asked = max(asked, s.retry)
	}
	if try <= 1 && asked == 0 {
		s.connect()
		return
	}
	s.phase = PhaseWaiting
	s.emit(Wait{For: Backoff(try, asked, s.jitter)})
}

func (s *State) connect() {
	s.tries.heard = false
	s.phase = PhaseConnecting
	s.emit(Connect{Since: s.at})
}

// unreadable is a cache whose lines are not the ones that its checksum was made of; where it was read behind a checkpoint, that may be to blame, and the lines
// are read from the first one on.
func (s *State) unreadable(hinted bool) {
	if s.phase == PhaseClosed || !s.cached {
		return
	}
	if hinted {
		s.hint.drop()
		s.hint.behind(s.at.Seq, 0)
		s.emit(Forget{})
		s.emit(DropCheckpoint{})
		s.emit(Read{})
		return
	}
	s.emit(Disconnect{})
	s.drop(protocol.Cursor{Epoch: 1})
	s.tell(NoticeCacheDropped)
	s.connect()
}
