package opencode

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

const listed = `[
  {"id": "ses_1", "title": "Why does\nit fail?", "updated": 1795376914876, "projectId": "p", "directory": "/work"},
  {"id": "ses_2", "title": "New session - 2026-11-22T19:47:18.846Z", "updated": 1795376914875, "directory": "/work"},
  {"id": "ses_3", "title": "Elsewhere in the project", "updated": 1, "directory": "/work/below"},
  {"id": "../ses_4", "title": "No id", "updated": 1, "directory": "/work"}
]`

func TestSessionsIn(t *testing.T) {
	list, err := sessionsIn([]byte(listed), "/work")
	if err != nil || len(list) != 2 || list[0].ID != "ses_1" || list[0].Title != "Why does it fail?" || list[0].Updated.UnixMilli() != 1795376914876 || list[1].Title != "" {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := sessionsIn(nil, "/work"); err != nil || len(list) != 0 {
		t.Errorf("nothing: %v, %v", list, err)
	}
	if _, err := sessionsIn([]byte(listed[:len(listed)-9]), "/work"); err == nil {
		t.Error("a list that was cut is taken")
	}
}

// The program is run in the folder, and what it says beside the list is not read.
func TestTellSessions(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fake := filepath.Join(dir, "opencode")
	script := "#!/bin/sh\necho noise >&2\n[ \"$*\" = 'session list --format json --max-count 100' ] || exit 3\n" +
		`printf '[{"id":"ses_1","title":"%s","directory":"%s"}]' "$TITLE" "$PWD"`
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	list, err := Agent{}.TellSessions(t.Context(), adapters.Spec{Program: fake, Cwd: dir, Env: []string{"TITLE=of its own", "PATH=" + os.Getenv("PATH")}})
	if err != nil || len(list) != 1 || list[0].Title != "of its own" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := (Agent{}).TellSessions(t.Context(), adapters.Spec{Program: filepath.Join(dir, "gone"), Cwd: dir}); err == nil {
		t.Error("a program that is not there")
	}
}
