package desk

import (
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Wish is one thing that a face wants done.
//
//sumtype:decl
type Wish interface{ wish() }

// Look wants the list of requests read.
type Look struct{}

// ReadCall wants the call that a request is about, which stands in the log shortly before Cursor.
type ReadCall struct{ Session, Request, Entry, Cursor string }

// Open wants the log of a session, in place of the one that is open: the newest events, and then what comes.
type Open struct {
	Session string
	Cursor  string // behind its newest event, as the list has it; empty: from its beginning
}

// Close wants no log any more.
type Close struct{}

// Answer answers a request.
type Answer struct {
	Session, Request string
	Reply            resource.RequestAnswer
}

// Prompt sends a prompt.
type Prompt struct {
	Session, Text string
	Pictures      []string // paths
	Behavior      protocol.Behavior
	Key           string // by which the daemon knows one that is sent again
}

// Interrupt stops the running turn.
type Interrupt struct{ Session string }

// ListAgents wants to know which agents there are.
type ListAgents struct{}

// Create makes a session, with its first prompt where Text is one.
type Create struct{ Agent, Cwd, Text, Key string }

// Ring tells somebody who may look elsewhere that a session needs them. The words are the program's own.
type Ring struct{ Words string }

// Suspend stops the program until the shell lets it go on.
type Suspend struct{}

// Quit ends the face.
type Quit struct{}

func (Look) wish()       {}
func (ReadCall) wish()   {}
func (Open) wish()       {}
func (Close) wish()      {}
func (Answer) wish()     {}
func (Prompt) wish()     {}
func (Interrupt) wish()  {}
func (ListAgents) wish() {}
func (Create) wish()     {}
func (Ring) wish()       {}
func (Suspend) wish()    {}
func (Quit) wish()       {}
