// Package wait answers a call once something has come to hold of sessions (spec §7.14).
//
// A wait looks at the list of sessions (supervisor/roster) and asks no session: what a summary tells holds where the head of the log says that the log shows
// it (session.Head.Tells). One goroutine, the desk's, hears of every change of the list and looks for all that wait. So a session and the supervisor pay one
// bell for a change however many wait, and a number of a log is a bell that the log's head rings once. The log itself is read at the end, where the answer
// says what became of a prompt.
package wait
