package board

import "github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"

// View shows the board.
func (s *State) View() terminal.Frame {
	v := &view{State: s, frame: terminal.Frame{Y: -1}}
	v.frame.Title = v.title()
	switch s.at {
	case inRoster, inPeek:
		v.ofRoster()
	case inSession:
		v.ofSession()
	case inNew:
		v.ofForm()
	case inHelp:
		v.ofHelp()
	case inPage:
		v.ofPage()
	}
	v.frame.X, v.frame.Y = min(max(v.frame.X, 0), v.columns-1), min(v.frame.Y, v.rows-1)
	return v.frame
}
