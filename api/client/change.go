package client

import (
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Change is one thing that a Mirror has to tell.
//
//sumtype:decl
type Change interface{ change() }

// SessionChanged is a session as the daemon's list has it now.
type SessionChanged struct{ resource.SessionSummary }

// SessionLine is the line that follows those of a session so far. An event that this package cannot decode has no Payload; its line is there.
type SessionLine struct {
	ID   string
	Line Line
}

// SessionOverflow is a part of a text beyond what a session's log keeps of it (spec §7.18). It is no line and is kept nowhere.
type SessionOverflow struct {
	ID string
	protocol.Overflow
}

// SessionRestored says that a mirror with MirrorOptions.States has begun with a state that its cache had, in place of the lines up to At: Mirror.State gives
// it. These lines are not told; those behind them are.
type SessionRestored struct {
	ID string
	At protocol.Cursor
}

// SessionReset says that all lines of a session so far are void; it begins again.
type SessionReset struct{ ID string }

// SessionGone says that a session is not there any more, or not within reach.
type SessionGone struct{ ID string }

// ListCurrent says whether the list of sessions is current: it is when the daemon has told of all of them, and is no more when the connection is lost. The
// mirror takes it up again.
type ListCurrent struct {
	Current bool
	Err     error // why it is not
}

// SessionNotice says what went wrong with a session, and how the mirror deals with it.
type SessionNotice struct {
	ID     string
	Notice sync.Notice
}

func (SessionChanged) change()  {}
func (SessionLine) change()     {}
func (SessionOverflow) change() {}
func (SessionRestored) change() {}
func (SessionReset) change()    {}
func (SessionGone) change()     {}
func (ListCurrent) change()     {}
func (SessionNotice) change()   {}
