// Package core says what Core is to a node: the place that keeps the logs of sessions beside the machine that they run on. Package memory is one inside
// the process, for tests, package postgres the one on PostgreSQL, package remote a way to either over HTTP; each passes the suite of package coretest. The
// names that the types have as JSON are those of package wire.
//
// A node's journal stays the place where an event becomes true. Core has its lines a moment later, byte for byte, in rows that are stretches of it
// (store.Stretch). Its rules, which the suite checks:
//
//   - One row of a session, its position, decides who may append: an append names the lease that it was given and the event that it begins with, and both
//     are compared with the position and advanced in the same moment. So a log in Core has no gap, no event twice, and one writer.
//   - A lease is random and new whenever somebody takes a session. It never comes back, also where Core itself has lost its newest minutes.
//   - Whose a session is may change while the one that has it knows nothing of that: a node that is silent for its lease is declared dead by others, and what
//     it leaves is claimed. A lease that has run out fences nobody: a claim does, by the row that an append compares. What is claimed of a lost node is in a
//     new epoch, since readers may have seen more of it; what was released is not.
//   - Time is Core's alone. Nodes tell and are told durations, and who declares another one dead has itself renewed in time for as long as that one had to.
//   - A call that fails says nothing: what it asked for may have happened, and may happen yet. Whoever needs to know asks for the position.
//   - What a call names that Core does not take is told of each session by itself; the others of the call are not touched by it.
//   - Whatever bytes a log has, Core keeps: a line that it could not keep would stop the session's way to it for ever.
package core
