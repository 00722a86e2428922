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
	// Archive is set in the raw archive of a session: its lines are those of one session, as its translator had them, whatever
	// else the connection carried.
	Archive *Archive
}

// Archive is what a raw archive says of the beginning of a connection.
type Archive struct {
	Version         string `json:"version"` // of the agent
	NativeSessionID string `json:"nativeSessionId"`
	Model           string `json:"model"`
	Mode            string `json:"mode"`
	Resume          bool   `json:"resume"`
	Child           bool   `json:"child"`     // it is a sub-agent's
	MaxText         int    `json:"maxText"`   // bytes of one text that went into the log; 0: adapters.MaxText
	MCPServer       string `json:"mcpServer"` // name of the daemon's MCP server, where the agent was given it
}

// Out is a line of the agent. Of an agent that speaks HTTP it is an event, or an answer or a state of the stream as a line of
// httpline.
type Out struct {
	Line []byte
	Src  string // of an event and a state: path of the stream
}

// In is a line to the agent. A call is a line of httpline.
type In struct{ Line []byte }

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
func (Stderr) step() {}
func (Exit) step()   {}
func (Note) step()   {}
