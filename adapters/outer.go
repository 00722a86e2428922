package adapters

// Outer is an Agent that tells the programs that it starts of the session in which it starts them, by variables of their environment. A daemon may
// be such a program, as an agent's user lets it use the command line: then no agent of the daemon gets these variables, which would take its own
// session for a part of that one, and write no transcript of it, or answer in its name.
type Outer interface {
	Agent
	// SessionVariables are the names of these variables. What a user sets to configure the agent is not among them.
	SessionVariables() []string
}
