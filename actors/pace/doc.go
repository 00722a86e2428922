// Package pace keeps an agent that floods from taking the processors from the others. An agent that says more than agents do is read
// slowly while another one speaks that does not; its pipe fills, and it waits. An agent alone, and agents that all flood, are read as fast as can be.
//
// A bound for all at all times would be simpler. It would make a single agent wait on an idle machine, where nobody gains by it.
package pace
