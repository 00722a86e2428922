package core

import "github.com/ringmaster-agents/ringmaster/protocol"

// FrameOf is what of the fold of a state's log goes on, up to the newest event, with the texts of open entries. It is the caller's.
func FrameOf(s *State) *protocol.Frame {
	f := s.frame.Clone()
	for _, x := range f.State.Entries {
		if o := s.entries.open[x.EntryID]; o != nil {
			x.Data = o.now()
		}
	}
	return f
}
