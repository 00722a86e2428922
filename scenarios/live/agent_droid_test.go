package live

import "fmt"

// droid asks before it runs a command, unless its autonomy level says otherwise.
var droid = &agent{
	name:       "droid",
	harmless:   []string{"BUN_PTY_LIB", "FORCE_COLOR", "GCM_INTERACTIVE", "GIT_ASKPASS", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_SSH_COMMAND", "GIT_TERMINAL_PROMPT", "SSH_ASKPASS", "SUDO_ASKPASS"},
	newModel:   newTagged,
	startModel: "custom:fake-model-0",
	otherModel: "custom:other-model-1", otherCalled: "other-model",
	run: func(command string) call {
		return call{name: "Execute", args: map[string]any{
			"summary": "Run it", "command": command, "riskLevelReason": "It only touches scratch files.", "riskLevel": "medium",
		}}
	},
	ask: func(question string, options ...string) call {
		text := fmt.Sprintf("1. [question] %s\n[topic] Choice\n", question)
		for _, o := range options {
			text += "[option] " + o + "\n"
		}
		return call{name: "AskUser", args: map[string]any{"questionnaire": text}}
	},
	given: func(tool string, args any) call {
		return call{name: "ringmaster_session___" + tool, args: args}
	},
	free:       with("mode", "auto-high"),
	asking:     with("mode", "normal"),
	leading:    with("mode", "normal"),
	denyStop:   "completed",
	lostTurn:   "interrupted",
	endsDenied: true,
	persistent: true,
	usage:      true,
	cannot: map[string]string{
		rowReads:      "Droid never asks before it reads",
		rowAsking:     "sub-agents of Droid need its maker's own daemon",
		rowHelper:     "sub-agents of Droid need its maker's own daemon",
		rowHelperLost: "sub-agents of Droid need its maker's own daemon",
		rowAttach:     "Droid speaks over its own pipes only",
		rowRejoin:     "Droid speaks over its own pipes only",
		rowMidTurn:    "Droid speaks over its own pipes only",
		rowServer:     "Droid speaks over its own pipes only",
		rowSocket:     "Droid speaks over its own pipes only",
		rowTwoEnd:     "every session of Droid has a process of its own",
		rowTwoKilled:  "every session of Droid has a process of its own",
		rowStranger:   "every session of Droid has a process of its own",
	},
}
