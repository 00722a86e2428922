// Package droid translates for Factory Droid (`droid exec --input-format stream-jsonrpc --output-format stream-jsonrpc`): JSON-RPC
// lines on standard input and output, one process per session.
//
// What Droid says and what becomes of it:
//
//	initialize_session, load_session   Ready, Offered; loaded messages are history (history.go)
//	create_message user                the turn begins, or the message joins the running one; user_message
//	*_text_delta … create_message      one entry per (message, blockIndex), closed with *_text_complete, with the next block or
//	                                   with create_message; llm_only is nothing,
//	                                   user_only a notice, or the error of the turn
//	tool_call … tool_result            one tool_call entry; announced twice, ended once, output repeated whole
//	request_permission                 an approval for each of its tools, answered in one
//	ask_user                           a question
//	assistant_message_retracted        the message's entries are left; the same id comes again
//	agent_turn_completed               the end of the turn. The working state idle is not: it comes before, too
//	settings_updated                   model and mode (command_mode.go)
//
// A refusal always ends the turn. Droid takes messages while it works: during a tool they join the turn at its end, during a
// text they wait and become turns of their own. An interrupt discards those that wait.
//
// A message id that Droid has seen is accepted again and then ignored, so the ids of prompts are never used twice in one of
// its sessions (command_prompt.go).
//
// `droid exec -o stream-json` and `-o json` are other formats, without any way back; their lines are read for imports (print.go).
//
// The translator is made of layers, of which each knows those below it alone:
//
//	Translator                      routes lines, answers and commands (translator.go, translator_answer.go)
//	history, printed                what was said before the start (history.go); the formats for imports (print.go)
//	work                            where turns, prompts and their content meet (work.go, work_message.go, work_tool.go)
//	content                         where entries, calls and requests meet (content.go)
//	turn, entries, tools, requests, the parts: turn.go, entry.go, tool*.go, request*.go, command_prompt.go, command_setting.go, told.go,
//	prompts, settings, usage …      usage.go, child.go, mcp.go
//	calls                           what is sent (command.go)
//	wire                            what is read (wire.go, wire_delta.go)
package droid
