package live

import (
	"os"
	"path/filepath"
	"testing"
)

// pi asks by two extensions: one of the shared folder asks the user, one of testdata asks before it runs a command where the
// or a tool of an MCP server where the folder has a file .ask.
var pi = &agent{
	name:       "pi",
	newModel:   newPiModel,
	otherModel: "fake/fake-2", otherCalled: "fake-2",
	run: func(command string) call { return call{name: "bash", args: map[string]any{"command": command}} },
	ask: func(question string, options ...string) call {
		return call{name: "ask_user", args: map[string]any{"question": question, "options": options}}
	},
	given: func(tool string, args any) call {
		return call{name: "mcp__ringmaster_session__" + tool, args: args}
	},
	asking:     folder("asking", map[string]string{".ask": ""}),
	leading:    folder("asking", map[string]string{".ask": ""}),
	exitCodes:  true,
	persistent: true,
	usage:      true,
	cannot: map[string]string{
		rowAlways:     "Pi has no approvals of its own, and the extension that asks knows only yes and no",
		rowDenyStop:   "Pi has no approvals of its own, and the extension that asks knows only yes and no",
		rowReads:      "the extension asks before commands and tools of MCP servers only",
		rowAsking:     "Pi has no sub-agents",
		rowHelper:     "Pi has no sub-agents",
		rowHelperLost: "Pi has no sub-agents",
		rowAttach:     "Pi speaks over its own pipes only",
		rowRejoin:     "Pi speaks over its own pipes only",
		rowMidTurn:    "Pi speaks over its own pipes only",
		rowServer:     "Pi speaks over its own pipes only",
		rowSocket:     "Pi speaks over its own pipes only",
		rowTwoEnd:     "every session of Pi has a process of its own",
		rowTwoKilled:  "every session of Pi has a process of its own",
		rowStranger:   "every session of Pi has a process of its own",
	},
}

func newPiModel(t testing.TB, address string) model {
	t.Helper()
	gate, err := os.ReadFile(filepath.Join("testdata", "gate.js"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(os.Getenv("PI_CODING_AGENT_DIR"), "extensions")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "gate.js"), gate, 0o644); err != nil {
		t.Fatal(err)
	}
	return newInline(t, address)
}
