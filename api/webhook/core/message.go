package core

import (
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

// Input is something that happens.
//
//sumtype:decl
type Input interface{ input() }

// Saw is a session as the list of sessions shows it.
type Saw struct {
	About   notice.About // without a cursor
	Newest  protocol.Cursor
	Told    uint64   // the event up to which Open is right
	Open    []string // requests that wait for an answer
	Ended   protocol.EndReason
	Gone    bool     // it was deleted
	Matches []string // webhooks that it is of
}

// Listed says which sessions there are, after each of them was seen: the others that are known are gone, or they have left.
type Listed struct {
	There   map[string]struct{}
	Shelved map[string]struct{} // of which something is set aside here; needed where there are doubts (State.Doubts)
}

// Left says that a session is another node's now, which tells what happens there.
type Left struct{ Session string }

// Scanned is what a Scan has found, up to a position.
type Scanned struct {
	Session string
	From    Position // of the Scan
	Missed  *Missed
	Found   []Found
	At      Position
	Ended   *bool            // the last word about that; nil: there was none
	End     *protocol.Cursor // that of the log's newest event, where At is there; nil: there is more
	Failed  bool             // it could not be read
}

// Missed says that events were not there any more.
type Missed struct {
	To       Position // the last of them
	From, Up string   // cursors around them
}

// Found is an event of which there is something to tell.
type Found struct {
	At     Position
	Cursor string // of the log
	Time   int64
	Kind   notice.Kind
	What   notice.What
}

// Answered is what came of a Try.
type Answered struct {
	Hook, ID   string
	Status     int    // 0: there was no answer
	Error      string // a word; empty: delivered
	RetryAfter int64  // ms; 0: the receiver has not said
	Chance     float64
}

// Tick says that it is late enough for something, perhaps.
type Tick struct{}

func (*Saw) input()      {}
func (*Listed) input()   {}
func (*Left) input()     {}
func (*Scanned) input()  {}
func (*Answered) input() {}
func (*Tick) input()     {}

// Effect is something to be done.
//
//sumtype:decl
type Effect interface{ effect() }

// Save has a line added to the file.
type Save struct{ Line Line }

// Scan has a session's log looked at behind a position. Scanned must follow.
type Scan struct {
	Session string
	From    Position
}

// Try has a delivery sent. Answered must follow.
type Try struct {
	Hook, ID, Body, URL string
	Secrets             []string
}

// Tell has something said in the daemon's log, and counted.
type Tell struct {
	Hook  string
	What  Event
	Kind  notice.Kind
	Error string
}

// Event is what is told of a webhook.
type Event string

// What is told.
const (
	Delivered Event = "delivered"
	Failed    Event = "failed"
	Died      Event = "dead"
	Dropped   Event = "dropped" // somebody answered before it was sent
	Lost      Event = "lost"    // the list of dead ones was full
	Disabled  Event = "disabled"
)

func (*Save) effect() {}
func (*Scan) effect() {}
func (*Try) effect()  {}
func (*Tell) effect() {}

// Line is a line of the file.
type Line struct {
	Is    LineKind          `json:"is"`
	Hook  string            `json:"hook"`
	Set   *Webhook          `json:"set,omitempty"`   // of hook
	Begin map[string]string `json:"begin,omitempty"` // of the first hook: sessions that there were
	Fresh bool              `json:"fresh,omitempty"` // it is the first, also where there were none
	Lost  int               `json:"lost,omitempty"`  // of hook: dead ones that were dropped

	Session string    `json:"session,omitempty"` // of at, done, left
	At      string    `json:"at,omitempty"`      // up to there everything is settled; empty: as before
	Ended   bool      `json:"ended,omitempty"`   // there the session had ended
	Apart   bool      `json:"apart,omitempty"`   // of at: it does not match any more
	Away    bool      `json:"away,omitempty"`    // of at, done, dead: it has left
	ID      string    `json:"id,omitempty"`      // of done
	Of      *Delivery `json:"of,omitempty"`      // of late, dead
}

// LineKind is the kind of a line.
type LineKind string

// The kinds of lines.
const (
	LineHook    LineKind = "hook"    // a webhook as it is from now on
	LineRemoved LineKind = "removed" // there is no such webhook any more
	LineAt      LineKind = "at"      // a position in a session's log
	LineLate    LineKind = "late"    // a delivery that is pending
	LineDead    LineKind = "dead"    // one that is dead
	LineDone    LineKind = "done"    // one that is neither any more
	LineLeft    LineKind = "left"    // a session is gone, and told of
)
