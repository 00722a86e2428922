package core

import (
	"strconv"
	"strings"
)

// Position is a place in a log: the number of an event, and the epoch in which that event was written. Unlike a cursor of the log it stays the same when the
// log gets another epoch, so that what was told before is known after a loss of power.
type Position struct{ Epoch, Seq uint64 }

// Start is before the first event of a log.
var Start = Position{Epoch: 1}

// After says that a position is behind another one.
func (p Position) After(o Position) bool {
	return p.Epoch > o.Epoch || p.Epoch == o.Epoch && p.Seq > o.Seq
}

func (p Position) String() string {
	return strconv.FormatUint(p.Epoch, 10) + "." + strconv.FormatUint(p.Seq, 10)
}

// parse reads what String has written; ok is false for anything else.
func parse(text string) (p Position, ok bool) {
	epoch, seq, _ := strings.Cut(text, ".")
	var err, err2 error
	p.Epoch, err = strconv.ParseUint(epoch, 10, 64)
	p.Seq, err2 = strconv.ParseUint(seq, 10, 64)
	return p, err == nil && err2 == nil && p.Epoch > 0
}

// begin is where a webhook stands in a session that was there when it was made, and in which nothing has happened since: a position, e where the session had
// ended, m where it matched.
type begin struct {
	at             Position
	ended, matched bool
}

func (b begin) String() string {
	text := b.at.String()
	if b.ended {
		text += "e"
	}
	if b.matched {
		text += "m"
	}
	return text
}

func parseBegin(text string) (b begin, ok bool) {
	text, b.matched = strings.CutSuffix(text, "m")
	text, b.ended = strings.CutSuffix(text, "e")
	b.at, ok = parse(text)
	return b, ok
}
