// Package watch tells a program of this machine what happens in sessions: it follows them over one stream, makes notices of their events (spec §7.17), and
// hands these to a command or to standard output, at least once and in the order of each session.
//
// The decisions are pure: reading says what an event leads to, and queue which notice is told next. One goroutine reads the stream; the other one, Run's,
// has the queue, the positions and their file, and starts the commands.
package watch
