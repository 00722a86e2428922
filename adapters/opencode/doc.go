// Package opencode speaks with OpenCode servers (`opencode serve`): HTTP calls, and one stream of server-sent events for all
// sessions. Calls, answers and events are lines of the connection (package httpline), so splitter and translator are pure.
//
// What OpenCode says and what becomes of it:
//
//	session.status busy … idle     one turn; the first idle after an abort or an error is not its end (see turn.go)
//	message.updated                role, model, errors and the end of a message; parts are shown when the role is known
//	message.part.updated           one entry per part, by its id: text (up to the next part), thinking, tool call; the summary of a compaction
//	message.part.delta             appends to an open part; 1.1 has the delta in message.part.updated
//	step-finish parts              tokens and cost of one model request
//	permission.*, question.*       approvals and questions, each about a tool call
//	task tool, session.created     a sub-agent, whose session is a lane below its parent's
//	session.updated                title, model, mode (an agent of OpenCode's), running totals
//
// OpenCode repeats nothing on its streams. After one was lost, and when a session is taken up again, status and messages are
// asked for and folded like events (history.go).
//
// A prompt to a busy session steers it, always: there is no queue, and an accepted prompt may vanish (command_prompt.go).
//
// The translator is made of layers, of which each knows those below it alone:
//
//	Translator                     routes lines, answers and commands (translator.go, command.go)
//	history, next                  catch up with what was missed (history.go); OpenCode's newer surface, /api, as far as other
//	                               clients' sessions show it (next.go)
//	work                           where turns, prompts and their content meet (work.go)
//	content                        where entries and requests meet (content.go)
//	turn, entries, requests,       the parts: turn.go, entry*.go and tool.go, request*.go, command_prompt.go, command_setting.go,
//	prompts, settings, usage …     usage.go, told.go, child.go, mcp.go
//	calls                          what is sent (command_call.go)
//
// The splitter (splitter*.go) gives each session its lines; package server is the connection.
package opencode
