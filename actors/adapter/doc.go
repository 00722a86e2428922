// Package adapter is the actor that owns one connection to an agent, and its port: the goroutine that reads the agent's
// lines, translates them and hands them to the session in batches.
//
// An adapter is a sibling of its session, not its child: when the session's actor is replaced the agent goes on, and the
// port sends what was not confirmed again. The window of unconfirmed batches is the back pressure: a full window stops
// the reading, and the agent blocks on its own pipe.
//
// Goroutines of a port: reader (ends with the agent's output), writer (ends with the reader). Both are started by the
// actor and ended by its Stopping.
package adapter
