// Package core decides for the supervisor: which sessions there are and of which kin, which of them have actors and agents, how many there may be,
// when what failed is started again, and what ends with what. It has no actor, no disk, no clock and no goroutine: State.Step takes one input and
// the time; State.Decided gives effects, which are data and are to be carried out in order.
//
// State is made of layers, each of which knows those below it and none above:
//
//	world     the members with their kin, the agents and the roots; what is shown and noted of a member
//	lives     how a member's actor and its agent start and end, and what is sent to it
//	recovery  what an earlier daemon left at work, a few at a time
//	removals  who asks for a member that is being put away, and what deletes it
//	families  what sessions tell one another, and sub-agents
//	State     what clients ask for, the sweep and the drain
package core
