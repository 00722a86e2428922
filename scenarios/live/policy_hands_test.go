package live

// hands are the tools of an agent that the acts need, beside those of the other rows, in sessions in which it asks before each.
type hands struct {
	agent    *agent
	write    func(path, text string) call
	patch    func(text string) call
	read     func(path string) call // nil: as the agent's
	run      func(command string) call
	runIn    func(command, folder string) call // nil: it has no such tool
	files    map[string]string                 // that make it ask, in the session's folder
	settings setting
	patching setting           // of a model that is given the tool for patches; nil: every model is
	unasked  map[string]string // acts before which it does not ask, whatever it is told, and why
}

var everyHand = []*hands{
	{
		agent: claude, run: claude.run,
		write: func(path, text string) call {
			return call{name: "Write", args: map[string]any{"file_path": path, "content": text}}
		},
	},
	{
		agent: codex, run: codex.asks, settings: with("mode", "read-only"),
		unasked: map[string]string{
			"data: by the agent's own leave": "Codex reads everywhere inside its sandbox",
			"MCP: looks":                     "Codex asks for none of the tools that read",
		},
		write: func(path, text string) call {
			return codexPatch("*** Begin Patch\n*** Add File: " + path + "\n+" + text + "*** End Patch\n")
		},
		patch: codexPatch,
		runIn: func(command, folder string) call {
			c := codex.asks(command)
			c.args.(map[string]any)["workdir"] = folder
			return c
		},
	},
	{
		agent: droid, run: droid.run, settings: with("mode", "normal"),
		unasked: map[string]string{
			"data: read by a tool": droidReads, "data: read by a tool, below the folder": droidReads, "data: read through a link": droidReads, "read outside": droidReads,
			"split by env": "Droid takes env for a command that shows the environment, whatever --split makes it run",
		},
		write: func(path, text string) call {
			return call{name: "Create", args: map[string]any{"file_path": path, "content": text}}
		},
		read: func(path string) call { return call{name: "Read", args: map[string]any{"file_path": path}} },
	},
	{
		agent: opencode, run: opencode.run,
		write: func(path, text string) call {
			return call{name: "write", args: map[string]any{"filePath": path, "content": text}}
		},
		patch: func(text string) call { return call{name: "apply_patch", args: map[string]any{"patchText": text}} },
		runIn: func(command, folder string) call {
			return call{name: "bash", args: map[string]any{"command": command, "description": "Run it", "workdir": folder}}
		},
		files: map[string]string{"opencode.json": `{"permission":{"bash":"ask","edit":"ask","read":"ask","external_directory":"ask","ringmaster_session_*":"ask"},
			"provider":{"fake":{"models":{"gpt-5-patch":{"name":"Patches","tool_call":true,"limit":{"context":128000,"output":8192}}}}}}`},
		patching: with("model", "fake/gpt-5-patch"),
	},
	{
		agent: pi, run: pi.run,
		write: func(path, text string) call {
			return call{name: "write", args: map[string]any{"path": path, "content": text}}
		},
		read:  func(path string) call { return call{name: "read", args: map[string]any{"path": path}} },
		files: map[string]string{".ask": "", ".askall": ""},
	},
}

const droidReads = "Droid never asks before it reads"

func codexPatch(text string) call { return call{name: "apply_patch", free: text} }
