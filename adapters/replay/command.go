package replay

import "github.com/ringmaster-agents/ringmaster/adapters"

// Command gives a command to the translator of a session's running incarnation, as a session would at this place of the
// recording, and gives what it says; ok is false where none runs. The recording does not know of it, so what is played afterwards
// need not fit.
func (p *Player) Command(s *Session, c adapters.Command) (out adapters.Output, ok bool) {
	if s.part == nil {
		return out, false
	}
	s.part.translator.Command(c, &out)
	return out, true
}
