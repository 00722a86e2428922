package sync

import "net/http"

// answer is what the server said in place of a stream.
func (s *State) answer(a *Answer) {
	switch a.Status {
	case http.StatusNoContent:
		s.rest(PhaseOver)
	case http.StatusGone:
		mark(&s.tries.strikes)
		if r := (Reset{a.Epoch, a.Oldest, a.Common}); !s.rewind(r) {
			s.drop(beforeOldest(r))
		}
		s.again(0)
	case http.StatusUnauthorized, http.StatusForbidden:
		s.leave()
		s.emit(Forget{})
		s.phase = PhaseRefused
		s.tell(NoticeRefused)
	case http.StatusNotFound:
		s.vanish()
	default:
		s.store()
		s.tries.fails = max(min(s.tries.fails+1, mostTries), 2) // it is there and said no: to ask at once would be no use
		s.tell(NoticeUnavailable)
		s.again(a.RetryAfter)
	}
}
