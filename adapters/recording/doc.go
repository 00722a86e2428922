// Package recording reads what was recorded of an agent: a file of records, or the bare native lines. It gives back what
// the daemon would have lived through: connections that begin and end, and what went over them.
//
// A record is one line of JSON:
//
//	{"t_ms": 165, "dir": "out", "data": {…}}
//
//	out   a line of the agent          in    a line to the agent
//	err   a line on standard error     sse   an event of a stream, with its path in src
//	http  one of our calls or its answer, paired by n
//	meta  {"event":"spawn"|"stdin_closed"|"signal"|"exit"|"connect"|"disconnect", …}
//	      spawn has argv and cwd, signal has signal ("killed"), exit has status ("exit 0", "signal: killed")
//	note  the same in the recording program's words, where there is no meta
//	llm   what the model was asked: skipped
//
// A connect after a disconnect, of a process that still runs, goes on with the connection that was lost: see adapters/remote.
//
// Calls and answers become lines of httpline, and so do the openings and losses of streams, which notes tell. Where the same
// events were recorded on several streams at once, those of the widest one are given: /global/event, then /event of any
// folder, then any other.
//
// data is the native message; where the agent's line was no JSON, it is a JSON string of it. conn labels a connection
// where there are several.
package recording
