// Package codex translates for OpenAI Codex (`codex app-server`): JSON-RPC lines without the jsonrpc member, over standard
// input and output, or one message per websocket frame where a server is attached to.
//
// One app-server serves many threads; a session is a thread. The splitter does the handshake, makes request ids unique,
// and routes by thread; a translator sees the lines of one thread:
//
//	turn/started … turn/completed    one turn; thread/status only tells what the items do not, and ends nothing
//	item/started, item/completed     one entry, with the final object of the latter
//	item/*/delta, outputDelta        deltas; those of a command begin late, so its final object wins
//	turn/plan/updated                one plan entry per turn
//	requests of the server           approvals, questions and elicitations
//	thread/tokenUsage/updated        repeated and falling totals are no usage, see usage.go
//	error{willRetry}                 a retry: what was half said is dropped
//
// MCP servers are asked for their tools when a thread starts or is resumed, and not again (seen on 0.169).
//
// A command that still runs at the end of its turn runs on as a background terminal: its entry outlives the turn.
//
// A connection to a server that runs already may be lost while the server and its turns go on. The connection opens it again and
// says so (adapters/remote); the splitter shakes hands anew and tells every lane; the translator joins its thread again:
//
//	life.go             what was under way when the connection was lost is given up, and the thread is joined again
//	command_late.go     prompts whose answers were lost are found in the thread or sent again, never twice; commands wait; answers are
//	                    repeated when the server asks again (request.go)
//	history_catchup.go  what the thread did meanwhile, from the answer to thread/resume: entries and the turn go on, or end as they
//	                    have ended; deltas that were missed leave a gap in their entry, which says so at its end with the whole text
//
// Two more formats are only imported: the lines of a rollout file, which is Codex's own log of a thread (in two modes of history, see
// rollout.go), and those of `codex exec --json`.
//
// A translator is made in layers, none of which calls those above it:
//
//	parts                   link, settings, turn, entries, plan, requests, prompts, usage, children: each has its own fields, and gets what
//	                        else it needs as parameters
//	thread                  is made of them, and says what one means for the others: a turn's end closes entries and forgets requests
//	history, exec, rollout  tell of a thread: what it did while nobody listened, and the two imported formats
//	life                    how the thread begins on this connection, is lost with it and joined again, and what waits meanwhile
//	Translator              gives each line and each command to the part that it is for
//
// A splitter is made of its handshake, its lanes (splitter_lane.go), and the lines that are held until it is known whose they are.
package codex
