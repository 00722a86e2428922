// Package merged serves many sessions over one connection (spec §7.13): the lines of their logs, and the list of them as it changes.
//
// One goroutine of a handler reads all of them. Each session has a feed: a position in that session's ring, and a bell that the ring's writer rings. Feeds with
// something new take turns, so that one that floods does not hold up the others; a client that reads slowly holds up nobody but itself. What may wait, asking a
// session's actor for its reading side, is done by a few goroutines beside it.
//
// A session that has nothing new costs a feed and nothing else: it is not taken up, and one that is in memory may be put away.
package merged
