package live

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
)

// codex asks before what it cannot do inside its sandbox, where the model says so.
var codex = &agent{
	name:       "codex",
	harmless:   []string{"COLORTERM", "GH_PAGER", "GIT_PAGER", "LC_ALL", "LC_CTYPE", "NO_COLOR", "PAGER"},
	newModel:   newTagged,
	otherModel: "gpt-5.6-terra", otherCalled: "gpt-5.6-terra",
	run: func(command string) call {
		return call{name: "exec_command", args: map[string]any{"cmd": command, "yield_time_ms": 30000}}
	},
	asks: func(command string) call {
		return call{name: "exec_command", args: map[string]any{
			"cmd": command, "yield_time_ms": 30000, "sandbox_permissions": "require_escalated", "justification": "May I?",
		}}
	},
	ask: func(question string, options ...string) call {
		return call{name: "request_user_input", args: map[string]any{"questions": []any{
			map[string]any{"id": "choice", "header": "Choice", "question": question, "options": labelled(options)},
		}}}
	},
	helper: func(prompt string) call {
		return call{name: "spawn_agent", namespace: "collaboration", args: map[string]any{
			"task_name": fmt.Sprintf("helper_%d", crc32.ChecksumIEEE([]byte(prompt))), "message": prompt, "fork_turns": "none", // one of each name
		}}
	},
	await: func() call {
		return call{name: "wait_agent", namespace: "collaboration", args: map[string]any{"timeout_ms": 20000}}
	},
	inside: func(command string, ask bool) call {
		args := map[string]any{"cmd": command, "yield_time_ms": 30000}
		if ask {
			args["sandbox_permissions"], args["justification"] = "require_escalated", "May I?"
		}
		text, err := json.Marshal(args)
		if err != nil {
			panic(err) // strings and numbers
		}
		return call{name: "exec", free: "const r = await tools.exec_command(" + string(text) + ");\ntext(r.output ?? JSON.stringify(r));\n"}
	},
	given: func(tool string, args any) call {
		return call{name: tool, namespace: "mcp__ringmaster_session", args: args}
	},
	helpful:    with("model", "gpt-6.1-sol"), // others have no sub-agents
	unheld:     with("mode", "full-access"),
	exitCodes:  true,
	denyStop:   "interrupted",
	lostTurn:   "interrupted",
	persistent: true,
	usage:      true,
	attach:     map[string]func(*world) setting{rowAttach: attachCodexPort, rowRejoin: attachCodexPort, rowSocket: attachCodexSocket, rowMidTurn: attachCodexPort, rowServer: attachCodexPort},
	cannot: map[string]string{
		rowLater: "Codex asks its servers for their tools once, when its thread starts",
		rowReads: "Codex reads files by commands, and asks for commands only",
	},
}
