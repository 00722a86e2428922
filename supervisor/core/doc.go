// Package core decides for the supervisor: which sessions there are and of which kin, which of them have actors and agents, how many there may be,
// when failed actors and agents are started again, and which session ends with which. It has no actor, no disk, no clock and no goroutine: State.Step
// takes one input and the time; State.Decided gives effects, which are data and are to be carried out in order.
//
// State is made of layers, each of which knows those below it and none above:
//
//	world     the members with their kin, the agents and the roots; the directory's and the disk's view of a member
//	lives     how a member's actor and its agent start and end, and letters to it
//	recovery  taking up the sessions that an earlier daemon left at work, a few at a time
//	removals  parking and deleting members, and the questions that wait meanwhile
//	families  messages between sessions, and sub-agents
//	State     questions of clients, the sweep and the drain
//
// A member is a session that the daemon knows, with an actor or without one. To park a session is to have it let its agent go, so that its actor
// can be stopped.
package core
