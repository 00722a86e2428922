package board

import (
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/reason"
)

// sheet is a dialog as it is laid out on the screen.
type sheet struct {
	what []string // is asked
	keys []string // that answer, below it
	x    int      // the column of what is written in the last of them; -1: nothing is
	most int      // rows of what is asked, at most
}

// height is how many rows the sheet takes, with the rule above it.
func (s *sheet) height() int { return 1 + min(len(s.what), s.most) + len(s.keys) }

// sheet lays the dialog out.
func (s *State) sheet() sheet {
	d := s.dialog
	out := sheet{what: d.what(s.style, s.columns-2), x: -1}
	if words, sent := s.sending[d.key()]; sent {
		out.keys = []string{s.style.Warn("Sending: " + one(words, s.columns))}
	} else {
		out.keys, out.x = d.Prompt(s.style, s.columns-2)
		if deadline := reason.Deadline(&d.Request, s.now); deadline != "" {
			out.keys = append([]string{s.style.Dim(one("Without an answer: "+deadline+".", s.columns-2))}, out.keys...)
		}
	}
	room := s.rows - 2 - min(len(out.keys), max(1, s.rows/2)) - 1
	if s.rows >= 16 { // something of the list, or of the session, stays
		room = min(room, max(6, (s.rows-2)*3/5))
	}
	out.most = max(1, room)
	return out
}

// bodyRows is how many rows the log of a session has.
func (s *State) bodyRows() int {
	n := s.rows - 2
	if s.dialog != nil {
		sheet := s.sheet()
		n -= sheet.height()
	} else if row, is := s.list.roster.Row(s.open.session); is && len(row.Requests) > 0 {
		n--
	}
	if s.drafts.now != nil {
		n--
	}
	return max(0, n)
}
