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
// A command that still runs at the end of its turn runs on as a background terminal: its entry outlives the turn.
//
// Two more formats are only imported: the lines of a rollout file, which is Codex's own log of a thread, and those of
// `codex exec --json`.
package codex
