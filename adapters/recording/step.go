package recording

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Record is one step with its time and place.
type Record struct {
	At   time.Duration // since the recording began
	Line int           // of the file, from 1
	Conn string        // label of the connection; empty where there is only one
	Step Step
}

// Step is one thing that happened.
//
//sumtype:decl
type Step interface{ step() }

// Start begins an incarnation: a process of the agent, or a connection to one. Every recording with a line of the agent
// has one before it, and each is followed by one Exit before the next.
type Start struct {
	Args   []string // of the process, without its name, as far as they were recorded
	Cwd    string
	Resume bool // not the first one of the recording
}

// Out is a line of the agent.
type Out struct {
	Line []byte
	Src  string // path of the stream, for agents that are listened to over HTTP
}

// In is a line to the agent.
type In struct{ Line []byte }

// HTTP is a call to the agent or its answer.
type HTTP struct {
	N        int    // pairs call and answer
	Response bool   // else the call
	Method   string // of the call
	Path     string
	Status   int    // of the answer
	Body     []byte // JSON; empty where there was none
}

// Stderr is a line on the agent's standard error.
type Stderr struct{ Line string }

// Exit ends an incarnation. An input that was closed, or a signal other than a kill, counts as asked for; so does the end
// of a recording without an end of the agent.
type Exit struct{ Exit adapters.Exit }

// Note is a remark of the recording program that changes nothing.
type Note struct{ Text string }

func (Start) step()  {}
func (Out) step()    {}
func (In) step()     {}
func (HTTP) step()   {}
func (Stderr) step() {}
func (Exit) step()   {}
func (Note) step()   {}
