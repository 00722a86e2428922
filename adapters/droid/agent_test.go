package droid_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/droid"
)

func TestLaunch(t *testing.T) {
	env := make([]string, 1, 8)
	env[0] = "FACTORY_OTEL_ENABLED=true"
	l := droid.Agent{}.Launch(adapters.Spec{Program: "/bin/droid", Cwd: "/w", Model: "m", Mode: "spec", Args: []string{"--tag", "x"}, Env: env})
	if got := strings.Join(l.Args, " "); got != "exec --input-format stream-jsonrpc --output-format stream-jsonrpc --tag x" {
		t.Errorf("got %s", got)
	}
	if l.Path != "/bin/droid" || l.Dir != "/w" || !slices.Equal(l.Env, []string{"FACTORY_OTEL_ENABLED=true", "FACTORY_DROID_AUTO_UPDATE_ENABLED=false"}) {
		t.Errorf("got %+v", l)
	}
	if env[:2][1] != "" {
		t.Error("the caller's environment was written to")
	}
}

func TestFind(t *testing.T) {
	folder := t.TempDir()
	for version, tested := range map[string]bool{"0.225.2": true, "0.215.0": true, "0.226.0": false} {
		path := filepath.Join(folder, version)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n[ $1 = --version ] && echo "+version+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(droid.ProgramEnv, path)
		got := droid.Agent{}.Find(t.Context())
		if got.Program != path || got.Version != version || got.Tested != tested || got.Problem != "" {
			t.Errorf("got %+v", got)
		}
	}
	t.Setenv(droid.ProgramEnv, filepath.Join(folder, "none"))
	if got := (droid.Agent{}).Find(t.Context()); got.Program != "" || !strings.Contains(got.Hint, "npm install -g droid") {
		t.Errorf("got %+v", got)
	}
}
