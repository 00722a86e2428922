// Package fold serves what is made of a session's log before it is sent: its state after an event, and the whole text of an entry.
//
// Memory of all such answers is bounded. Of a large log only the frame of its state is in memory; the texts are read from the log again when they are sent.
package fold
