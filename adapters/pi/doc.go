// Package pi translates for Pi (`pi --mode rpc`): JSON lines on standard input and output.
//
// What Pi says and what becomes of it:
//
//	agent_start … agent_settled      one turn, however many Pi turns (model rounds), retries and compactions it holds
//	message_update text, thinking    one entry per (message, contentIndex), which ends when the next block begins: what is added to the
//	                                 block then is another entry
//	toolcall_* and tool_execution_*  one tool_call entry, keyed by the call's id
//	extension_ui_request             confirm: approval; select, input, editor: question; notify: notice
//	queue_update                     the native queue, whole
//	get_entries                      the persistent ids, asked for after each message_end and matched by role and time; those of a turn
//	                                 whose agent was lost when it goes on, matched by what they say (lost.go)
//
// Pi 0.73 has no agent_settled: there a run ends with agent_end unless a retry or a compaction follows, which only the next
// lines tell (see runs.go).
//
// All blocks of one assistant message have the same persistent id: Pi stores messages, not blocks.
package pi
