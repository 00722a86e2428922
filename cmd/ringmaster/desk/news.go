package desk

import (
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// News is one thing that a face is told.
//
//sumtype:decl
type News interface{ news() }

// Listed are sessions as the daemon's list has them now.
type Listed struct{ Sessions []resource.SessionSummary }

// Gone is a session that is not there any more, or not within reach.
type Gone struct{ Session string }

// Connection says whether the daemon's list is current: it is when it was read as a whole, and it is not while the connection is lost.
type Connection struct {
	Up  bool
	Why string // it is not
}

// Inbox is what all sessions wait for, the longest waiting first.
type Inbox struct {
	Requests []resource.InboxRequest
	Total    int // there may be more than are listed
}

// Called is the call of a tool that a request is about.
type Called struct {
	Session, Request string
	Call             *protocol.ToolCallData // nil: the log has none
	Err              string                 // why it could not be read; empty: it could
}

// Lines are the next events of the log that is open. Reset says that those before are void, Left that earlier ones were left out, and Caught that this is
// all that there was when the log was opened.
type Lines struct {
	Session     string
	Events      []*protocol.Event
	Reset, Left bool
	Caught      bool
}

// LogPaused says why nothing comes of the log that is open; empty: it goes on.
type LogPaused struct{ Session, Why string }

// Agents are the agents that sessions can be made with.
type Agents struct{ Names []string }

// Done says what became of a wish: Wish is one that changes something.
type Done struct {
	Wish Wish
	Err  string // why it was not done; empty: it was
	ID   string // of the session that was made
	How  string // it was done, in the program's words: from when on a setting counts, where a file is
}

func (Listed) news()     {}
func (Gone) news()       {}
func (Connection) news() {}
func (Inbox) news()      {}
func (Called) news()     {}
func (Lines) news()      {}
func (LogPaused) news()  {}
func (Agents) news()     {}
func (Done) news()       {}
