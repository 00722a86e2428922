// Package board is the face of a whole terminal: the list of sessions by who needs somebody, a peek at one of them, and the session itself, with answers,
// prompts and new sessions. A State takes keys and news and says what it wants done; View shows it. Both are pure: package face has the terminal, and
// package link the daemon.
package board
