package session

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// movePrompt gives a prompt that waits another place.
func (s *State) movePrompt(in *MovePrompt) {
	from := s.queuedIndex(in.PromptID)
	if from < 0 {
		s.answer(in, func() { in.Fail(errNotWaiting()) })
		return
	}
	if q := &s.queue[from]; q.Sent || q.native {
		s.answer(in, func() { in.Fail(errWithAgent()) })
		return
	}
	to := min(max(in.Position, 1), len(s.queue)) - 1
	if in.Before != "" {
		next := s.queuedIndex(in.Before)
		if next < 0 {
			s.answer(in, func() { in.Fail(errNotWaiting()) })
			return
		}
		if to = next; from < next {
			to--
		}
		if from == next {
			to = from
		}
	}
	if to != from {
		rest := slices.Delete(slices.Clone(s.queue), from, from+1)
		moved := protocol.PromptMoved{PromptID: in.PromptID}
		if to < len(rest) {
			moved.Before = rest[to].ID
		}
		s.emit(&moved)
	}
	s.answer(in, func() { in.Send(Moved{Position: to + 1}) })
}

func (s *State) applyMoved(p *protocol.PromptMoved) {
	from := s.queuedIndex(p.PromptID)
	if from < 0 || p.PromptID == p.Before {
		return
	}
	moved := s.queue[from]
	s.queue = slices.Delete(s.queue, from, from+1)
	to := s.queuedIndex(p.Before)
	if to < 0 {
		to = len(s.queue)
	}
	s.queue = slices.Insert(s.queue, to, moved)
}
