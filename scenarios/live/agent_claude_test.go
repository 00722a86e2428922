package live

import "github.com/ringmaster-agents/ringmaster/protocol"

// claude asks before it runs most commands, unless its mode says otherwise.
var claude = &agent{
	name:       "claude",
	harmless:   []string{"COREPACK_ENABLE_AUTO_PIN", "GIT_EDITOR", "NoDefaultCurrentDirectoryInExePath"},
	newModel:   newTagged,
	startModel: "claude-sonnet-4-5",
	otherModel: "haiku", otherCalled: "claude-haiku",
	run: func(command string) call {
		return call{name: "Bash", args: map[string]any{"command": command, "description": "Run it"}}
	},
	ask: func(question string, options ...string) call {
		return call{name: "AskUserQuestion", args: map[string]any{"questions": []any{
			map[string]any{"question": question, "header": "Choice", "multiSelect": false, "options": labelled(options)},
		}}}
	},
	helper: func(prompt string) call {
		return call{name: "Task", args: map[string]any{
			"description": "Help", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false,
		}}
	},
	given: func(tool string, args any) call {
		return call{name: "mcp__ringmaster_session__" + tool, args: args}
	},
	read:         func(path string) call { return call{name: "Read", args: map[string]any{"file_path": path}} },
	free:         policy(protocol.PolicyAllowAll), // it has no mode in which it never asks, unless it is started with one
	readsOutside: true,
	denyStop:     "interrupted",
	lostTurn:     "interrupted",
	persistent:   true,
	usage:        true,
	cannot: map[string]string{
		rowAttach:    "Claude Code speaks over its own pipes only",
		rowRejoin:    "Claude Code speaks over its own pipes only",
		rowMidTurn:   "Claude Code speaks over its own pipes only",
		rowServer:    "Claude Code speaks over its own pipes only",
		rowSocket:    "Claude Code speaks over its own pipes only",
		rowTwoEnd:    "every session of Claude Code has a process of its own",
		rowTwoKilled: "every session of Claude Code has a process of its own",
		rowStranger:  "every session of Claude Code has a process of its own",
	},
}
