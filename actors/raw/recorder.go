package raw

import "encoding/json"

// Recorder records one connection of the session, one incarnation long. Lines that it gets are held, in order, until Batch says
// which batch they belong to. A nil Recorder records nothing. Its methods must not be called concurrently, except Wait;
// none but Wait blocks.
type Recorder struct {
	archive     *Archive
	incarnation uint32
	held        lines
	before      *base
}

// Beginning is how a connection began: what a translator has to know to read its lines again.
type Beginning struct {
	Event           string `json:"event"`             // spawn
	Cwd             string `json:"cwd,omitempty"`     //
	Version         string `json:"version,omitempty"` // of the agent
	NativeSessionID string `json:"nativeSessionId,omitempty"`
	Model           string `json:"model,omitempty"`
	Mode            string `json:"mode,omitempty"`
	Resume          bool   `json:"resume,omitempty"`
	Child           bool   `json:"child,omitempty"`
	MaxText         int    `json:"maxText,omitempty"`   // bytes of one text that went into the log; 0: adapters.MaxText
	MCPServer       string `json:"mcpServer,omitempty"` // name of the daemon's MCP server, where the agent was given it
}

// End is how a connection ended.
type End struct {
	Status    string   // as package recording reads it: "exit 0", "signal: killed", or why there is none
	Requested bool     // the daemon asked for it
	Stderr    []string // the last lines
}

// Record begins a connection.
func (a *Archive) Record(incarnation uint32, b Beginning) *Recorder {
	if a == nil {
		return nil
	}
	r := &Recorder{archive: a, incarnation: incarnation, before: a.connect()}
	b.Event = "spawn"
	r.meta(b)
	r.Batch(0)
	a.hurry() // that the folder is looked at, and cleared of what a killed daemon left, does not wait for the agent's first word
	return r
}

// Out holds a line of the agent; what it has other than the one before is copied.
func (r *Recorder) Out(line []byte) {
	if r != nil {
		r.before.say(&r.held, line, r.archive.version.Load())
	}
}

// In holds a line to the agent.
func (r *Recorder) In(line []byte) {
	if r != nil {
		r.held.append(dirIn, line)
	}
}

// TooLong holds a note of a line that was dropped.
func (r *Recorder) TooLong(bytes int64) {
	if r != nil {
		r.note(note{Event: eventTooLong, Bytes: bytes})
	}
}

// Batch hands the held lines to the archive. Number is that of the adapter's batch that they became; 0: they became none.
func (r *Recorder) Batch(number uint64) {
	if r == nil || len(r.held.items) == 0 {
		return
	}
	r.held.stamp(r.archive.opt.Now().UnixMilli(), r.incarnation, number)
	r.archive.put(&r.held)
	r.held.reset()
	r.held.trim(4 * idleSpare)
}

// End is the last call. The held lines belong to the batch.
func (r *Recorder) End(batch uint64, e End) {
	if r == nil {
		return
	}
	for _, line := range e.Stderr {
		r.held.append(dirErr, []byte(line))
	}
	if e.Requested {
		r.meta(map[string]string{"event": "stdin_closed"})
	}
	r.meta(map[string]string{"event": "exit", "status": e.Status})
	r.held.items[len(r.held.items)-1].last = true
	r.Batch(batch)
	r.archive.leave(r.before)
	r.archive.opt.Settled()
}

// Wait returns when the archive's queue has room. Only the port's reader calls it, so that the agent blocks and no actor does.
func (r *Recorder) Wait() {
	if r != nil {
		r.archive.wait()
	}
}

// note is the data of a record that tells of missing lines.
type note struct {
	Event string `json:"event"`
	Lines uint64 `json:"lines,omitempty"`
	Bytes int64  `json:"bytes,omitempty"`
}

func (r *Recorder) note(n note) { r.held.append(dirNote, encode(n)) }

func (r *Recorder) meta(v any) { r.held.append(dirMeta, encode(v)) }

// encode makes JSON of the structs of this file, which always encode.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
