package desk

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// ReadSpent wants to know what a session had spent before a time. Total is what it has spent up to its event at Cursor.
type ReadSpent struct {
	Session, Cursor string
	Total           protocol.Spent
	Since           time.Time
}

// SpentBefore is what it had spent by then.
type SpentBefore struct {
	Session string
	Since   time.Time
	Before  protocol.Spent // its tokens and its cost
	Err     string         // why that is not known; empty: it is
	Away    bool           // it is not because no daemon has answered
	Far     bool           // it is not, and will not be: too much has happened since
}

func (ReadSpent) wish()   {}
func (SpentBefore) news() {}
