// Package stream serves the log of a session: whole or as a patch, as a stream of events that ends, and live.
//
// Readers are no actors. A handler's own goroutine holds a position in the session's ring, from which it takes encoded frames without a copy, and makes
// frames of the journal's lines where it has fallen behind.
package stream
