package client

import (
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
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

// SessionReset says that all lines of a session so far are void; it begins again.
type SessionReset struct{ ID string }

// SessionGone says that a session is not there any more, or not within reach.
type SessionGone struct{ ID string }

// SessionNotice says what went wrong with a session, and how the mirror deals with it.
type SessionNotice struct {
	ID     string
	Notice sync.Notice
}

func (SessionChanged) change() {}
func (SessionLine) change()    {}
func (SessionReset) change()   {}
func (SessionGone) change()    {}
func (SessionNotice) change()  {}
