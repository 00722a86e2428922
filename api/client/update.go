package client

import (
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Update is one thing that a followed log has to tell: a Line, an Overflow, a Reset, a Damage or a Lost.
//
//sumtype:decl
type Update interface{ update() }

// Line is one event.
type Line struct {
	Event protocol.Event
	At    protocol.Cursor
	Raw   []byte // its line as the daemon wrote it, without the newline; it may be kept
}

// Overflow is a part of a text beyond what the log keeps of it (spec §7.18). It is no line, and a reader may miss some: Offset says what came before.
type Overflow struct{ protocol.Overflow }

// Reset says that what was read before is void: the log begins again with the next Line (spec §7.5). Where Common is not 0, what was read up to that number
// is the same: a program that has kept it may leave the loop, and follow the log from the cursor of Epoch and Common.
type Reset struct{ protocol.Reset }

// Damage says that the log ends early: what follows cannot be read (spec §7.12).
type Damage struct{ protocol.Damage }

// Lost says that the connection was lost, and is taken up again after Wait. A program that wants to give up breaks out of its loop.
type Lost struct {
	Err  error
	Wait time.Duration
	Away time.Duration // waited already since the daemon last gave a sign of life
}

func (Line) update()     {}
func (Overflow) update() {}
func (Reset) update()    {}
func (Damage) update()   {}
func (Lost) update()     {}

// ErrGap says that the daemon left out an event or sent one twice, which it never may.
var ErrGap = errors.New("the log has a gap")
