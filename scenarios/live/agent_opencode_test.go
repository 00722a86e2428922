package live

import "github.com/ringmaster-agents/ringmaster/protocol"

// opencode asks where its folder's own configuration says so.
var opencode = &agent{
	name:       "opencode",
	harmless:   []string{"npm_config_user_agent"},
	newModel:   newInline,
	otherModel: "fake/fake-2", otherCalled: "fake-2",
	run: func(command string) call {
		return call{name: "bash", args: map[string]any{"command": command, "description": "Run it"}}
	},
	ask: func(question string, options ...string) call {
		return call{name: "question", args: map[string]any{"questions": []any{
			map[string]any{"question": question, "header": "Choice", "options": labelled(options)},
		}}}
	},
	helper: func(prompt string) call {
		return call{name: "task", args: map[string]any{"description": "Help", "prompt": prompt, "subagent_type": "general"}}
	},
	read: func(path string) call { return call{name: "read", args: map[string]any{"filePath": path}} },
	given: func(tool string, args any) call {
		return call{name: "ringmaster_session_" + tool, args: args}
	},
	asking: opencodeAsking,
	beside: every(opencodeAsking, policy(protocol.PolicyAllowAll)),
	leading: folder("leading", map[string]string{
		"opencode.json": `{"permission":{"ringmaster_session_*":"ask"}}`,
	}),
	exitCodes:  true,
	denyStop:   "interrupted",
	persistent: true,
	usage:      true,
	attach:     map[string]func(*world) setting{rowAttach: attachOpenCode, rowRejoin: attachOpenCode, rowMidTurn: attachOpenCode, rowServer: attachOpenCode},
	cannot: map[string]string{
		rowSocket: "OpenCode serves HTTP over TCP only",
	},
}

var opencodeAsking = folder("asking", map[string]string{
	"opencode.json": `{"permission":{"bash":"ask","edit":"ask","read":"ask"}}`,
})

// labelled are the options of a question.
func labelled(options []string) []any {
	var list []any
	for _, o := range options {
		list = append(list, map[string]any{"label": o, "description": o + "."})
	}
	return list
}
