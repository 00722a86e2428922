package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// launchctl is one that refuses, as the real one does, to load what is loaded and to unload what is not.
const launchctl = `#!/bin/sh
state=${0%/*}/loaded
case "$1 $2" in
  print\ gui/*/*) test -e "$state" ;;
  print\ *) ;;
  bootstrap\ *) test ! -e "$state" && touch "$state" ;;
  bootout\ *) test -e "$state" && rm "$state" ;;
  kickstart\ *) test -e "$state" ;;
  *) exit 64 ;;
esac
`

// TestServiceIsInstalledAgain: launchd loads no service twice; an earlier one is unloaded first.
func TestServiceIsInstalledAgain(t *testing.T) {
	b := newBench(t)
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "launchctl"), []byte(launchctl), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	install := []string{"service", "install", "--kind", "launchd", "--root", b.root}
	b.run(install).want(t, exit.OK, "ran   launchctl bootstrap ")
	b.run(install).want(t, exit.OK, "ran   launchctl bootout ", "ran   launchctl bootstrap ")
	b.run([]string{"service", "uninstall", "--kind", "launchd"}).want(t, exit.OK, "ran   launchctl bootout ")
	b.run(install).want(t, exit.OK, "ran   launchctl bootstrap ")
}
