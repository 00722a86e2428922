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
//	                                 whose agent was lost when it goes on, matched by what they say (history_lost.go)
//
// Pi 0.73 has no agent_settled: there a run ends with agent_end unless a retry or a compaction follows, which only the next
// lines tell (turn.go).
//
// All blocks of one assistant message have the same persistent id: Pi stores messages, not blocks.
//
// The translator is made of layers, of which each knows those below it alone:
//
//	Translator                      routes lines, answers and commands (translator.go)
//	history                         catches up with what was said before the start (history.go)
//	work                            where turns, prompts and their content meet (work.go)
//	content                         where entries, calls and requests meet (content.go)
//	turn, entries, tools, requests, the parts: turn.go, entry.go, tool*.go, request.go, command_prompt.go, command_setting.go, told.go, and the
//	prompts, settings, binder …     finder of ids, history_bind.go
//	calls                           what is sent (command.go)
package pi
