package protocol

// LastTurn is how the newest turn of a session that has ended did so, as lists of sessions tell it.
type LastTurn struct {
	TurnID string     `json:"turnId"`          // the turn
	Status TurnStatus `json:"status"`          // how it ended
	Cause  TurnCause  `json:"cause,omitempty"` // why it ended, where it has not completed: user, parent, daemon, agent, lost or budget
	Error  string     `json:"error,omitempty"` // what went wrong, or what stopped it: the beginning, at most 512 bytes
	Hint   string     `json:"hint,omitempty"`  // what mends it: the beginning, at most 512 bytes
}

// maxLastTurn bounds the texts of a LastTurn, in bytes: a list has one for each session.
const maxLastTurn = 512

// LastTurnOf keeps what lists tell of a turn's end.
func LastTurnOf(p *TurnEnd) *LastTurn {
	l := &LastTurn{TurnID: p.TurnID, Status: p.Status, Cause: p.Cause, Error: headOf(p.Error), Hint: headOf(p.Hint)}
	if p.Lost() {
		l.Cause = CauseLost // logs from before the cause was told say so in the error alone
	}
	return l
}

func headOf(text string) string {
	if len(text) <= maxLastTurn {
		return text
	}
	return Head(text, maxLastTurn-len("…")) + "…" // a copy: the whole text is not held by its beginning
}

// Failed says that the turn was neither a success nor ended on purpose: it ended in an error, or its agent was lost.
func (l *LastTurn) Failed() bool {
	return l != nil && (l.Status == TurnError || l.Cause == CauseLost)
}
