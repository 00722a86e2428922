// Package scripted is the embedded agent: a real child process that speaks the RPC protocol of Pi 1.5 and does what a
// script says. Without a script it repeats what it is told, in two seconds, with thinking, text and a harmless tool call.
//
// It serves three ends: a first session without anything installed (Example "demo"), every scenario and fault on demand
// in tests, and load (a flood makes more than a million lines per second on one core).
//
// SCRIPT.md describes the scripts. What it says was compared line by line with recordings of the real agent; where it
// knowingly differs, SCRIPT.md says so.
//
// Main is the agent as a process, Run the same inside of another one, Transport an adapters.Transport of such agents for
// tests in virtual time, Agent what the daemon knows of it.
//
// The agent is made of layers, of which each knows those below it alone:
//
//	agent                           answers one prompt after the other (live.go), and what it is told meanwhile (command.go)
//	player                          plays the steps of a script (play.go)
//	tools, talk                     calls of tools, each with its question to the user (tool.go); what is said in a run (message*.go)
//	dialogs, faults, texts, queue   the parts: dialog.go, faults.go, fill.go, queue.go, session.go
//	input, output                   what comes, and time that passes (input.go); what is said (output.go)
//	script, wire, sessions          what is read and written: script.go, step.go, wire*.go, sessions.go
//
// Whoever waits takes the commands that come meanwhile: input is given the agent's way to carry one out.
package scripted
