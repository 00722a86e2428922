// Package keep says what of sessions that are at rest need not be kept: a rule, and what goes by it. It is pure.
package keep

import "time"

// Rule says what stays of sessions that are at rest. The zero value: everything.
type Rule struct {
	For   time.Duration // since a session's newest event; 0: for ever
	Bytes int64         // of all sessions together; 0: any number
	Free  int64         // of the disk: while less is free no session is made, and native lines go; 0: whatever is free
}

// Sizes says that sessions have to be measured.
func (k *Rule) Sizes() bool { return k.Bytes > 0 || k.Free > 0 }

// LeastLog is the smallest bound of one session's log, in bytes.
const LeastLog = 8 << 20

// Why says why something goes.
type Why string

// The reasons.
const (
	WhyAge   Why = "age"   // Rule.For
	WhyBytes Why = "bytes" // Rule.Bytes
	WhyDisk  Why = "disk"  // Rule.Free
)

// RestingFor is how long a session that has not ended must rest before it goes for the room that it takes: somebody may go on with it.
const RestingFor = 24 * time.Hour

// EndedFor is how long a session that has ended stays before it goes for the room that it takes: somebody who has followed it reads its end.
const EndedFor = time.Minute

// Rested says that a session may go for the room that it takes, as far as that is a matter of time; since is its newest event. A clock that was set back far
// makes no session young that has ended.
func Rested(ended bool, since, now time.Time) bool {
	age := now.Sub(since)
	if ended {
		return age.Abs() >= EndedFor
	}
	return age >= RestingFor
}

// MaxDepth bounds how far a session's ancestors are followed.
const MaxDepth = 64
