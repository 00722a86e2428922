package claude_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
)

func TestLaunch(t *testing.T) {
	always := "-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages --permission-prompt-tool stdio"
	for _, c := range []struct {
		name string
		spec adapters.Spec
		want string
	}{
		{"new", adapters.Spec{SessionID: "S"}, " --session-id S"},
		{"resumed", adapters.Spec{SessionID: "S", NativeSessionID: "N", Resume: true}, " --resume N"},
		{"its own session given up", adapters.Spec{SessionID: "S", NativeSessionID: "S"}, ""},
		{
			"model, mode and more",
			adapters.Spec{SessionID: "S", Model: "opus", Mode: "plan", Args: []string{"--max-turns", "2"}},
			" --session-id S --model opus --permission-mode plan --max-turns 2",
		},
		{
			"a folder to keep out of",
			adapters.Spec{SessionID: "S", Private: "/home/u/data"},
			` --session-id S --settings {"permissions":{"deny":["Read(//home/u/data/**)","Edit(//home/u/data/**)"]}}`,
		},
		{"settings of an operator's", adapters.Spec{SessionID: "S", Private: "/d", Args: []string{"--settings={}"}}, " --session-id S --settings={}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(claude.Agent{}.Launch(c.spec).Args, " "); got != always+c.want {
				t.Errorf("got %s, want %s", got, always+c.want)
			}
		})
	}
}

// What the environment has counts; nothing is added that lets the program do more.
func TestLaunchEnvironment(t *testing.T) {
	env := make([]string, 1, 16)
	env[0] = "DISABLE_TELEMETRY=0"
	l := claude.Agent{}.Launch(adapters.Spec{Program: "/bin/claude", Cwd: "/w", Env: env})
	want := []string{
		"DISABLE_TELEMETRY=0", "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR=1", "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	}
	if l.Path != "/bin/claude" || l.Dir != "/w" || !slices.Equal(l.Env, want) {
		t.Errorf("got %+v", l)
	}
	if env[:2][1] != "" {
		t.Error("the caller's environment was written to")
	}
	for _, weak := range []string{"dangerously", "bypass", "allowed"} {
		if strings.Contains(strings.Join(l.Args, " "), weak) {
			t.Errorf("the arguments weaken permissions: %q", l.Args)
		}
	}
}

func TestFind(t *testing.T) {
	folder := t.TempDir()
	program := func(name, script string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, program string
		want          adapters.Installation
	}{
		{"tested", program("now", "[ $1 = --version ] && echo '2.1.328 (Claude Code)'"), adapters.Installation{Version: "2.1.328", Tested: true}},
		{"other", program("later", "echo 3.0.0 '(Claude Code)'"), adapters.Installation{Version: "3.0.0"}},
		{"broken", program("broken", "exit 3"), adapters.Installation{Problem: "claude --version"}},
		{"absent", filepath.Join(folder, "none"), adapters.Installation{Problem: "was not found"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(claude.ProgramEnv, c.program)
			got := claude.Agent{}.Find(t.Context())
			if got.Version != c.want.Version || got.Tested != c.want.Tested || !strings.Contains(got.Problem, c.want.Problem) ||
				(got.Problem == "") != (c.want.Problem == "") {
				t.Errorf("got %+v", got)
			}
			if got.Problem != "" && !strings.Contains(got.Hint, "npm install -g @anthropic-ai/claude-code") {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// A session has a connection for itself, whatever it is.
func TestConnection(t *testing.T) {
	for _, spec := range []adapters.Spec{{}, {SessionID: "S", Cwd: "/w", Program: "/bin/claude"}} {
		if name := (claude.Agent{}).Connection(spec); name != "" {
			t.Errorf("%+v: got %q", spec, name)
		}
	}
}
