// Package sync decides how a client keeps one session: what it asks the daemon for, what it shows, and what it stores, so that lines shown and bytes stored are
// always the log's (spec §10.5), whatever is lost, repeated or damaged on the way.
//
// The package decides and does nothing. A State takes one Input after another and answers each with effects. It has no clock, no disk, no network and no
// goroutine. A shell around it owns these, for a single stream (spec §7.2) as for one session of a merged stream (spec §7.13), and keeps five rules:
//
//   - It carries out all effects of a step, in their order, before it gives the next input.
//   - When a Store among them failed, the next input is StoreFailed; when a Read met what is no line of the run, or a Rewind failed, it is Unreadable. Any
//     other input says that all went well.
//   - Behind a Disconnect, and behind the input Lost, it gives nothing that the old connection has brought.
//   - It gives Due when the time of a Wait is over, and Lost when a connection was silent for 45 s (spec §7.4).
//   - It gives Tick about once a second, at the end of a turn, and before its program is put to sleep.
//
// A position is a cursor: epoch and seq. A session is in one of these phases:
//
//	closed      nothing is wanted
//	connecting  what follows the position was asked for
//	live        it is being read
//	waiting     a retry is due later
//	over        ended, and everything was read: asked for again when the list says that it moved
//	aside       the merged stream has let go of it, since it does not match any more; its position stays good
//	refused     the token may not read it
//	gone        there is no such session
//
// The fixtures of protocol/testdata/sync say what each input leads to; implementations in other languages run the same files.
package sync
