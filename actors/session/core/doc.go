// Package core decides for one session: Step takes one input and gives the events to append and the effects to carry out. It knows no actor, no
// journal, no clock and no log: time comes in with each step, adapters are names, a sender that waits for an answer is a ticket, and events, effects and
// answers are values. The shell around it is package session, by which everybody else speaks to it.
//
// The core is four layers, which the compiler keeps apart: each is embedded in the next one and cannot call it.
//
//	logged  what the log tells; apply.go alone changes it
//	work    an agent at work: turns, entries, requests, and the status that follows from them
//	life    how agents are started and ended, and the session with them
//	State   what clients ask for; Step, and what the shell reads (read.go)
//
// Below the layers are parts with fields of their own (link, queue, entries, requests, settings, family, about, spent, news). What a part
// may touch is its parameters: it emits events by the writer, or gives back what it decides.
//
// Words are in files of their own: input.go and childmessage.go (what is decided about), effect.go, answers.go, summary.go.
package core
