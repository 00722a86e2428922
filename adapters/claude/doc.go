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
package claude
