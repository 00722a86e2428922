// Package connection keeps the live connections to agents, and gives each session its part of one.
//
// Agents have two shapes. A plain agent's process belongs to one session: Open starts it and hands its connection on. A
// Splitting agent's connection carries several: Open finds the one that the session belongs to, or makes it, and gives a
// lane, which is a Conn like any other. The agent's own Splitter says which line is whose.
//
//	agent ──▶ reader ──▶ Splitter ──▶ queue of each lane ──▶ Output, read by the session's adapter
//	agent ◀── writer ◀── Splitter ◀── Input of each lane
//
// # One session cannot stop the others
//
// A lane's queue is bounded. While one is full the reader waits, and with it the agent, as on a pipe of its own. A lane whose session
// takes nothing for Patience is ended, and the session resumes later. A session that is alone on its connection harms no other one:
// the reader waits for it.
//
// # How a lane ends
//
// By Stop, which has the splitter say what the session left running at the agent; by the splitter's word that a sub-agent is
// done; with the connection. The Stop of a connection's last session ends the connection, and its Wait returns only when
// nothing of the process is left. A new session never gets a connection that is ending.
//
// An agent that says nothing at all after a session has spoken to it is called deaf: stopping that session ends the connection,
// so that the others go on with a process that works.
//
// Goroutines: each connection has a reader (ends with the agent's output) and a writer (ends with the reader); each start
// that sessions share has one, which ends with the start. Connections end with their last lane.
package connection
