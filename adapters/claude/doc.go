// Package claude translates for Claude Code (`claude -p` with stream-json): JSON lines on standard input and output.
//
// What Claude Code says and what becomes of it:
//
//	system/init … result         one turn; a turn may hold several model requests, retries, compactions and steering prompts
//	stream_event, assistant      one entry per (message id, block index); `assistant` has the block's final content, and is
//	                             enough where no stream came before it
//	tool_use, tool_result        one tool_call entry, keyed by the call's id
//	control_request              can_use_tool: approval or question; elicitation; whatever else is answered at once
//	command_lifecycle            what became of a prompt: the turn that it began, or the running one that it joined
//	compact_boundary             a compaction entry, with the summary of the synthetic user message behind it
//	parent_tool_use_id           the line is a sub-agent's: a lane of its own, named by the call that started it
//
// User messages are not echoed: their entries come from the prompts that went in. A result decides by is_error and
// terminal_reason: its subtype says "success" also for a request that the provider refused.
//
// The translator is made of layers, of which each knows those below it alone:
//
//	Translator                        routes lines, answers and commands (translator.go)
//	past                              says what was said before the start, of the transcript that kept.go reads (history.go)
//	work                              where turns, prompts, sub-agents and what is said meet (work*.go)
//	content                           where messages, calls and requests meet (content.go)
//	turn, entries, tools, requests,   the parts: turn*.go, entry*.go, tool*.go, request*.go, command_prompt.go, told.go, usage.go, child.go
//	prompts, told, usage, self …
//	calls                             the control requests that are sent (command.go)
//
// The splitter is made of its lanes (splitter_lane.go), and of what tells whose a line is (splitter_line.go).
package claude
