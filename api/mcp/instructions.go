package mcp

import "strings"

// What a server says of itself. Codex shows its model the first 247 characters of that, and no tool before the model looks for one by
// words; Claude Code shows all of it and the names of the tools; OpenCode all of both; Droid names, Pi tools. So the first sentences say
// what this is for, in the words that somebody would look for, and name the tools that do it.

const purpose = "Ringmaster runs other coding agents for you, each in a session of its own: delegate tasks to them, in parallel too. " +
	"session_message gives an agent a task, session_join waits for the answers, agent_list has the agents, models and folders."

const delegation = `

To delegate: session_message with agent, cwd and message creates a session (or finds one), and with wait_ms waits for the answer and gives it: one call. ` +
	`Where it takes longer, session_join waits on, for one session or for many, and gives the final answer of each; call it again while done is false. ` +
	`To have several work at once, send each its message without wait_ms, then join them all.

`

const approvals = `An agent may have to ask before it goes on: session_message and session_join then come back with the request. ` +
	`Answer it with session_answer. A policy, given when the session is made or with session_change, answers approvals by itself.

`

const details = `session_summary says in short what happened in a session, session_events has it in order and by page: ` +
	`for details, and seldom needed for an answer. ` +
	`session_list finds sessions, session_get looks at one, session_change renames it or switches its model and mode. ` +
	`session_interrupt stops the running turn; session_end ends a session, whose log stays; session_cleanup removes old ones.`

const offers = `

With session_message you can offer the session's agent tools of your own (caller_id, caller_tools). ` +
	`When it calls one, a request of kind caller_tool comes, in session_events as caller_tool_request: ` +
	`carry it out and answer with caller_tool_response within a minute.`

// instructions are for clients.
func instructions(agents []string) string {
	text := purpose
	if len(agents) > 0 {
		text += "\n\nAgents: " + strings.Join(agents, ", ") + "."
	}
	return text + delegation + approvals + details + offers
}

// agentInstructions are for the agents of sessions.
const agentInstructions = purpose + `

You run in a session of Ringmaster yourself; the sessions that you make work for yours, in your folder where cwd is left out, and end with it.` + delegation +
	`session_join without session_ids waits for all your sessions that are at work. ` +
	`With notify: prompt you need not wait: you get a prompt with the answer. ` +
	`Questions of your sessions you answer with session_answer; what has to be approved, people approve.

` + details + `
Tools whose names begin with another word than session or agent are carried out by the program that you are used from.`
