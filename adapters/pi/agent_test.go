package pi_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
)

func TestLaunch(t *testing.T) {
	for _, c := range []struct {
		name string
		spec adapters.Spec
		want string
	}{
		{"new", adapters.Spec{SessionID: "S", Version: "1.5.2"}, "--mode rpc --session-id S"},
		{"new, version not known", adapters.Spec{SessionID: "S"}, "--mode rpc --session-id S"},
		{"resumed", adapters.Spec{SessionID: "S", NativeSessionID: "N", Resume: true}, "--mode rpc --session-id N"},
		{"model and more", adapters.Spec{SessionID: "S", Model: "p/m", Args: []string{"-e", "gate.js"}}, "--mode rpc --session-id S --model p/m -e gate.js"},
		{"old", adapters.Spec{SessionID: "S", Version: "0.73.1"}, "--mode rpc"},
		{"old, resumed", adapters.Spec{SessionID: "S", NativeSessionID: "N", Resume: true, Version: "0.73.1"}, "--mode rpc --session N"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(pi.Agent{}.Launch(c.spec).Args, " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	env := make([]string, 1, 8)
	env[0] = "PI_TELEMETRY=1"
	l := pi.Agent{}.Launch(adapters.Spec{Program: "/bin/pi", Cwd: "/w", Env: env})
	if l.Path != "/bin/pi" || l.Dir != "/w" || !slices.Equal(l.Env, []string{"PI_TELEMETRY=1", "PI_SKIP_VERSION_CHECK=1"}) {
		t.Errorf("got %+v", l)
	}
	if env[:2][1] != "" {
		t.Error("the caller's environment was written to")
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
		{"tested", program("new", "[ $1 = --version ] && echo 1.5.2"), adapters.Installation{Version: "1.5.2", Tested: true}},
		{"tested old", program("old", "echo 0.73.1 >&2"), adapters.Installation{Version: "0.73.1", Tested: true}},
		{"other", program("later", "echo pi 2.0.0-beta.1"), adapters.Installation{Version: "2.0.0-beta.1"}},
		{"silent", program("silent", "true"), adapters.Installation{Problem: "pi --version: no version in its answer"}},
		{"broken", program("broken", "echo no node >&2; exit 127"), adapters.Installation{Problem: "pi --version: exit status 127: no node"}},
		{"absent", filepath.Join(folder, "none"), adapters.Installation{Problem: "was not found"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(pi.ProgramEnv, c.program)
			got := pi.Agent{}.Find(t.Context())
			if got.Version != c.want.Version || got.Tested != c.want.Tested || !strings.Contains(got.Problem, c.want.Problem) ||
				(got.Problem == "") != (c.want.Problem == "") || (got.Hint == "") != got.Tested {
				t.Errorf("got %+v", got)
			}
			if (got.Program == "") != (c.name == "absent") {
				t.Errorf("program %q", got.Program)
			}
		})
	}
	t.Run("bounded", func(t *testing.T) {
		t.Setenv(pi.ProgramEnv, program("slow", "exec sleep 60"))
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if got := (pi.Agent{}).Find(ctx); got.Problem == "" {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("on the PATH", func(t *testing.T) {
		t.Setenv(pi.ProgramEnv, "")
		t.Setenv("PATH", folder)
		if got := (pi.Agent{}).Find(t.Context()); !strings.Contains(got.Hint, "npm install -g @earendil-works/pi-coding-agent") {
			t.Errorf("got %+v", got)
		}
		want := program("pi", "echo 1.5.9")
		t.Setenv("PATH", folder+":/bin:/usr/bin")
		if got := (pi.Agent{}).Find(t.Context()); got.Program != want || !got.Tested {
			t.Errorf("got %+v", got)
		}
	})
}
