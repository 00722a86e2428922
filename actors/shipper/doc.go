// Package shipper carries the logs of a node's sessions to Core (package core). There is no second queue: the journal is what waits, and the shipper knows of
// each session how far it is shown and how far Core has it.
//
//	session actor ── Shown ──▶ Shipper      one goroutine; a set of sessions of which Core lacks something
//	                              │ every 50 ms, while there is something: of at most 500 sessions what is behind Core's position, in
//	                              │ stretches of at most 2,000 events or 1 MiB, 16 MiB together, in parcels of some 2 MiB: while Core
//	                              │ takes one, the next is read
//	                              ▼
//	                           Core.Append ─▶ of each session: taken, or the position that Core has
//
// A session never waits for it: Shown is an entry of a map. A Core that does not answer stops nothing either; what it lacks stays in the journals, and is sent
// in the same way once it answers. What a call has done that failed is not known, so that its sessions' positions are asked for again.
//
// What Core has is compared with the log before anything is appended behind it (compare): by the epochs, and by the newest line, once in a daemon's
// life. Where the log has lost events that Core has, and a later epoch says so, Core puts them aside. Where Core has what the log cannot explain, nothing
// of the session is sent, and the state tells why.
package shipper
