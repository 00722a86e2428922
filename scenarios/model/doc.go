// Package model says in a few hundred lines what a session is to those who use it: Session, a list of what began and perhaps ended, a
// queue, a map of the keys that were used, and what follows from each thing that a client (client.go), an agent (agent.go) or the daemon
// and its clock (daemon.go) does, by the rules of rules.go. It knows no actor, no journal and no time but the one it is told.
//
// TestModel does the same things to it and to the whole daemon (HTTP handler, supervisor, actors, journal, an agent), inside a
// bubble of virtual time, with full disks, failing syncs, kills, restarts and a wall clock that jumps by years, and compares after every
// step what they show: answers, turns, entries, queue, requests, state, streams, and what the agent was told. A difference is shrunk to
// the smallest case. TestLinearizable lets eight clients and an agent do it at once and asks whether the daemon's answers have an order
// in which they are right.
//
// What the model leaves out is what other proofs cover: sub-agents, settings, images, rules of policies, the agent's own queue.
package model
