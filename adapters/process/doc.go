// Package process runs agents as child processes: it implements adapters.Transport and adapters.Conn on pipes, frames
// what they say into lines, ends them with everything they started, and finds what an earlier daemon left behind.
//
// # How an agent ends
//
// Stop closes the agent's stdin, sends SIGTERM to its process group after a quarter of the grace, and SIGKILL at the
// grace's end. Closing stdin first is the gentlest way that all agents understand: Pi, for one, aborts its run, ends the
// running tool command and exits with status 0.
//
// An agent's end is observed before it is reaped: as long as the dead agent is a zombie, its pid and its process group
// cannot be given to anybody else, so signals sent in that time cannot reach a stranger. In that time the rest of the
// group and everything else that is the agent's (tool commands live in sessions of their own) gets SIGTERM, and SIGKILL
// after WaitDelay. Only then the agent is reaped and Wait returns.
//
// Output ends at the latest WaitDelay after the agent's death, even when something that could not be found holds the pipe
// open; what was written before is still delivered.
//
// # Whose a process is
//
// A process is an agent's when it carries the agent's marker in its environment, or the agent's mark, which does not go
// with the environment and is given where Adopt was called; when it is in the agent's control group (UseCgroups); when it was seen below the agent
// while its parents lived; or when it descends from one of these.
// With Adopt orphans come to the daemon instead of the system's first process, so that what lives by the daemon's end
// and is an agent's is among its own. An orphan that has changed all of that is put down to the agent that alone was alive when it
// began; where there were several, it ends with the last of them.
//
// # When the daemon is killed
//
// With Adopt the system sends each agent SIGTERM when the daemon ends in whatever way (Linux). It goes by the thread that began the child, so agents are
// begun on one that lasts (nursery). The end of stdin, which they see as well, is not enough: Claude Code finishes its turn first. What does not end
// by either, and what agents have begun themselves, is found by Reap and SweepPrefix at the next boot.
//
// # Systems
//
// Everything works on Linux. Elsewhere processes are not found by their environment (Sweep finds nothing) or by a mark,
// and orphans are not adopted: an agent ends with its group and with what was seen below it.
// The group is signalled right after the agent was reaped instead of before.
package process
