// Package vault holds what agents ask against the daemon's data folder: it has the tokens and every session's log, so no policy answers
// what touches it, and a person is asked (spec §4.10).
//
// It looks at the disk, and is therefore asked where an agent's lines are read, never in a session's step. It errs on the side of asking: what it
// calls touched may be harmless. What it cannot see is a path that only running code puts together, and a link that is made after it has looked.
package vault
