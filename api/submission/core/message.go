package core

import "time"

// Key is the key of a principal.
type Key struct {
	By   string // whose it is
	Name string // as it was sent
}

// Submission is one call of an operation that changes something.
type Submission struct {
	Key
	Operation string
	Session   string // that it is about; empty: none
	Sum       string // of method, path and body: what tells one content from another
	LookAt    string // path that shows what came of it, where nobody knows
}

// Answer is what a submission was answered with.
type Answer struct {
	Status   int
	Type     string // of the body; empty: there is none
	Location string // the header; empty: none
	Body     string
	// Secret says that the body must not be kept: only that there was an answer, and its status.
	Secret bool
}

// Outcome is how a submission has ended, as its caller knows it.
type Outcome uint8

// The outcomes.
const (
	Done    Outcome = iota // it was carried out
	Refused                // nothing was done: its key is free again
	Unsure                 // nobody knows: the handler failed, or its time was over
)

// Input is something that happens.
//
//sumtype:decl
type Input interface{ input() }

// Submit is a submission that comes. Its ticket, which the caller counts, is in what becomes of it.
type Submit struct {
	Ticket uint64
	Submission
	Now time.Time
}

// Stored says that a line is on the disk or, with an error, that it may not be.
type Stored struct {
	N   uint64
	Err error
}

// Ended says how a submission ended that Run has begun.
type Ended struct {
	N       uint64
	Outcome Outcome
	Answer  Answer
}

// Left says that nobody waits for what becomes of a ticket any more.
type Left struct {
	Ticket uint64
	N      uint64 // as Wait had it
}

// Removed says that a session was removed: what was said of it goes as well.
type Removed struct{ Session string }

func (*Removed) input() {}
func (*Submit) input()  {}
func (*Stored) input()  {}
func (*Ended) input()   {}
func (*Left) input()    {}

// Effect is something to be done.
//
//sumtype:decl
type Effect interface{ effect() }

// Write has a line added to the file. Stored must follow, where the line is no Freed.
type Write struct{ Line Line }

// Run has a submission carried out. Ended must follow.
type Run struct{ Ticket, N uint64 }

// Wait says that a ticket waits for what becomes of a submission.
type Wait struct{ Ticket, N uint64 }

// Tell ends a ticket.
type Tell struct {
	Ticket  uint64
	Verdict Verdict
}

// Rewrite has the file written anew: it has something that is not to be kept.
type Rewrite struct{}

func (*Rewrite) effect() {}
func (*Write) effect()   {}
func (*Run) effect()     {}
func (*Wait) effect()    {}
func (*Tell) effect()    {}

// Verdict is what is said to whoever has submitted something.
type Verdict struct {
	Kind   Kind
	Answer Answer // of Own and Repeated
	LookAt string // of Uncertain and Forgotten
	Status int    // of Forgotten: that of the answer
	Err    error  // of Unkept
}

// Kind is the kind of a verdict.
type Kind uint8

// The kinds of verdicts.
const (
	Own       Kind = iota // the submission's own answer
	Repeated              // the answer of an earlier one of the same content
	Conflict              // the key was used for something else
	Uncertain             // an earlier one was accepted, and nobody knows what came of it
	Forgotten             // an earlier one was carried out, and its answer is not kept
	Unkept                // it could not be accepted: the disk did not take it
	Full                  // so many are at work with keys of this principal, or of all, that no other can be kept
)

// Line is a line of the file.
type Line struct {
	Is       LineKind `json:"is"`
	N        uint64   `json:"n"`            // of the submission
	By       string   `json:"by,omitempty"` // of accepted, as those down to LookAt
	Key      string   `json:"key,omitempty"`
	Op       string   `json:"op,omitempty"`
	Session  string   `json:"session,omitempty"`
	Sum      string   `json:"sum,omitempty"`
	LookAt   string   `json:"lookAt,omitempty"`
	At       int64    `json:"at,omitempty"`     // when it was accepted, in milliseconds
	Status   int      `json:"status,omitempty"` // of answered, as those below
	Type     string   `json:"type,omitempty"`
	Location string   `json:"location,omitempty"`
	Body     string   `json:"body,omitempty"`
	Unkept   bool     `json:"unkept,omitempty"` // the body is not kept
}

// LineKind is the kind of a line.
type LineKind string

// The kinds of lines.
const (
	Accepted LineKind = "accepted"
	Answered LineKind = "answered"
	Freed    LineKind = "freed"
)
